import type { RunStatus } from '../../engine/protocol.ts';
import { useApp, usePage } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import {
  formatCount,
  formatDuration,
  formatGap,
  formatObjective,
  formatRate,
  formatTarget,
} from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { gapKind, inWords, isActive, progressToTarget, shownGap } from './messages.ts';

/** The gap, large, and how it is known; the figures behind it. Its space is kept before there is a run. */
export function Numbers() {
  const run = useApp(shownRun);
  const settings = useApp((state) => state.settings);
  const status = run?.status;
  const { solver } = run?.request.settings ?? settings;
  const kind = status ? gapKind(status) : undefined;
  const shown = status && shownGap(status);
  const known = shown !== undefined && Number.isFinite(shown.relativeGap);
  return (
    <section className="panel numbers-panel" aria-labelledby="run-head">
      <h2 id="run-head">
        Run <span className="muted">{status?.title}</span>
      </h2>
      {solver === 'auto' && (
        <p className="field-note solver-why">
          {status?.solver?.why ?? 'The solver is picked when training starts.'}
        </p>
      )}
      <p className="gap-figure">
        <span className="hidden">Relative gap </span>
        <output className={known ? '' : 'muted'}>{known ? formatGap(shown.relativeGap) : '–'}</output>
        {known && kind && (
          <span className={`chip ${kind}`}>
            {kind === 'certified' && <Icon name="check" />}
            {kind}
          </span>
        )}
      </p>
      <p className="gap-words">{known ? inWords(shown) : 'Relative duality gap'}</p>
      <Progress status={status} target={(run?.request.settings ?? settings).stop.relativeGap} />
      <Figures status={status} />
    </section>
  );
}

function Progress({ status, target }: { status: RunStatus | undefined; target: number | undefined }) {
  const { traces } = usePage();
  const trace = status && traces.get(status.id);
  const first =
    trace && trace.length > 0
      ? relative(trace.column('primal')[0], trace.column('dual')[0], trace.column('gap')[0])
      : 1;
  const busy = status?.phase === 'preparing' || status?.phase === 'certifying';
  const fraction = busy
    ? (status.fraction ?? 0)
    : status
      ? progressToTarget(first, shownGap(status).relativeGap, target)
      : 0;
  const goal = target === undefined ? 'no target gap' : `target ${formatTarget(target)}`;
  const left = busy
    ? status.message
    : status?.secondsLeft === undefined
      ? ''
      : `${formatDuration(status.secondsLeft)} left`;
  return (
    <div className="progress">
      <progress aria-label="Progress to the target gap" max={1} value={fraction ?? 0} />
      <span>{left}</span>
      <span>{goal}</span>
    </div>
  );
}

function relative(primal: number, dual: number, gap: number): number {
  return gap / Math.max(Math.abs(primal), Math.abs(dual));
}

function Figures({ status }: { status: RunStatus | undefined }) {
  const shown = status && shownGap(status);
  const original = status && !isActive(status.phase) ? status.certificate?.original : undefined;
  const rows: readonly (readonly [string, string])[] = [
    ['primal', shown ? formatObjective(shown.primal, shown.gap) : '–'],
    ['dual', shown ? formatObjective(shown.dual, shown.gap) : '–'],
    ['absolute gap', shown ? formatGap(shown.gap) : '–'],
    ['iteration', status ? formatCount(status.iteration) : '–'],
    ['iterations a second', status ? formatRate(status.iterationsPerSecond) : '–'],
    ['training time', status ? formatDuration(status.seconds) : '–'],
    ...(original ? [['gap, not smoothed', formatGap(original.relativeGap)] as const] : []),
  ];
  return (
    <dl className="figures-list">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
