import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs the built command line as its users do. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Finished {
  /** exit code, null when a signal ended the process */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a bundled sample. */
export function sample(file: string): string {
  return `${ROOT}public/samples/${file}`;
}

/** Builds the program if its sources have changed, as `npm run dualgap` does. */
export async function buildProgram(): Promise<void> {
  const { code, stderr } = await finish([`${ROOT}scripts/dualgap.mjs`, '--version'], false);
  if (code !== 0) throw new Error(`the command line does not build: ${stderr}`);
}

/**
 * Runs `dualgap` with arguments.
 * @param options.interruptOnProgress sends SIGINT when the first line of progress appears
 */
export function program(
  args: readonly string[],
  options: { interruptOnProgress?: boolean } = {},
): Promise<Finished> {
  return finish([program.file, ...args], options.interruptOnProgress ?? false);
}
program.file = `${ROOT}dist/cli/dualgap.js`;

function finish(command: readonly string[], interrupt: boolean): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let interrupted = !interrupt;
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      if (interrupted || !stderr.includes('iteration ')) return;
      interrupted = true;
      child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
