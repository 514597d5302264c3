/** `npm run bench [-- NAME ...]`: builds the benchmarks, the files directly in bench/, and runs those named, or all. */
import { benchmarks, build } from './build.mjs';
import { vulkanEnvironment } from './chromium.mjs';
import { runNode } from './project.mjs';

const known = benchmarks();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(' or ')}. There are: ${known.join(', ')}.`);
  process.exit(1);
}
console.log(`Benchmarks: ${known.join(', ')}`);
await build('bench', { quiet: true });
for (const name of asked.length > 0 ? asked : known) {
  console.log(`\n=== ${name}`);
  const status = await runNode(`dist/bench/${name}.js`, [], { env: vulkanEnvironment() });
  if (status !== 0) process.exitCode = 1;
}
