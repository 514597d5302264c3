import { describe, expect, it } from 'vitest';
import { connect, type Port, serve } from '../../src/engine/rpc.ts';

type Listener = (event: MessageEvent) => void;

/** Two ports whose messages are cloned and arrive later, as between threads; `posted` is what left the first one. */
function channel(): { near: Port; far: Port; posted: { type: string }[] } {
  const posted: { type: string }[] = [];
  const port = (inbox: Listener[], outbox: Listener[], log?: unknown[]): Port => ({
    postMessage(message) {
      log?.push(message);
      const data = structuredClone(message);
      setTimeout(() => {
        for (const listener of outbox) listener({ data } as MessageEvent);
      });
    },
    addEventListener: (_, listener) => void inbox.push(listener),
  });
  const [left, right]: [Listener[], Listener[]] = [[], []];
  return { near: port(left, right, posted), far: port(right, left), posted };
}

interface Target {
  double(x: number): Promise<number>;
  fail(): Promise<never>;
  wait(signal: AbortSignal): Promise<string>;
}

function open() {
  const { near, far, posted } = channel();
  const events: unknown[] = [];
  const { emit } = serve(far, {
    double: async (x: number) => 2 * x,
    fail: async () => {
      throw new RangeError('out of range');
    },
    wait: (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
  });
  const connection = connect<Target>(near, ['double', 'fail', 'wait'], (event) => events.push(event));
  return { ...connection, emit, events, posted };
}

describe('calls across a worker boundary', () => {
  it('answers each call with its own value or error', async () => {
    const { methods } = open();
    expect(await Promise.all([methods.double(1), methods.double(2)])).toEqual([2, 4]);
    await expect(methods.fail()).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
  });

  it('carries events', async () => {
    const { emit, events, methods } = open();
    emit({ type: 'news' });
    await methods.double(1);
    expect(events).toEqual([{ type: 'news' }]);
  });

  it('carries an abort, and posts nothing for a signal that is aborted already', async () => {
    const { methods, posted } = open();
    const controller = new AbortController();
    const waiting = methods.wait(controller.signal);
    controller.abort();
    expect(await waiting).toBe('aborted');
    const before = posted.length;
    await expect(methods.wait(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(posted.length).toBe(before);
  });

  it('says nothing of an abort that comes after the answer', async () => {
    const { near, far, posted } = channel();
    serve(far, { double: async (x: number) => 2 * x });
    const { methods } = connect<{ double(x: number, signal: AbortSignal): Promise<number> }>(
      near,
      ['double'],
      () => {},
    );
    const controller = new AbortController();
    await methods.double(1, controller.signal);
    controller.abort();
    expect(posted.map(({ type }) => type)).toEqual(['call']);
  });

  it('rejects what waits and what comes once the other side is gone', async () => {
    const { methods, fail } = open();
    const waiting = methods.wait(new AbortController().signal);
    fail(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(methods.double(1)).rejects.toThrow('gone');
  });
});
