import { openNodeEngine } from '../engine/node.ts';
import { openStructuredSession } from '../engine/structured/session.ts';
import { runCommand } from './command.ts';
import type { TextOutput } from './context.ts';

/** The program `dualgap`: the real streams, clock, engine and Ctrl-C for runCommand. */

function textOutput(stream: NodeJS.WriteStream): TextOutput {
  // A reader that has seen enough (`dualgap predict ... | head`) closes the pipe: nobody is left to tell.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY ?? false,
    get columns() {
      return stream.columns;
    },
  };
}

/** Settles when everything written before has left the process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

const code = await runCommand(process.argv.slice(2), {
  out: textOutput(process.stdout),
  err: textOutput(process.stderr),
  now: () => performance.now(),
  openEngine: async (options) => openNodeEngine(options),
  openStructuredEngine: async () => openStructuredSession(),
  onInterrupt(listener) {
    // Once: after it, Ctrl-C ends the process as it does any other.
    process.once('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Worker threads and the GPU's instance would keep the process alive.
process.exit(code);
