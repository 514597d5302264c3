import type { ReactNode } from 'react';

interface Props {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: ReactNode;
}

/** A checkbox with its words, small enough for a toolbar. */
export function Toggle({ on, onChange, children }: Props) {
  return (
    <label className="toggle">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>{children}</span>
    </label>
  );
}
