/** What every script needs: where the project is, and a way to run one of its programs. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a JavaScript program in a Node process of its own, its output going where ours goes. An interrupt or a polite kill
 * is handed on, so that nothing outlives us.
 * @param {string} program path of the program, relative to the root
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, terminate?: NodeJS.Signals }} [options] cwd: the root unless told;
 *   env: added to our own; terminate: what a SIGTERM is handed on as, for a program that tidies up on another signal only
 * @returns {Promise<number>} its exit status; 1 where a signal ended it
 */
export function runNode(program, args, { cwd = ROOT, env = {}, terminate = 'SIGTERM' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, program), ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    /** @param {NodeJS.Signals} signal */
    const handOn = (signal) => child.kill(signal === 'SIGTERM' ? terminate : signal);
    process.on('SIGINT', handOn).on('SIGTERM', handOn);
    child.on('error', reject);
    child.on('close', (status) => {
      process.off('SIGINT', handOn).off('SIGTERM', handOn);
      resolve(status ?? 1);
    });
  });
}
