/** Chunks by their tags, as the CoNLL shared tasks count them (conlleval). */

export interface ChunkFigures {
  readonly precision: number;
  readonly recall: number;
  /** harmonic mean of the two */
  readonly f1: number;
}

/** Whether all names are tags of chunks: O, B-TYPE and I-TYPE, with some chunk among them. */
export function areChunkTags(names: readonly string[]): boolean {
  return names.every((name) => /^(O|[BI]-.+)$/.test(name)) && names.some((name) => name !== 'O');
}

/**
 * Counts the chunks that agree in both ends and in type. A chunk begins at B, and at I where the tag before is O or of
 * another type; so tags of IOB1 and IOB2 both count right.
 */
export class ChunkTally {
  #right = 0;
  #found = 0;
  #there = 0;

  /** One sentence; tags of equal length. */
  add(truth: readonly string[], predicted: readonly string[]): void {
    const [there, found] = [chunks(truth), chunks(predicted)];
    const set = new Set(there);
    this.#there += there.length;
    this.#found += found.length;
    this.#right += found.filter((chunk) => set.has(chunk)).length;
  }

  figures(): ChunkFigures {
    const precision = this.#found === 0 ? 0 : this.#right / this.#found;
    const recall = this.#there === 0 ? 0 : this.#right / this.#there;
    const f1 = this.#right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { precision, recall, f1 };
  }
}

/** `from-to:TYPE` of each chunk. */
function chunks(tags: readonly string[]): string[] {
  const found: string[] = [];
  let from = 0;
  let type = '';
  for (let t = 0; t <= tags.length; t++) {
    const tag = tags[t] ?? 'O';
    const now = tag === 'O' ? '' : tag.slice(2);
    const begins = now !== '' && (tag[0] === 'B' || now !== type);
    if (type !== '' && (begins || now === '')) found.push(`${from}-${t}:${type}`);
    if (begins) from = t;
    type = now;
  }
  return found;
}
