import { useState } from 'react';
import type { ClassMetrics, Evaluation } from '../../model/metrics.ts';
import { formatCount, formatPercent } from '../ui/format.ts';
import { type ClassColumn, sortClasses } from './sort-classes.ts';

/** Rows drawn at most; sorting brings the others into them. */
const ROWS = 200;

const COLUMNS: readonly (readonly [ClassColumn, string])[] = [
  ['name', 'Class'],
  ['support', 'Examples'],
  ['predicted', 'Predicted'],
  ['precision', 'Precision'],
  ['recall', 'Recall'],
  ['f1', 'F1'],
];

/** Precision, recall and F1 of every class, sortable by each column. */
export function PerClass({ evaluation }: { evaluation: Evaluation }) {
  const [sort, setSort] = useState<{ by: ClassColumn; down: boolean }>({ by: 'f1', down: false });
  const { perClass } = evaluation;
  const rows = sortClasses(perClass, sort.by, sort.down).slice(0, ROWS);
  return (
    <section className="per-class" aria-label="Per class">
      <h3>
        Per class{' '}
        {perClass.length > ROWS && (
          <span className="muted">
            the first {ROWS} of {formatCount(perClass.length)}; sort to see others
          </span>
        )}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className="scroll-x tall" tabIndex={0} aria-label="Table of classes">
        <table className="numbers">
          <thead>
            <tr>
              {COLUMNS.map(([column, title]) => (
                <th
                  scope="col"
                  key={column}
                  aria-sort={sort.by !== column ? 'none' : sort.down ? 'descending' : 'ascending'}
                >
                  <button
                    type="button"
                    className="sort"
                    onClick={() => setSort((now) => ({ by: column, down: now.by === column && !now.down }))}
                  >
                    {title}
                    <span aria-hidden="true">{sort.by === column ? (sort.down ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ClassRow key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function ClassRow({ row }: { row: ClassMetrics }) {
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td>{formatCount(row.support)}</td>
      <td className={row.predicted === 0 ? 'bad' : ''}>{formatCount(row.predicted)}</td>
      <td>{formatPercent(row.precision)}</td>
      <td>{formatPercent(row.recall)}</td>
      <td>{formatPercent(row.f1)}</td>
    </tr>
  );
}
