import { describe, expect, it } from 'vitest';
import {
  announcement,
  gapKind,
  inWords,
  nextStep,
  progressToTarget,
  shownGap,
} from '../../src/app/run/messages.ts';
import type { RunStatus } from '../../src/engine/protocol.ts';
import type { GapStatement } from '../../src/model/model.ts';

const running: RunStatus = {
  id: 'run-1',
  title: 'LSFW max hinge',
  solver: { name: 'lsfw', why: 'Chosen in the settings.' },
  phase: 'running',
  message: 'Training.',
  iteration: 400,
  seconds: 2,
  primal: 0.4,
  dual: 0.39,
  gap: 0.01,
  relativeGap: 0.025,
  iterationsPerSecond: 200,
};
const certificate: GapStatement = {
  kind: 'certified',
  problem: 'original',
  primal: 0.4,
  dual: 0.3999,
  gap: 1e-4,
  relativeGap: 2.5e-4,
};

describe('what is said of a run', () => {
  it('says certified only of an ended run whose certificate says so', () => {
    expect(gapKind(running)).toBe('estimate');
    expect(gapKind({ ...running, certificate })).toBe('estimate');
    expect(gapKind({ ...running, phase: 'certified', certificate })).toBe('certified');
    expect(gapKind({ ...running, phase: 'stopped', certificate: { ...certificate, kind: 'estimate' } })).toBe(
      'estimate',
    );
    expect(gapKind({ ...running, phase: 'stopped' })).toBe('estimate');
  });

  it('shows the gap that the words are about', () => {
    expect(shownGap({ ...running, certificate }).relativeGap).toBe(0.025);
    expect(shownGap({ ...running, phase: 'stopped', certificate }).relativeGap).toBe(2.5e-4);
  });

  it('gives a next step for every end and none before', () => {
    expect(nextStep(running)).toBe('');
    for (const reason of [
      'gap',
      'iterations',
      'seconds',
      'cancelled',
      'float32-floor',
      'refused',
      'error',
    ] as const) {
      expect(nextStep({ ...running, phase: 'stopped', reason })).toMatch(/\w+.*\.$/);
    }
  });

  it('tells screen readers the gap, its kind and the iteration', () => {
    expect(announcement(running)).toBe('LSFW max hinge: gap 0.0250, estimate, at iteration 400.');
    expect(announcement({ ...running, phase: 'certified', certificate, message: 'Proved.' })).toBe(
      'LSFW max hinge certified: gap 2.50e-4, certified, at iteration 400. Proved.',
    );
  });

  it('puts a gap in words', () => {
    expect(inWords({ primal: 1.0012, dual: 1 })).toBe('At most 0.12 % above the optimum');
    expect(inWords({ primal: 0.00659, dual: 0.000145 })).toBe('At most 45 times the optimum');
    expect(inWords({ primal: 1, dual: 0 })).toBe('No lower bound above 0 yet');
  });

  it('measures progress in factors of the gap', () => {
    expect(progressToTarget(1, 0.1, 0.01)).toBeCloseTo(0.5, 12);
    expect(progressToTarget(1, 2, 0.01)).toBe(0);
    expect(progressToTarget(1, 0.001, 0.01)).toBe(1);
    expect(progressToTarget(1, 0.1, undefined)).toBeUndefined();
    expect(progressToTarget(Number.NaN, 0.1, 0.01)).toBeUndefined();
  });
});
