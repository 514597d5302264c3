import type { DataSummary, Engine, LoadRequest, RunReport, RunRequest } from '../engine/protocol.ts';
import { buildLoss } from '../problem/losses/index.ts';
import type { ParsedArguments } from './args.ts';
import type { Context } from './context.ts';
import { crossValidate } from './cross-validate.ts';
import { EXIT, type ExitCode, RunError, UsageError } from './errors.ts';
import { explanationText } from './explain-report.ts';
import { openInput, readCostMatrix, readExampleWeights } from './inputs.ts';
import { Interruption } from './interruption.ts';
import { trainJson } from './json.ts';
import { followPath, leastError, testError } from './lambda-path.ts';
import { checkOutputs, writeOutput } from './outputs.ts';
import { foldsJson, foldsText, pathJson, pathText } from './path-report.ts';
import { Progress } from './progress.ts';
import { trainText } from './report.ts';
import { type Train, trainer } from './run-once.ts';
import { type TrainCommand, trainCommand } from './train-settings.ts';

/** What the work on a command has at hand once its data are loaded. */
interface Work {
  readonly command: TrainCommand;
  readonly context: Context;
  readonly engine: Engine;
  readonly data: DataSummary;
  readonly request: RunRequest;
  readonly train: Train;
  readonly progress: Progress;
  readonly interruption: Interruption;
}

/** `dualgap train DATA`: load, train, certify, write, report. */
export async function train(args: ParsedArguments, context: Context): Promise<ExitCode> {
  const command = trainCommand(args);
  await checkOutputs(
    command.outputs.map(({ path }) => path),
    inputPaths(command),
  );
  const request = await loadRequest(command);
  const cost = command.costFile === undefined ? undefined : await readCostMatrix(command.costFile);
  const exampleWeights =
    command.exampleWeightsFile === undefined
      ? undefined
      : await readExampleWeights(command.exampleWeightsFile);
  const warmStart = command.warmStart === undefined ? undefined : await openInput(command.warmStart);

  const engine = await context.openEngine({ threads: command.threads });
  const progress = new Progress(context.err, context.now);
  const interruption = new Interruption();
  const release = context.onInterrupt(() => interruption.press());
  try {
    const offProgress = engine.on((event) => {
      if (event.type === 'progress') progress.task(event.task, event.fraction);
    });
    const data = await engine.load(request, interruption.signal);
    offProgress();
    for (const { message } of data.notices) progress.note(`Note: ${message}`);
    const settings = { ...command.settings, ...(cost && { cost }) };
    const { loss, k, rho } = settings;
    buildLoss(loss, data.classes.length, { k, rho, cost });
    if (warmStart) await engine.loadModel(warmStart);
    return await carryOut({
      command,
      context,
      engine,
      data,
      request: {
        settings,
        prepare: command.prepare,
        ...(exampleWeights && { exampleWeights }),
        ...(warmStart && { warmStart: { loadedModel: true } as const }),
      },
      train: trainer(engine, progress, interruption),
      progress,
      interruption,
    });
  } catch (error) {
    progress.clear();
    if (interruption.pressed) return EXIT.interrupted;
    throw error;
  } finally {
    release();
  }
}

function carryOut(work: Work): Promise<ExitCode> {
  if (work.command.explain) return explain(work);
  if (work.command.folds !== undefined) return trainValidated(work, work.command.folds);
  return work.command.grid.length > 1 ? trainPath(work) : trainOnce(work);
}

/** What would be run and why; of a path its first lambda. */
async function explain({ command, context, engine, request, progress }: Work): Promise<ExitCode> {
  const told = await engine.explain(request).catch((error: Error) => {
    throw error instanceof RangeError ? error : new RunError(error.message);
  });
  progress.clear();
  context.out.write(
    command.json ? `${JSON.stringify(told, null, 2)}\n` : explanationText(told, command.grid.length),
  );
  return EXIT.done;
}

async function trainOnce(work: Work): Promise<ExitCode> {
  const report = await work.train(work.request);
  work.progress.clear();
  return report ? finish(work, report) : EXIT.interrupted;
}

