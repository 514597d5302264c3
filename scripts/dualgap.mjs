/** `npm run -s dualgap -- VERB`: the command line, built if need be. Prints nothing of its own. */

import { build } from './build.mjs';
import { vulkanEnvironment } from './chromium.mjs';
import { runNode } from './project.mjs';

await build('cli', { quiet: true });
// npm runs scripts in the project's folder; the files named in the arguments are relative to the caller's.
const cwd = (process.env.npm_lifecycle_event === 'dualgap' && process.env.INIT_CWD) || process.cwd();
process.exitCode = await runNode('dist/cli/dualgap.js', process.argv.slice(2), {
  cwd,
  env: vulkanEnvironment(),
});
