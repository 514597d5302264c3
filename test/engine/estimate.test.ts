import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/engine/protocol.ts';
import { openSession } from '../../src/engine/session.ts';

/** More example-class pairs than the dual matrix may take bytes for. */
const EXAMPLES = 68_000;
const CLASSES = 4_000;

describe('a run whose dual variables do not fit', () => {
  it('ends with an estimate that states its drift bound, and never says certified', async () => {
    const engine = openSession({
      gpu: async () => undefined,
      readSample: async (file) => {
        throw new Error(file);
      },
    });
    const lines = Array.from(
      { length: EXAMPLES },
      (_, i) => `${i % CLASSES} ${1 + (i % 7)}:1 8:${(i % 13) / 13}`,
    );
    const data = await engine.load({ kind: 'text', name: 'wide', text: lines.join('\n') });
    expect(data.classes.length).toBe(CLASSES);
    const phases = new Set<string>();
    const report = await new Promise<RunReport>((resolve, reject) => {
      engine.on((event) => {
        if (event.type === 'status') phases.add(event.status.phase);
        if (event.type === 'status' && event.status.phase === 'failed')
          reject(new Error(event.status.message));
        if (event.type === 'report') resolve(event.report);
      });
      engine.start({
        settings: {
          loss: 'max-hinge',
          lambda: { kind: 'value', value: 1 },
          smoothing: 0,
          solver: 'lsfw',
          stop: { relativeGap: 0.5, maxIterations: 3 },
          backend: 'wasm',
          seed: 0,
        },
        prepare: { holdOut: 0, scaling: 'none', bias: 0 },
      });
    });
    const { certificate, message, phase } = report.status;
    expect(certificate!.kind).toBe('estimate');
    expect(certificate!.driftBound).toBeGreaterThan(0);
    expect(certificate!.primal - certificate!.dual).toBeCloseTo(certificate!.gap, 12);
    expect(certificate!.driftBound!).toBeLessThan(certificate!.gap);
    expect(phase).toBe('stopped');
    expect(phases.has('certified')).toBe(false);
    expect(message).toContain('nothing is proved');
    expect(report.exports).not.toContain('certificate.npz');
    await expect(engine.export(report.id, 'certificate.npz')).rejects.toThrow(/too many to keep/);
  });
});