/** Every lambda of the path; the model with the least test error, where there is one, is written. */
async function trainPath(work: Work): Promise<ExitCode> {
  const { command, context, engine, request, interruption } = work;
  const { points } = await followPath(engine, work.train, request, command.grid, interruption);
  work.progress.clear();
  if (points.length === 0) return EXIT.interrupted;
  const errors = points.flatMap(({ report }) => testError(report) ?? []);
  const picked = errors.length === 0 ? undefined : leastError(errors);
  const path = pathJson(points, picked);
  const codes = points.map(({ report }) => exitCode(report, command.ownLimit));
  if (!command.json) context.out.write(pathText(points, picked));
  if (picked !== undefined) codes.push(await finish(work, points[picked].report, { path }));
  else if (command.json) context.out.write(`${JSON.stringify({ path }, null, 2)}\n`);
  return worst([...codes, interruption.pressed ? EXIT.interrupted : EXIT.done]);
}

/** Cross-validation, then a run on all the data at the lambda that it picks. */
async function trainValidated(work: Work, folds: number): Promise<ExitCode> {
  const { command, context, engine, request, interruption } = work;
  const rows = await crossValidate(engine, work.train, request, command.grid, folds, interruption);
  if (!rows) {
    work.progress.note('Interrupted before the last fold: no lambda is picked, nothing is written.');
    return EXIT.interrupted;
  }
  const picked = leastError(rows.map(({ mean }) => mean));
  const { lambda } = rows[picked];
  const final = { ...request, settings: { ...request.settings, lambda } };
  const report = await work.train(final, 'all the data');
  work.progress.clear();
  if (!command.json) context.out.write(foldsText(rows, folds, picked));
  if (!report) return EXIT.interrupted;
  const code = await finish(work, report, { crossValidation: foldsJson(rows, folds, picked) });
  const short = !command.ownLimit && rows.some(({ certified }) => !certified);
  return worst([code, short ? EXIT.short : EXIT.done]);
}

function inputPaths({ data, test, costFile, exampleWeightsFile, warmStart }: TrainCommand): string[] {
  return ['path' in data ? data.path : undefined, test, costFile, exampleWeightsFile, warmStart].filter(
    (path) => path !== undefined,
  );
}

async function loadRequest({ data, test, load }: TrainCommand): Promise<LoadRequest> {
  if ('sample' in data) return { kind: 'sample', id: data.sample };
  return {
    kind: 'files',
    train: await openInput(data.path),
    ...(test !== undefined && { test: await openInput(test) }),
    options: load,
  };
}

/** Writes the files of a run and prints its report. @param more what the JSON has besides, first */
async function finish(
  { command, context, engine, data }: Work,
  report: RunReport,
  more: object = {},
): Promise<ExitCode> {
  const written: string[] = [];
  const missed: string[] = [];
  for (const { path, format } of command.outputs) {
    if (!report.exports.includes(format)) {
      missed.push(`${path}: this run has no ${format}; its dual variables were not kept.`);
      continue;
    }
    const { bytes, notices = [] } = await engine.export(report.id, format);
    await writeOutput(path, bytes);
    for (const { message } of notices) context.err.write(`Note: ${path}: ${message}\n`);
    written.push(path);
  }
  context.out.write(
    command.json
      ? `${JSON.stringify({ ...more, ...trainJson(report, data, written) }, null, 2)}\n`
      : trainText(report, data, written),
  );
  if (missed.length > 0) throw new UsageError(missed.join(' '));
  return exitCode(report, command.ownLimit);
}

function exitCode({ status }: RunReport, ownLimit: boolean): ExitCode {
  if (status.phase === 'certified' || status.reason === 'gap') return EXIT.done;
  if (status.reason === 'cancelled') return EXIT.interrupted;
  const limit = status.reason === 'iterations' || status.reason === 'seconds';
  return limit && ownLimit ? EXIT.done : EXIT.short;
}

/** Of the endings of several runs: an interruption counts before a missed target, that before success. */
function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.interrupted, EXIT.short].find((code) => codes.includes(code)) ?? EXIT.done;
}
