import { parseNumber } from '../settings/parse.ts';

/** What a number field accepts. */
export interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  /** whether the minimum itself is out */
  readonly above?: boolean;
  readonly integer?: boolean;
  /** whether the field may be left empty, which turns its rule off */
  readonly optional?: boolean;
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
