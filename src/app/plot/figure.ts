import type { Data, Layout } from 'plotly.js';
import type { Trace } from '../../engine/trace.ts';
import { decimate } from '../decimate.ts';
import type { Theme } from '../shell/theme.ts';
import type { PlotView, Run } from '../state/state.ts';
import { formatNumber } from '../ui/format.ts';
import { type Drawable, edge, split } from './log-axis.ts';
import { DASHES, INK, type Quantity, runColour } from './palette.ts';

const QUANTITIES: readonly Quantity[] = ['primal', 'dual', 'gap'];

/** A primal that jumps must not hide the gap beneath it. */
const WIDTHS = { primal: 1.3, dual: 1.7, gap: 2.4 } as const;

/** The gap that is drawn is the best so far: it is the one a run stops at and the one shown in figures. */
const COLUMN = { primal: 'primal', dual: 'dual', gap: 'bestGap' } as const;

export interface Figure {
  readonly data: Data[];
  readonly layout: Partial<Layout>;
  /** whether points are marked at an edge because a log axis cannot hold them */
  readonly marked: boolean;
}

interface Curve {
  readonly name: string;
  readonly quantity: Quantity;
  readonly colour: string;
  readonly line: Drawable;
}

/** The curves of the visible runs, decimated, as plotly takes them. */
export function figure(
  runs: readonly Run[],
  traces: ReadonlyMap<string, Trace>,
  view: PlotView,
  theme: Theme,
): Figure {
  const curves: Curve[] = [];
  for (const run of runs) {
    const trace = traces.get(run.id);
    if (!trace || !run.visible) continue;
    for (const quantity of QUANTITIES) {
      if (!view[quantity]) continue;
      const line = drawable(trace, quantity, view);
      const name = `${run.status?.title ?? run.id} ${quantity}`;
      curves.push({ name, quantity, colour: runColour(run.slot, theme), line });
    }
  }
  const lines = curves.map((curve) => curve.line);
  const atX = edge(lines, 'x') / 1.5;
  const atY = edge(lines, 'y');
  const marks = curves.filter((curve) => curve.line.marks.length > 0);
  return {
    data: [...curves.map(drawLine), ...marks.map((curve) => drawMarks(curve, view, atX, atY))],
    layout: layout(view, theme),
    marked: marks.length > 0,
  };
}

/** What was worked out for a trace of some length; runs that have ended are not decimated again and again. */
const drawn = new WeakMap<Trace, { length: number; lines: Map<string, Drawable> }>();

function drawable(trace: Trace, quantity: Quantity, view: PlotView): Drawable {
  let known = drawn.get(trace);
  if (known?.length !== trace.length) {
    known = { length: trace.length, lines: new Map() };
    drawn.set(trace, known);
  }
  const key = `${quantity} ${view.x} ${view.logX} ${view.logY}`;
  const before = known.lines.get(key);
  if (before) return before;
  const x = trace.column(view.x);
  const y = trace.column(COLUMN[quantity]);
  const line = split(x, y, decimate(x, y, view.logX), view);
  known.lines.set(key, line);
  return line;
}

function drawLine({ name, quantity, colour, line }: Curve): Data {
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: line.x,
    y: line.y,
    line: { color: colour, dash: DASHES[quantity], width: WIDTHS[quantity] },
    hovertemplate: '%{y:.5~g}',
  };
}

/** Marks a curve has at most; more of them would only run into one another. */
const MARKS = 60;

function drawMarks({ name, colour, line }: Curve, view: PlotView, atX: number, atY: number): Data {
  const every = Math.ceil(line.marks.length / MARKS);
  const marks = line.marks.filter((_, index) => index % every === 0);
  return {
    type: 'scatter',
    mode: 'markers',
    name,
    x: marks.map(({ x }) => (view.logX && x <= 0 ? atX : x)),
    y: marks.map(({ y }) => (view.logY && y <= 0 ? atY : y)),
    text: marks.map(
      ({ x, y }) => `${formatNumber(y, 5)} at ${view.x} ${formatNumber(x)} (marked at the edge)`,
    ),
    hovertemplate: '%{text}',
    // At the very edge, half of a mark would be cut off.
    cliponaxis: false,
    marker: {
      color: colour,
      size: 8,
      symbol: marks.map(({ x }) => (view.logX && x <= 0 ? 'triangle-left-open' : 'triangle-down-open')),
    },
  };
}

function layout(view: PlotView, theme: Theme): Partial<Layout> {
  const ink = INK[theme];
  const axis = {
    gridcolor: ink.grid,
    linecolor: ink.line,
    tickcolor: ink.line,
    zerolinecolor: ink.line,
    ticks: 'outside' as const,
    ticklen: 4,
    showline: true,
    automargin: true,
  };
  return {
    xaxis: {
      ...axis,
      type: view.logX ? 'log' : 'linear',
      title: { text: view.x === 'iteration' ? 'iteration' : 'training time, s', standoff: 8 },
      rangemode: view.logX ? 'normal' : 'tozero',
      ...(view.logX && { dtick: 1 }),
    },
    yaxis: {
      ...axis,
      type: view.logY ? 'log' : 'linear',
      title: { text: 'objective and gap', standoff: 8 },
      exponentformat: 'e',
      ...(view.logY && { dtick: 1 }),
    },
    font: { family: 'system-ui, sans-serif', size: 12, color: ink.text },
    paper_bgcolor: ink.paper,
    plot_bgcolor: ink.paper,
    margin: { l: 56, r: 16, t: 12, b: 44 },
    hovermode: 'x unified',
    hoverlabel: { bgcolor: ink.paper, bordercolor: ink.line, font: { color: ink.text, size: 12 } },
    showlegend: false,
    // Zoom and pan stay while data arrive, and are dropped when an axis changes its meaning.
    uirevision: `${view.x} ${view.logX} ${view.logY}`,
  };
}
