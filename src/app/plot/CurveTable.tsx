import { useState } from 'react';
import { useApp, usePage } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import { formatCount, formatDuration, formatGap, formatObjective } from '../ui/format.ts';
import { tableRows } from './table-rows.ts';

/** The curves of the shown run as numbers, for those who do not see them. */
export function CurveTable() {
  const { traces } = usePage();
  const run = useApp(shownRun);
  const [open, setOpen] = useState(false);
  // Drawn anew while rows arrive, but only when someone looks.
  useApp((state) => (open ? state.traceVersion : 0));
  const trace = run && traces.get(run.id);
  if (!trace) return null;
  const [iteration, seconds, primal, dual, gap] = (
    ['iteration', 'seconds', 'primal', 'dual', 'bestGap'] as const
  ).map((name) => trace.column(name));
  return (
    <details className="plain curve-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Curves as a table</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <section className="scroll-x" tabIndex={0} aria-label="Curves as a table">
          <table className="numbers">
            <caption>
              {run.status?.title}: {formatCount(trace.length)} rows, some of them here; the trace export has
              all.
            </caption>
            <thead>
              <tr>
                {['iteration', 'time', 'primal', 'dual', 'best gap'].map((head) => (
                  <th scope="col" key={head}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tableRows(trace.length).map((i) => (
                <tr key={i}>
                  <th scope="row">{formatCount(iteration[i])}</th>
                  <td>{formatDuration(seconds[i])}</td>
                  <td>{formatObjective(primal[i], gap[i])}</td>
                  <td>{formatObjective(dual[i], gap[i])}</td>
                  <td>{formatGap(gap[i])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
