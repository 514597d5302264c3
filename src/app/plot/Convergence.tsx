import { useMemo, useRef } from 'react';
import { isActive } from '../run/messages.ts';
import { useTheme } from '../shell/theme.ts';
import { useApp, usePage } from '../state/page.ts';
import { CurveTable } from './CurveTable.tsx';
import { figure } from './figure.ts';
import { Plot } from './Plot.tsx';
import { loadPlotly } from './plotly.ts';
import { Toolbar } from './Toolbar.tsx';

const FORMATS = [
  ['png', 'PNG'],
  ['svg', 'SVG'],
] as const;

/** Primal, dual and gap of the visible runs, live. */
export function Convergence() {
  const { traces } = usePage();
  const root = useRef<HTMLElement>(null);
  const theme = useTheme();
  const runs = useApp((state) => state.runs);
  const view = useApp((state) => state.view);
  const version = useApp((state) => state.traceVersion);
  // Curves change with the version, titles with the runs; a status ten times a second does not redraw the plot.
  const looks = runs.map((run) => `${run.id} ${run.slot} ${run.visible} ${run.status?.title}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: traces grow in place, `version` and `looks` tell when
  const drawn = useMemo(() => figure(runs, traces, view, theme), [looks, version, view, theme]);

  async function save(format: 'png' | 'svg'): Promise<void> {
    const plotly = await loadPlotly();
    if (!root.current) return;
    await plotly.downloadImage(root.current, {
      format,
      width: 1200,
      height: 700,
      filename: 'dualgap-convergence',
    });
  }

  const notes = drawn.marked && 'Values ≤ 0 are marked at the edge: a log axis has no place for them.';
  return (
    <section className="convergence" aria-labelledby="convergence-head">
      <div className="section-head">
        <h2 id="convergence-head">Convergence</h2>
        <span className="end">
          {FORMATS.map(([format, title]) => (
            <button
              key={format}
              type="button"
              className="small"
              disabled={drawn.data.length === 0}
              aria-label={`Save the figure as ${title}`}
              onClick={() => void save(format)}
            >
              {title}
            </button>
          ))}
        </span>
        <Toolbar />
      </div>
      <div className="plot">
        <Plot root={root} figure={drawn} label="Primal, dual and gap of the visible runs" />
        {drawn.data.length === 0 && (
          <p className="plot-empty">
            {runs.some((run) => isActive(run.status?.phase ?? 'preparing'))
              ? 'The first figures are on their way.'
              : 'Primal, dual and gap appear here as training goes.'}
          </p>
        )}
      </div>
      <div className="plot-foot">
        <CurveTable />
        <p className="muted">{notes}</p>
      </div>
    </section>
  );
}
