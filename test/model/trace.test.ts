import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { type TraceColumns, traceCsv, traceJson } from '../../src/model/trace.ts';
import { SAMPLE } from './random-model.ts';

const columns = (rows: readonly (readonly number[])[]): TraceColumns => {
  const [iteration, seconds, primal, dual, gap, bestGap, step] = Array.from({ length: 7 }, (_, c) =>
    Float64Array.from(rows, (row) => row[c]),
  );
  return { iteration, seconds, primal, dual, gap, bestGap, step };
};
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const provenance = {
  version: 1,
  writtenBy: '0.1.0',
  training: { settings: { seed: 7 }, data: { sha256: 'ab'.repeat(32) }, certificate: { gap: 0.0625 } },
};

describe('trace', () => {
  it('CSV: provenance, header, rows', () => {
    const [first, ...rest] = read(
      traceCsv(
        columns([
          [0, 0.5, 1, 0, 1, 1, 0.25],
          [1, 1, 0.1, 1e-9, 0.3, 0.3, 1],
        ]),
        SAMPLE,
      ),
    ).split('\n');
    expect(first.startsWith('# {')).toBe(true);
    expect(JSON.parse(first.slice(2))).toMatchObject({ format: 'dualgap-trace', ...provenance });
    expect(rest).toEqual([
      'iteration,seconds,primal,dual,gap,best_gap,step',
      '0,0.5,1,0,1,1,0.25',
      '1,1,0.1,1e-9,0.3,0.3,1',
      '',
    ]);
  });

  it('both forms keep every number', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    fc.assert(
      fc.property(fc.array(fc.array(number, { minLength: 7, maxLength: 7 }), { maxLength: 5 }), (rows) => {
        const trace = columns(rows);
        const { data } = Papa.parse<number[]>(read(traceCsv(trace, SAMPLE)), {
          comments: '#',
          skipEmptyLines: true,
          transform: Number as never,
        });
        expect(data.slice(1)).toEqual(rows);
        const value = JSON.parse(read(traceJson(trace, SAMPLE)));
        expect(value).toMatchObject({ format: 'dualgap-trace', ...provenance });
        const names = ['iteration', 'seconds', 'primal', 'dual', 'gap', 'best_gap', 'step'];
        expect(Object.keys(value.columns)).toEqual(names);
        expect(rows.map((_, i) => names.map((name) => value.columns[name][i]))).toEqual(rows);
      }),
    );
  });
});
