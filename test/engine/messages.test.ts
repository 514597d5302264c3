import { describe, expect, it } from 'vitest';
import { endMessage, pickMessage } from '../../src/engine/messages.ts';
import type { LoopEnd } from '../../src/engine/run-loop.ts';
import type { GapStatement } from '../../src/model/model.ts';
import type { Candidate } from '../../src/solver/choose-solver.ts';
import { smallProblem } from '../solver/problems.ts';

const statement = (primal: number, dual: number, more: Partial<GapStatement> = {}): GapStatement => ({
  kind: 'certified',
  problem: 'original',
  primal,
  dual,
  gap: primal - dual,
  relativeGap: (primal - dual) / primal,
  ...more,
});
const end = (of: GapStatement, reason: LoopEnd['reason'] = 'gap'): LoopEnd => ({
  reason,
  statement: of,
});

describe('what a run says at its end', () => {
  it('bounds the objective by primal / dual, since the optimum may lie as low as the dual', () => {
    expect(endMessage(end(statement(1.0012, 1)), {})).toBe(
      'Objective within 0.12 % of the optimum, proved in float64. The target gap was reached.',
    );
    expect(endMessage(end(statement(3, 1), 'cancelled'), {})).toBe(
      'Objective at most 3 times the optimum, proved in float64. Stopped by hand.',
    );
    const negative = end(statement(0.5, -0.29), 'iterations');
    expect(endMessage(negative, { maxIterations: 300 })).toBe(
      'No lower bound above 0 yet, gap 0.79, proved in float64. Stopped after 300 iterations.',
    );
    expect(endMessage(negative, { maxIterations: 300, relativeGap: 0.01 })).toContain(
      'Stopped after 300 iterations, before the target gap.',
    );
  });

  it('names the smoothed problem, and never calls an estimate proved', () => {
    expect(endMessage(end(statement(1.1, 1, { problem: 'smoothed' })), {})).toContain(
      'of the smoothed problem',
    );
    const estimate = endMessage(end(statement(1.1, 1, { kind: 'estimate' })), {});
    expect(estimate).toContain('by estimate');
    expect(estimate).toContain('nothing is proved');
    expect(estimate).not.toContain('proved in float64');
  });

  it('says that float32 was at its floor', () => {
    expect(endMessage(end(statement(1.00001, 1), 'float32-floor'), { relativeGap: 1e-9 })).toContain(
      'floor of float32',
    );
  });
});

describe('why a solver was picked', () => {
  const problem = smallProblem('max-hinge', {}, 0, 'dense');
  const candidate = (solver: Candidate['solver'], backend: 'webgpu' | 'wasm', more: Partial<Candidate>) => ({
    solver,
    backend,
    implicit: false,
    cost: { flops: 1, bytes: 1, dispatches: 1, memory: 1 },
    ...more,
  });

  it('compares with the next best', () => {
    const others = [candidate('lsfw', 'webgpu', { seconds: 41 }), candidate('lsfw', 'wasm', { seconds: 90 })];
    expect(pickMessage(candidate('block-exact', 'wasm', { seconds: 2 }), others, problem)).toBe(
      'By the cost model it closes the gap some 20 times sooner on WASM than LSFW would on WebGPU.',
    );
    expect(pickMessage(candidate('block-exact', 'wasm', { seconds: 40 }), others, problem)).toContain(
      'a little sooner',
    );
  });

  it('names what keeps block ascent out', () => {
    const large = candidate('block-exact', 'wasm', { refusal: 'memory' });
    const message = pickMessage(candidate('lsfw', 'wasm', { implicit: true, seconds: 1 }), [large], problem);
    expect(message).toBe(
      'Block ascent needs the dual variables, and 37 x 5 of them take 1 MiB, more than is kept.',
    );
  });
});
