import type { ReactNode } from 'react';
import { useApp } from '../state/page.ts';
import { Field } from './Field.tsx';
import { NumberField } from './NumberField.tsx';
import type { NumberRule } from './number-problem.ts';

interface Props extends NumberRule {
  readonly id: string;
  readonly label: string;
  readonly hint: { readonly text: string; readonly formula?: string };
  readonly note?: ReactNode;
  readonly value: number | undefined;
  readonly onValue: (value: number | undefined) => void;
  readonly placeholder?: string;
}

/** A labelled number with its explanation and its complaint. */
export function NumberSetting({ label, hint, note, ...number }: Props) {
  const error = useApp((state) => state.invalid[number.id]);
  return (
    <Field id={number.id} label={label} hint={hint} note={note} error={error}>
      <NumberField {...number} />
    </Field>
  );
}
