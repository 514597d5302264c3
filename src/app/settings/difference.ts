import type { RunRequest } from '../../engine/protocol.ts';
import { type LambdaRule, SOLVER_TITLES } from '../../model/settings.ts';
import { formatNumber } from '../ui/format.ts';
import { lossDefinition } from './check.ts';

/** lambda as people write it: '1/n', '0.01', 'C = 1'. */
export function lambdaText(rule: LambdaRule): string {
  if (rule.kind === 'C') return `C = ${formatNumber(rule.value)}`;
  return rule.kind === 'value' ? formatNumber(rule.value) : `${formatNumber(rule.value)}/n`;
}

/** Everything that may differ between two runs, by name, as short text. */
function describeRun(request: RunRequest, dataName: string): Record<string, string> {
  const { settings, prepare } = request;
  const { stop } = settings;
  return {
    data: dataName,
    loss: lossDefinition(settings).title,
    solver: SOLVER_TITLES[settings.solver],
    k: settings.k === undefined ? '' : String(settings.k),
    ρ: settings.rho?.join(', ') ?? '',
    cost: settings.cost ? 'own matrix' : '',
    λ: lambdaText(settings.lambda),
    smoothing: formatNumber(settings.smoothing),
    'target gap': stop.relativeGap === undefined ? '' : formatNumber(stop.relativeGap),
    iterations: stop.maxIterations === undefined ? '' : String(stop.maxIterations),
    seconds: stop.seconds === undefined ? '' : String(stop.seconds),
    'class weights': settings.classWeights === 'balanced' ? 'balanced' : '',
    engine: settings.backend,
    seed: String(settings.seed),
    'hold-out': formatNumber(prepare.holdOut),
    scaling: prepare.scaling,
    bias: formatNumber(prepare.bias),
    start: request.warmStart ? 'warm' : '',
  };
}

/** For each run, those of its settings in which the runs are not all alike, as one short line ('λ 0.01 · k 3'). */
export function differences(
  runs: readonly { readonly request: RunRequest; readonly dataName: string }[],
): string[] {
  const described = runs.map((run) => describeRun(run.request, run.dataName));
  const names = Object.keys(described[0] ?? {}).filter(
    // The title of a run already names its solver and loss.
    (name) => name !== 'solver' && name !== 'loss' && new Set(described.map((one) => one[name])).size > 1,
  );
  return described.map((one) => names.map((name) => `${name} ${one[name] || 'none'}`).join(' · '));
}
