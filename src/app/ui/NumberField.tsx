import { useEffect, useState } from 'react';
import { parseNumber } from '../settings/parse.ts';
import { useActions, useApp } from '../state/page.ts';

export interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  /** whether the minimum itself is out */
  readonly above?: boolean;
  readonly integer?: boolean;
  /** whether the field may be left empty, which turns its rule off */
  readonly optional?: boolean;
}

interface Props extends NumberRule {
  readonly id: string;
  readonly value: number | undefined;
  readonly onValue: (value: number | undefined) => void;
  readonly label?: string;
  readonly placeholder?: string;
}

/** What is wrong with a number under a rule, in words; undefined when nothing is. */
export function numberProblem(text: string, rule: NumberRule): string | undefined {
  if (text.trim() === '') return rule.optional ? undefined : 'A number is needed here.';
  const value = parseNumber(text);
  if (value === undefined) return `'${text.trim()}' is not a number.`;
  if (rule.integer && !Number.isInteger(value)) return 'A whole number is needed here.';
  const { min, max } = rule;
  if (min !== undefined && (rule.above ? value <= min : value < min)) {
    return `Must be ${rule.above ? 'above' : 'at least'} ${min}.`;
  }
  return max !== undefined && value > max ? `Must be at most ${max}.` : undefined;
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
