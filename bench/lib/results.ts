import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';

const FILE = join('bench', 'RESULTS.md');
const HEADING =
  '# Measured results\n\nEach section is written by `npm run bench -- NAME`; nothing here is typed by hand.\n';

/** One Markdown table. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((name, c) => Math.max(3, name.length, ...rows.map((row) => row[c].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The machine of the run, in one line. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpu.model.trim()}, ${cpus().length} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
}

const begin = (name: string) => `<!-- ${name}: begin -->`;
const end = (name: string) => `<!-- ${name}: end -->`;

/**
 * Puts a section in place of the one of the same name; a new one follows the last whose name begins with the same word.
 * The part of a benchmark that can be run alone is a section of its own: 'peers usps' beside 'peers letter'.
 */
export function writeSection(name: string, body: string): void {
  const section = `${begin(name)}\n## ${name}\n\n${body.trim()}\n${end(name)}`;
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEADING;
  writeFileSync(FILE, replaceBetween(old, name, section) ?? insert(old, name, section));
  console.log(`Section ${name} of ${FILE} is written.`);
}

function insert(text: string, name: string, section: string): string {
  const [family] = name.split(' ');
  const ends = [...text.matchAll(/<!-- (.*): end -->/g)];
  const after = ends.filter(([, other]) => other.split(' ')[0] === family).at(-1) ?? ends.at(-1);
  const at = after ? after.index + after[0].length : text.trimEnd().length;
  return `${text.slice(0, at)}\n\n${section}\n${text.slice(at).trimStart() && `\n${text.slice(at).trimStart()}`}`;
}

/** The text with what lies between the markers, and the markers themselves, replaced; undefined without markers. */
function replaceBetween(text: string, name: string, replacement: string): string | undefined {
  const from = text.indexOf(begin(name));
  const to = text.indexOf(end(name));
  if (from < 0 || to < 0) return undefined;
  return text.slice(0, from) + replacement + text.slice(to + end(name).length);
}

/** The rows of the table of a section, by column; empty where the section was never written. */
export function readTable(name: string): Record<string, string>[] {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const from = text.indexOf(begin(name));
  if (from < 0) return [];
  const [columns, , ...rows] = text
    .slice(from, text.indexOf(end(name)))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(columns.map((column, k) => [column, cells[k]])));
}

/** Puts text between the markers of that name in README.md, which must be there. */
export function writeReadme(name: string, body: string): void {
  const file = 'README.md';
  const text = replaceBetween(
    readFileSync(file, 'utf8'),
    name,
    `${begin(name)}\n${body.trim()}\n${end(name)}`,
  );
  if (text === undefined) throw new Error(`${file} has no markers <!-- ${name}: begin --> and end.`);
  writeFileSync(file, text);
  console.log(`The part ${name} of ${file} is written.`);
}
