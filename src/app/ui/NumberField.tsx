import { useEffect, useState } from 'react';
import { parseNumber } from '../settings/parse.ts';
import { useActions, useApp } from '../state/page.ts';
import { type NumberRule, numberProblem } from './number-problem.ts';

interface Props extends NumberRule {
  readonly id: string;
  readonly value: number | undefined;
  readonly onValue: (value: number | undefined) => void;
  readonly label?: string;
  readonly placeholder?: string;
}

/** A text field for a number, so that '1e-3' can be typed; its value goes out only while the text is one. */
export function NumberField({ id, value, onValue, label, placeholder, ...rule }: Props) {
  const { mark } = useActions();
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const problem = useApp((state) => state.invalid[id]);

  useEffect(() => {
    // A value that came from elsewhere (a link, a default) replaces the text; one that the text stands for does not.
    setText((now) => (parseNumber(now) === value ? now : value === undefined ? '' : String(value)));
  }, [value]);
  useEffect(() => () => mark(id, undefined), [id, mark]);

  function change(next: string): void {
    setText(next);
    const wrong = numberProblem(next, rule);
    mark(id, wrong);
    if (!wrong) onValue(next.trim() === '' ? undefined : parseNumber(next));
  }

  return (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      value={text}
      placeholder={placeholder}
      aria-label={label}
      aria-invalid={problem !== undefined}
      aria-describedby={`${id}-note`}
      onChange={(event) => change(event.target.value)}
    />
  );
}
