/**
 * `npm run bench [-- NAME ... [PART ...]]`: builds the benchmarks, the files directly in bench/, and runs those named, or
 * all. What is no benchmark's name is handed to those named, which then measure these parts only.
 */
import { benchmarks, build } from './build.mjs';
import { vulkanEnvironment } from './chromium.mjs';
import { runNode } from './project.mjs';

const known = benchmarks();
const words = process.argv.slice(2);
const asked = words.filter((word) => known.includes(word));
const parts = words.filter((word) => !known.includes(word));
if (parts.length > 0 && asked.length === 0) {
  console.error(`There is no benchmark named ${parts.join(' or ')}. There are: ${known.join(', ')}.`);
  process.exit(1);
}
console.log(`Benchmarks: ${known.join(', ')}`);
await build('bench', { quiet: true });
// growth measures the command line, a program of its own
await build('cli', { quiet: true });
for (const name of asked.length > 0 ? asked : known) {
  console.log(`\n=== ${name}`);
  const status = await runNode(`dist/bench/${name}.js`, parts, { env: vulkanEnvironment() });
  if (status !== 0) process.exitCode = 1;
}
