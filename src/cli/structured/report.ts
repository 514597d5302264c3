import type {
  StructuredEvaluation,
  StructuredReport,
  StructuredSummary,
  StructuredTraceRow,
} from '../../engine/structured/protocol.ts';
import { count, duration, errorRate, gap, percent, table, value } from '../format.ts';

/** `pass 12   7,512 calls   F 0.0178   gap 1.3e-1   64 approximate passes   8.1 planes` */
export function rowLine(row: StructuredTraceRow): string {
  const parts = [
    `pass ${count(row.iteration)}`,
    `${count(row.oracleCalls)} calls`,
    `P ${value(row.bestPrimal)}`,
    `F ${value(row.bestDual)}`,
    `gap ${gap(row.bestPrimal - row.bestDual)}`,
  ];
  if (row.approximatePasses > 0) {
    parts.push(`${count(row.approximatePasses)} approximate passes`, `${row.planes.toFixed(1)} planes`);
  }
  return parts.join('   ');
}

/** Result of `train --structure` for people. @param files what was written */
export function structuredText(
  { status, lambda, train, test }: StructuredReport,
  data: StructuredSummary,
  files: readonly string[],
): string {
  const { row, certificate } = status;
  const lines = [
    ['Data', dataLine(data)],
    ['Solver', `${status.title}, lambda ${value(lambda)}`],
    ['Status', status.message],
    ...(row
      ? [
          [
            'Run',
            `${count(row.oracleCalls)} oracle calls in ${count(row.iteration)} passes, ${count(row.approximatePasses)} approximate passes, ${duration(row.seconds)} (${percent(row.oracleSeconds / row.seconds)} in the oracle); ${count(row.evaluationCalls)} more calls to evaluate`,
          ],
        ]
      : []),
    ...(certificate
      ? [
          [
            'Gap',
            `${certificate.kind}: primal ${value(certificate.primal)}, dual ${value(certificate.dual)}, gap ${gap(certificate.gap)} (${percent(certificate.relativeGap)})`,
          ],
        ]
      : []),
    ...evaluationTable([['train', train], ...(test ? ([['test', test]] as const) : [])]).map((line, i) => [
      i === 0 ? 'Errors' : '',
      line,
    ]),
    ['Written', files.length > 0 ? files.join(', ') : 'nothing; --model FILE keeps the weights'],
  ];
  return `${lines.map(([name = '', text]) => `${name.padEnd(9)}${text}`).join('\n')}\n`;
}

function dataLine({ name, examples, parts, states, dimension, test }: StructuredSummary): string {
  const tested = test ? `; test ${test.name}: ${count(test.examples)} examples` : '';
  return `${name}: ${count(examples)} examples of ${count(parts)} parts, ${count(states.length)} states, ${count(dimension)} weights${tested}`;
}

/** A header, then a line a data set. */
export function evaluationTable(named: readonly (readonly [string, StructuredEvaluation])[]): string[] {
  const more = named[0]![1].more.map(({ name }) => name);
  return table([
    ['', 'loss', 'parts', 'examples', ...more],
    ...named.map(([name, evaluation]) => [
      name,
      evaluation.loss.toFixed(4),
      errorRate(evaluation.partError),
      errorRate(evaluation.exampleError),
      ...evaluation.more.map((figure) => figure.value.toFixed(4)),
    ]),
  ]);
}

/** Result of `train --structure --json`. */
export function structuredJson(
  { status, settings, lambda, train, test, data }: StructuredReport,
  { structure, parts, states, dimension, test: testData }: StructuredSummary,
  files: readonly string[],
): object {
  const { row } = status;
  return {
    status: status.phase,
    reason: status.reason,
    message: status.message,
    iterations: row?.iteration,
    oracleCalls: row?.oracleCalls,
    evaluationCalls: row?.evaluationCalls,
    approximatePasses: row?.approximatePasses,
    approximateSteps: row?.approximateSteps,
    planes: row?.planes,
    seconds: row?.seconds,
    oracleSeconds: row?.oracleSeconds,
    certificate: status.certificate ?? null,
    errors: { train: evaluationJson(train), ...(test && { test: evaluationJson(test) }) },
    data: { ...data, structure, parts, states, dimension, ...(testData && { test: testData }) },
    settings: { ...settings, lambdaValue: lambda },
    files,
  };
}

export function evaluationJson({ more, ...figures }: StructuredEvaluation): object {
  return { ...figures, ...Object.fromEntries(more.map(({ name, value: figure }) => [name, figure])) };
}
