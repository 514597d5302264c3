import { describe, expect, it } from 'vitest';
import { figure } from '../../src/app/plot/figure.ts';
import { edge, split } from '../../src/app/plot/log-axis.ts';
import { DEFAULT_PREPARE, DEFAULT_SETTINGS } from '../../src/app/settings/defaults.ts';
import { INITIAL, type Run } from '../../src/app/state/state.ts';
import { Trace } from '../../src/engine/trace.ts';

const x = [0, 1, 2, 3];
const y = [0, -2, 0.5, 4];
const all = [0, 1, 2, 3];

describe('a log axis', () => {
  it('turns values it cannot hold into marks and breaks the line there', () => {
    const line = split(x, y, all, { logX: false, logY: true });
    expect(line.y).toEqual([null, null, 0.5, 4]);
    expect(line.marks).toEqual([
      { x: 0, y: 0 },
      { x: 1, y: -2 },
    ]);
    expect(edge([line], 'y')).toBe(0.5);
  });

  it('marks iteration 0 when x is logarithmic', () => {
    const line = split(x, [1, 1, 1, 1], all, { logX: true, logY: false });
    expect(line.marks).toEqual([{ x: 0, y: 1 }]);
    expect(edge([line], 'x')).toBe(1);
  });

  it('leaves everything on linear axes', () => {
    const line = split(x, y, all, { logX: false, logY: false });
    expect(line.y).toEqual(y);
    expect(line.marks).toEqual([]);
  });

  it('has an edge even when nothing is positive', () => {
    expect(edge([split([0], [-1], [0], { logX: true, logY: true })], 'y')).toBe(1);
  });
});

describe('figure', () => {
  const trace = new Trace();
  const column = (values: number[]) => Float64Array.from(values);
  trace.append({
    iteration: column([0, 1, 2]),
    seconds: column([0, 0.1, 0.2]),
    primal: column([1, 0.6, 0.5]),
    dual: column([0, 0.3, 0.4]),
    gap: column([1, 0.3, 0.1]),
    bestGap: column([1, 0.3, 0.1]),
    step: column([1, 0.5, 0.4]),
  });
  const run: Run = {
    id: 'a',
    request: { settings: DEFAULT_SETTINGS, prepare: DEFAULT_PREPARE },
    dataName: 'iris',
    slot: 0,
    visible: true,
    status: undefined,
    report: undefined,
  };
  const traces = new Map([['a', trace]]);

  it('draws three dashes in one colour, and marks the dual that starts at 0', () => {
    const drawn = figure([run], traces, INITIAL.view, 'light');
    const lines = drawn.data.slice(0, 3) as { line: { dash: string; color: string } }[];
    expect(lines.map(({ line }) => line.dash)).toEqual(['solid', 'longdash', 'dot']);
    expect(new Set(lines.map(({ line }) => line.color)).size).toBe(1);
    expect(drawn.marked).toBe(true);
    expect(drawn.data[3]).toMatchObject({ mode: 'markers', x: [0], y: [0.1] });
  });

  it('leaves out hidden runs and quantities', () => {
    expect(figure([{ ...run, visible: false }], traces, INITIAL.view, 'light').data).toEqual([]);
    const view = { ...INITIAL.view, primal: false, dual: false };
    expect(figure([run], traces, view, 'light').data.length).toBe(1);
  });
});
