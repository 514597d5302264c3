/**
 * Calls across a worker boundary: numbered requests, numbered answers, and events. Progress and trace travel as events,
 * so an answer is always the last word on its request.
 */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}
interface AbortMessage {
  readonly type: 'abort';
  readonly id: number;
}
interface AnswerMessage {
  readonly type: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}
interface EventMessage {
  readonly type: 'event';
  readonly event: unknown;
}
type Message = CallMessage | AbortMessage | AnswerMessage | EventMessage;

/** Serves the methods of `target` to the other side. A trailing AbortSignal argument is carried as an abort message. */
export function serve(port: Port, target: Methods): { emit(event: unknown): void } {
  const running = new Map<number, AbortController>();
  const send = (message: Message) => port.postMessage(message, buffersOf(message));
  port.addEventListener('message', async ({ data }: MessageEvent<Message>) => {
    if (data.type === 'abort') running.get(data.id)?.abort();
    if (data.type !== 'call') return;
    const { id, method, args } = data;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const signalled = args.map((arg) => (arg === SIGNAL ? controller.signal : arg)) as never[];
      send({ type: 'answer', id, value: await target[method](...signalled) });
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      send({ type: 'answer', id, error: { name, message } });
    } finally {
      running.delete(id);
    }
  });
  return { emit: (event) => port.postMessage({ type: 'event', event } satisfies EventMessage, []) };
}

/** stands for an AbortSignal, which cannot be posted */
const SIGNAL = '\u0000signal';

export interface Connection<T> {
  readonly methods: T;
  /** The other side is gone: rejects every call that waits for it, and all to come. */
  fail(error: Error): void;
}

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
  release(): void;
}

/** The other side of `serve`: an object whose methods call across the port. A call takes one AbortSignal at most. */
export function connect<T extends object>(
  port: Port,
  methods: readonly (keyof T & string)[],
  onEvent: (event: unknown) => void,
): Connection<T> {
  const pending = new Map<number, PendingCall>();
  let dead: Error | undefined;
  let next = 0;
  port.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'event') onEvent(data.event);
    if (data.type !== 'answer') return;
    const call = pending.get(data.id);
    pending.delete(data.id);
    call?.release();
    if (data.error) call?.reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
    else call?.resolve(data.value);
  });
  const call =
    (method: string) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        if (dead) throw dead;
        const signal = args.find((arg) => arg instanceof AbortSignal);
        signal?.throwIfAborted();
        const id = next++;
        const abort = () => port.postMessage({ type: 'abort', id } satisfies AbortMessage, []);
        signal?.addEventListener('abort', abort);
        const release = () => signal?.removeEventListener('abort', abort);
        pending.set(id, { resolve, reject, release });
        const sent = args.map((arg) => (arg === signal && signal ? SIGNAL : arg));
        port.postMessage({ type: 'call', id, method, args: sent } satisfies CallMessage, []);
      });
  return {
    methods: Object.fromEntries(methods.map((method) => [method, call(method)])) as T,
    fail(error) {
      dead = error;
      for (const { reject, release } of pending.values()) {
        release();
        reject(error);
      }
      pending.clear();
    },
  };
}

/** Bytes of an exported file are handed over, not copied. */
function buffersOf(message: Message): Transferable[] {
  if (message.type !== 'answer' || typeof message.value !== 'object' || message.value === null) return [];
  return Object.values(message.value)
    .filter((value): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array)
    .map((value) => value.buffer);
}
