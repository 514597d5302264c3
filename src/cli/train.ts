import type { DataSummary, Engine, LoadRequest, RunReport, RunRequest } from '../engine/protocol.ts';
import { SOLVER_TITLES } from '../model/settings.ts';
import { buildLoss } from '../problem/losses/index.ts';
import type { ParsedArguments } from './args.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode, RunError, UsageError } from './errors.ts';
import { openInput, readCostMatrix, readExampleWeights } from './inputs.ts';
import { trainJson } from './json.ts';
import { checkOutputs, writeOutput } from './outputs.ts';
import { Progress } from './progress.ts';
import { trainText } from './report.ts';
import { type TrainCommand, trainCommand } from './train-settings.ts';

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
  const loading = new AbortController();
  let interrupt = () => loading.abort();
  const release = context.onInterrupt(() => interrupt());
  try {
    const offProgress = engine.on((event) => {
      if (event.type === 'progress') progress.task(event.task, event.fraction);
    });
    const data = await engine.load(request, loading.signal);
    offProgress();
    for (const { message } of data.notices) progress.note(`Note: ${message}`);
    const settings = { ...command.settings, ...(cost && { cost }) };
    const { loss, k, rho } = settings;
    buildLoss(loss, data.classes.length, { k, rho, cost });
    if (warmStart) await engine.loadModel(warmStart);
    const report = await run(
      engine,
      {
        settings,
        prepare: command.prepare,
        ...(exampleWeights && { exampleWeights }),
        ...(warmStart && { warmStart: { loadedModel: true } as const }),
      },
      progress,
      (cancel) => {
        interrupt = cancel;
        if (loading.signal.aborted) cancel();
      },
    );
    progress.clear();
    if (!report) return EXIT.interrupted;
    return await finish(command, context, engine, report, data);
  } catch (error) {
    progress.clear();
    if (loading.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    release();
  }
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

/**
 * One run from start to report; undefined when it was cancelled before its first step.
 * @param onStart receives the function that ends the run early
 * @throws {UsageError} when the run was refused, {RunError} when it failed, with the engine's message
 */
async function run(
  engine: Engine,
  request: RunRequest,
  progress: Progress,
  onStart: (cancel: () => void) => void,
): Promise<RunReport | undefined> {
  let off = () => {};
  let told = request.settings.solver !== 'auto';
  try {
    const report = new Promise<RunReport | undefined>((resolve, reject) => {
      off = engine.on((event) => {
        if (event.type === 'report') resolve(event.report);
        if (event.type !== 'status') return;
        const { phase, reason, message, solver } = event.status;
        if (phase === 'failed')
          reject(reason === 'refused' ? new UsageError(message) : new RunError(message));
        // a run that came to anything sends its report before this
        else if (phase === 'stopped') resolve(undefined);
        else {
          if (!told && solver) {
            progress.note(`Solver: ${SOLVER_TITLES[solver.name]}. ${solver.why}`);
            told = true;
          }
          progress.status(event.status);
        }
      });
    });
    // Waited for below; a failure that comes before `start` answers must not count as unhandled.
    report.catch(() => {});
    const id = await engine.start(request);
    onStart(() => void engine.cancel(id));
    return await report;
  } finally {
    off();
  }
}

async function finish(
  command: TrainCommand,
  context: Context,
  engine: Engine,
  report: RunReport,
  data: DataSummary,
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
      ? `${JSON.stringify(trainJson(report, data, written), null, 2)}\n`
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
