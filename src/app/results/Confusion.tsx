import type { Evaluation } from '../../model/metrics.ts';
import { formatCount, formatPercent } from '../ui/format.ts';
import { VirtualGrid } from '../ui/VirtualGrid.tsx';
import { worstPairs } from './worst-pairs.ts';

/** Up to this many classes the matrix alone says it; beyond, the worst pairs are listed before it. */
const SMALL = 12;
const PAIRS = 10;

/** Which classes are taken for which: a heat table, and for many classes the worst pairs. */
export function Confusion({ evaluation }: { evaluation: Evaluation }) {
  const { confusion, perClass } = evaluation;
  const m = perClass.length;
  const pairs = worstPairs(evaluation, PAIRS);
  return (
    <section className="confusion" aria-label="Confusion matrix">
      <h3>
        Confusion <span className="muted">row: true class, column: predicted</span>
      </h3>
      {m > SMALL && pairs.length > 0 && (
        <ol className="pairs">
          {pairs.map(({ truth, predicted, count, share }) => (
            <li key={`${truth} ${predicted}`}>
              <strong>{perClass[truth].name}</strong> taken for <strong>{perClass[predicted].name}</strong>{' '}
              <span className="muted">
                {formatCount(count)} times, {formatPercent(share)} of its examples
              </span>
            </li>
          ))}
        </ol>
      )}
      <VirtualGrid
        label="Confusion matrix"
        className="heat"
        rows={m}
        columns={m}
        columnWidth={m <= SMALL ? 52 : 44}
        headWidth={96}
        corner="true \ pred."
        columnHead={(column) => perClass[column].name}
        rowHead={(row) => <span title={perClass[row].name}>{perClass[row].name}</span>}
        cell={(row, column) => {
          const count = confusion[row * m + column];
          const share = perClass[row].support > 0 ? count / perClass[row].support : 0;
          return {
            content: count === 0 ? '' : formatCount(count),
            title: `${perClass[row].name} → ${perClass[column].name}: ${formatCount(count)} (${formatPercent(share)})`,
            style: share > 0 ? { background: heat(share, row === column) } : undefined,
          };
        }}
      />
    </section>
  );
}

/** Right answers in the accent colour, wrong ones in the colour of errors, never so strong that the count is hard to read. */
function heat(share: number, right: boolean): string {
  const strength = Math.round(8 + 34 * Math.sqrt(share));
  return `color-mix(in srgb, var(${right ? '--accent' : '--bad'}) ${strength}%, transparent)`;
}
