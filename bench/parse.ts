/** How fast data files are read, in MB/s of one core: the reader alone, and the whole loader with its SHA-256. */
import { CsvReader } from '../src/data/csv.ts';
import { loadFiles } from '../src/data/load.ts';
import { Random } from '../src/data/random.ts';
import type { FormatReader } from '../src/data/raw.ts';
import { SvmlightReader } from '../src/data/svmlight.ts';
import { takesNoNames } from './lib/choose.ts';
import { machine, table, writeSection } from './lib/results.ts';

const MEGABYTES = 100;
const CHUNK = 1 << 16;

takesNoNames();
const random = new Random(1);
const digits = (value: number, places: number) => value.toFixed(places);

/** Rows like those of scaled text data: 60 features of 100,000, six decimals. */
function svmlightRow(): string {
  const pairs = Array.from(
    { length: 60 },
    (_, j) => `${j * 1600 + random.below(1600) + 1}:${digits(random.uniform(), 6)}`,
  );
  return `${random.below(20)} ${pairs.join(' ')}\n`;
}

/** 65 columns, four decimals. */
function csvRow(): string {
  const cells = Array.from({ length: 64 }, () => digits(random.normal(), 4));
  return `${cells.join(',')},${random.below(10)}\n`;
}

/** Some thousand rows, repeated to the wanted size. */
function text(row: () => string): Uint8Array {
  const block = new TextEncoder().encode(Array.from({ length: 2000 }, row).join(''));
  const copies = Math.ceil((MEGABYTES * 1e6) / block.length);
  const all = new Uint8Array(copies * block.length);
  for (let i = 0; i < copies; i++) all.set(block, i * block.length);
  return all;
}

/** Seconds of processor time, which other programs on the machine do not lengthen much. */
async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

function read(reader: FormatReader, bytes: Uint8Array): void {
  for (const chunk of chunks(bytes)) reader.push(chunk);
  reader.finish();
}

async function load(bytes: Uint8Array): Promise<void> {
  const rest = chunks(bytes);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  await loadFiles({ train: { name: 'bench', stream, bytes: bytes.length } });
}

const formats: [string, () => string, () => FormatReader][] = [
  ['svmlight', svmlightRow, () => new SvmlightReader('bench')],
  ['csv', csvRow, () => new CsvReader('bench', {})],
];
const rows: string[][] = [];
for (const [name, row, open] of formats) {
  const bytes = text(row);
  const size = bytes.length / 1e6;
  const works: [string, () => unknown][] = [
    ['reader alone', () => read(open(), bytes)],
    ['loader, with SHA-256 and classes', () => load(bytes)],
  ];
  for (const [what, work] of works) {
    const seconds = await processorSeconds(work);
    rows.push([name, what, digits(size, 0), digits(seconds, 2), digits(size / seconds, 0)]);
    console.log(rows.at(-1)!.join('  '));
  }
}
writeSection(
  'parse',
  `Generated text in memory; seconds of processor time. ${machine()}.\n\n${table(['format', 'what', 'MB', 'seconds', 'MB/s'], rows)}`,
);
