import type { RunStatus } from '../engine/protocol.ts';
import type { TextOutput } from './context.ts';
import { count, duration, gap, percent, value } from './format.ts';

/** Between redraws of the line on a terminal, in milliseconds. */
const REDRAW = 100;
/** Between lines where there is no terminal, in milliseconds. */
const SPARSE = 5_000;

/**
 * The progress of a command: on a terminal one line, rewritten in place; elsewhere (a log file, a pipe) a line when
 * training starts and then one every few seconds.
 */
export class Progress {
  readonly #output: TextOutput;
  readonly #now: () => number;
  #lastWrite: number;
  #lineShown = false;
  #trainingSeen = false;

  constructor(output: TextOutput, now: () => number) {
    this.#output = output;
    this.#now = now;
    this.#lastWrite = now();
  }

  /** Loading and the like. @param fraction 0..1 */
  task(name: string, fraction: number): void {
    this.#show(`${name} ${Math.round(100 * fraction)} %`);
  }

  /**
   * A status of the run; how it ended is the report's to tell, so the last ones are not shown here.
   * @param stage which of many runs it is
   */
  status(status: RunStatus, stage = ''): void {
    const prefix = stage === '' ? '' : `${stage}: `;
    if (status.phase === 'running') {
      // before the first batch is back there is nothing to tell
      if (!Number.isFinite(status.gap)) return;
      this.#show(prefix + statusLine(status), !this.#trainingSeen);
      this.#trainingSeen = true;
    } else if (status.phase === 'preparing' || status.phase === 'certifying')
      this.#show(prefix + status.message);
  }

  /** What goes on, in words of the caller's; the first such line is shown at once. */
  line(text: string): void {
    this.#show(text, !this.#trainingSeen);
    this.#trainingSeen = true;
  }

  /** A line that stays, such as a note about the data; the progress line moves below it. */
  note(text: string): void {
    this.clear();
    this.#output.write(`${text}\n`);
  }

  /** Takes the line off the terminal. */
  clear(): void {
    if (this.#lineShown) this.#output.write('\r\x1b[K');
    this.#lineShown = false;
  }

  #show(text: string, atOnce = false): void {
    const now = this.#now();
    const due = now - this.#lastWrite >= (this.#output.isTTY ? REDRAW : SPARSE);
    if (!due && !atOnce) return;
    this.#lastWrite = now;
    if (!this.#output.isTTY) {
      this.#output.write(`${text}\n`);
      return;
    }
    // A line that wraps cannot be rewritten with a carriage return.
    const width = Math.max(10, (this.#output.columns ?? 80) - 1);
    this.#output.write(`\r${text.slice(0, width)}\x1b[K`);
    this.#lineShown = true;
  }
}

/** `iteration 1,200   P 0.391512   D 0.391160   gap 3.5e-4 (0.090 %)   2,373 it/s   12 s left` */
export function statusLine(status: RunStatus): string {
  const parts = [
    `iteration ${count(status.iteration)}`,
    `P ${value(status.primal)}`,
    `D ${value(status.dual)}`,
    `gap ${gap(status.gap)} (${percent(status.relativeGap)})`,
    `${rate(status.iterationsPerSecond)} it/s`,
  ];
  if (status.secondsLeft !== undefined) parts.push(`${duration(status.secondsLeft)} left`);
  return parts.join('   ');
}

/** Iterations a second, with a digit after the point where that says something. */
export function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(perSecond);
}
