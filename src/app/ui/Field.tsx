import type { ReactNode } from 'react';
import { Hint } from './Hint.tsx';

interface Props {
  readonly id: string;
  readonly label: string;
  /** one plain line, and the formula behind it; both in the tooltip */
  readonly hint: { readonly text: string; readonly formula?: string };
  /** a line that is always there, such as a value worked out from the field */
  readonly note?: ReactNode;
  readonly error?: string;
  readonly children: ReactNode;
}

/** A label, its explanation, a control whose id is `id`, and what is wrong with it. */
export function Field({ id, label, hint, note, error, children }: Props) {
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        <Hint about={label.toLowerCase()} {...hint} />
      </div>
      <div className="field-control">{children}</div>
      <p
        className={error ? 'field-error' : 'field-note'}
        id={`${id}-note`}
        role={error ? 'alert' : undefined}
      >
        {error ?? note}
      </p>
    </div>
  );
}
