import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';

const FILE = join('bench', 'RESULTS.md');
const HEADING =
  '# Measured results\n\nEach section is written by `npm run bench -- NAME`; nothing here is typed by hand.\n';

/** One Markdown table. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The machine of the run, in one line. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpu.model.trim()}, ${cpus().length} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
}

/** Puts a section in place of the one of the same name, or at the end. */
export function writeSection(name: string, body: string): void {
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const section = `${begin}\n## ${name}\n\n${body.trim()}\n${end}`;
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEADING;
  const from = old.indexOf(begin);
  const text =
    from < 0
      ? `${old.trimEnd()}\n\n${section}\n`
      : `${old.slice(0, from)}${section}${old.slice(old.indexOf(end) + end.length)}`;
  writeFileSync(FILE, text);
  console.log(`Section ${name} of ${FILE} is written.`);
}
