import { expect, test } from 'vitest';
import { DataError } from '../../src/data/dataset.ts';
import { loadFiles } from '../../src/data/load.ts';
import { Random } from '../../src/data/random.ts';
import { fromBytes } from './helpers.ts';

const seeds = {
  svmlight:
    '\ufeff# head\n1 qid:2 1:0.5 3:-2e-3 # x\n\n+2.0 2:1e30 4:17\nÅ 7:3 1:2\n1\n2 3:12345678901234567890\n',
  csv: 'u,"v ""q""",class\n1,2.5,a\n-3,NA,"b\nc"\n4e2,TRUE,"d"\n0.5,?,a\n7,8,b\n',
  sklearn: '4,2,setosa,virginica\n1,2,1\n3,4,0\n5,6,1\n7,8,0\n',
};
const tokens = [
  '"',
  ',',
  ';',
  '\t',
  ':',
  '\n',
  '\r',
  '#',
  ' ',
  '1e999',
  'nan',
  '-',
  '.',
  '2147483647:1',
  '0:1',
  'é',
  '\u0000',
];

function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let out = [...bytes];
  for (let edits = 1 + random.below(4); edits > 0; edits--) {
    const at = random.below(out.length + 1);
    const span = random.below(8);
    const kind = random.below(5);
    if (kind === 0) out[at] = random.below(256);
    else if (kind === 1) out.splice(at, span);
    else if (kind === 2) out.splice(at, 0, ...new TextEncoder().encode(tokens[random.below(tokens.length)]));
    else if (kind === 3) out.splice(at, 0, ...out.slice(random.below(out.length + 1)).slice(0, span * 4));
    else out = out.slice(0, Math.max(1, at));
  }
  return Uint8Array.from(out);
}

test.each(Object.entries(seeds))(
  '3,000 mutations of a %s file give data or a DataError, and sound data',
  async (_, seed) => {
    const random = new Random(20);
    const bytes = new TextEncoder().encode(seed);
    let loaded = 0;
    let refused = 0;
    for (let i = 0; i < 3000; i++) {
      const mutant = mutate(bytes, random);
      try {
        const source = fromBytes('f', mutant, 1 + random.below(40));
        const { train } = await loadFiles({ train: source }, { missing: 'zero', memoryLimit: 2 ** 24 });
        loaded++;
        const { features, labels, classes } = train;
        const sound =
          features.rows === labels.length &&
          classes.length >= 2 &&
          labels.every((label) => label < classes.length) &&
          features.values.every(Number.isFinite) &&
          (features.kind === 'dense' || features.colIndex.every((j) => j < features.cols));
        if (!sound) throw new Error(`unsound data from ${JSON.stringify(new TextDecoder().decode(mutant))}`);
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
        refused++;
      }
    }
    // both sides must be met, or the mutations are too tame or too wild to mean anything
    expect(loaded).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  },
);
