import type { OracleAnswer, StructuredModel } from '../../problem/structured/model.ts';
import type { OracleRequest, Work } from './work.ts';

/** What answers a solver's requests. */
export type AnswerRequest = (
  request: OracleRequest,
) => readonly OracleAnswer[] | Promise<readonly OracleAnswer[]>;

/** Answers requests one example after the other, here and now. */
export function answerHere(model: StructuredModel): (request: OracleRequest) => OracleAnswer[] {
  return ({ examples, w }) => Array.from(examples, (i) => model.maximise(i, w, true));
}

/**
 * Does the work to its end.
 * @param breathe called at every yield; the promise it may give is awaited (pause, other events)
 */
export async function drive<T>(
  work: Work<T>,
  answer: AnswerRequest,
  breathe: () => Promise<void> | undefined,
): Promise<T> {
  let step = work.next([]);
  while (!step.done) {
    const breath = breathe();
    if (breath) await breath;
    const answers = step.value ? answer(step.value) : [];
    step = work.next(answers instanceof Promise ? await answers : answers);
  }
  return step.value;
}
