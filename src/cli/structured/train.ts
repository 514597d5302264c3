import type {
  StructuredEngine,
  StructuredLoadRequest,
  StructuredReport,
  StructuredSummary,
} from '../../engine/structured/protocol.ts';
import type { ParsedArguments } from '../args.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, RunError, UsageError } from '../errors.ts';
import { Interruption } from '../interruption.ts';
import { checkOutputs, writeOutput } from '../outputs.ts';
import { Progress } from '../progress.ts';
import { openData } from './inputs.ts';
import { rowLine, structuredJson, structuredText } from './report.ts';
import { type StructuredCommand, structuredCommand } from './settings.ts';

/** `dualgap train DATA --structure NAME`: load, train, certify, write, report. */
export async function trainStructured(args: ParsedArguments, context: Context): Promise<ExitCode> {
  const command = structuredCommand(args);
  await checkOutputs(
    command.outputs.map(({ path }) => path),
    [command.data, command.test].filter((path) => path !== undefined),
  );
  const request = await loadRequest(command);
  const engine = await context.openStructuredEngine();
  const progress = new Progress(context.err, context.now);
  const interruption = new Interruption();
  const release = context.onInterrupt(() => interruption.press());
  try {
    const off = engine.on((event) => {
      if (event.type === 'progress') progress.task(event.task, event.fraction);
    });
    const data = await engine.load(request, interruption.signal);
    off();
    for (const { message } of data.notices) progress.note(`Note: ${message}`);
    const report = await run(engine, command, progress, interruption);
    progress.clear();
    return report ? await finish(engine, command, context, data, report) : EXIT.interrupted;
  } catch (error) {
    progress.clear();
    if (interruption.pressed) return EXIT.interrupted;
    throw error;
  } finally {
    release();
  }
}

async function loadRequest(command: StructuredCommand): Promise<StructuredLoadRequest> {
  const { structure, data, test, folds, options } = command;
  return {
    structure,
    train: await openData(data),
    ...(test !== undefined && { test: await openData(test) }),
    ...(folds && { folds }),
    options,
  };
}

/** The report of the run; undefined when it was cancelled before its first step. */
async function run(
  engine: StructuredEngine,
  { settings }: StructuredCommand,
  progress: Progress,
  interruption: Interruption,
): Promise<StructuredReport | undefined> {
  let off = () => {};
  const report = new Promise<StructuredReport | undefined>((resolve, reject) => {
    off = engine.on((event) => {
      if (event.type === 'report') resolve(event.report);
      if (event.type === 'row') progress.line(rowLine(event.row));
      if (event.type !== 'status') return;
      const { phase, reason, message } = event.status;
      if (phase === 'failed') reject(reason === 'refused' ? new UsageError(message) : new RunError(message));
      // a run that came to anything sends its report before this
      else if (phase === 'stopped') resolve(undefined);
      else if (phase === 'measuring') progress.line(message);
    });
  });
  // Waited for below; a failure that comes before `start` answers must not count as unhandled.
  report.catch(() => {});
  try {
    const id = await engine.start(settings);
    interruption.ends(() => void engine.cancel(id));
    return await report;
  } finally {
    off();
  }
}

/** Writes the files of the run and prints its report. */
async function finish(
  engine: StructuredEngine,
  { outputs, json, ownLimit }: StructuredCommand,
  context: Context,
  data: StructuredSummary,
  report: StructuredReport,
): Promise<ExitCode> {
  const written: string[] = [];
  for (const { path, format } of outputs) {
    await writeOutput(path, (await engine.export(report.id, format)).bytes);
    written.push(path);
  }
  context.out.write(
    json
      ? `${JSON.stringify(structuredJson(report, data, written), null, 2)}\n`
      : structuredText(report, data, written),
  );
  const { reason } = report.status;
  if (reason === 'gap') return EXIT.done;
  if (reason === 'cancelled') return EXIT.interrupted;
  return ownLimit && reason !== 'stalled' ? EXIT.done : EXIT.short;
}
