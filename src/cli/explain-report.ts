import type { CandidateNote, Explanation } from '../engine/protocol.ts';
import { BACKEND_TITLES, SOLVER_TITLES } from '../model/settings.ts';
import { count, duration, percent, table } from './format.ts';

const HEAD = ['an iteration', 'on', 'MFLOP', 'MB moved', 'dispatches', 'memory', 'iterations', 'estimate'];
const NOTES = [
  'An iteration is counted from its plan. Iterations and seconds to the target gap are a model, right to a factor of ten;',
  'the speed of a GPU is assumed, not measured.',
];

/** What `--explain` prints for people. @param lambdas how many the run would go through, the first of which is explained */
export function explanationText(told: Explanation, lambdas: number): string {
  const { data, dual, product, solver, backend } = told;
  const { examples: n, features: d, classes: m } = data;
  const first = lambdas > 1 ? `, the first of ${lambdas}` : '';
  const rows = [
    ['Data', `${data.name}, as trained on: n = ${count(n)}, d = ${count(d)}, m = ${count(m)}`],
    ['Storage', `${data.kind}: ${count(data.nonZeros)} values are not zero (${percent(data.density)})`],
    ['Lambda', `${figure(told.lambda)}${first}; mean of |x|^2/(lambda n) + g is ${figure(told.curvature)}`],
    ['Target', `relative gap ${figure(told.gap)}`],
    [
      'Dual',
      `${mebibytes(dual.bytes)} of at most ${mebibytes(dual.budgetBytes)}: ${dual.kept ? 'kept' : 'not kept, so the gap of a plain loss is an estimate'}`,
    ],
    ['Solver', `${SOLVER_TITLES[solver.name]}: ${solver.why}`],
    ['Backend', `${backend.name}: ${backend.why}`],
    [
      'X^T U',
      `${mega(product.gather)} MFLOP as a gather over K + 1 classes, which directions take (but for smoothed PG); ${mega(product.dense)} as a product over m, which W(A) takes`,
    ],
    ...(n < 2 * d ? [['Gram', 'n < 2 d, so X X^T could stand for X; no solver here does that']] : []),
  ];
  const marks = ['', ...told.candidates.map((candidate) => mark(candidate, told))];
  const lines = table([HEAD, ...told.candidates.map(candidateRow)]);
  return [
    ...rows.map(([name, text]) => `${name.padEnd(9)}${text}`),
    '',
    ...lines.map((line, i) => `${line}  ${marks[i]}`.trimEnd()),
    '',
    ...NOTES,
    '',
  ].join('\n');
}

function candidateRow(of: CandidateNote): string[] {
  const shown = (x: number | undefined, format: (x: number) => string) => (x === undefined ? '-' : format(x));
  return [
    SOLVER_TITLES[of.solver],
    BACKEND_TITLES[of.backend],
    mega(of.flops),
    mega(of.bytes),
    count(of.dispatches),
    mebibytes(of.memory),
    shown(of.iterations, count),
    shown(of.seconds, duration),
  ];
}

function mark(candidate: CandidateNote, { solver, backend }: Explanation): string {
  const picked = candidate.solver === solver.name && candidate.backend === backend.kind;
  return picked ? 'would run' : (candidate.refusal ?? '');
}

const figure = (x: number): string => x.toLocaleString('en-US', { maximumSignificantDigits: 3 });
const mega = (x: number): string => figure(x / 1e6);
const mebibytes = (bytes: number): string => `${figure(bytes / 2 ** 20)} MiB`;
