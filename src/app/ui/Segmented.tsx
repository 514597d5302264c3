interface Props<T extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: T, title: string])[];
  readonly value: T;
  readonly onValue: (value: T) => void;
}

/** One of a few: radio buttons drawn as one bar. */
export function Segmented<T extends string>({ name, label, options, value, onValue }: Props<T>) {
  return (
    <fieldset className="segmented">
      <legend className="hidden">{label}</legend>
      {options.map(([option, title]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
