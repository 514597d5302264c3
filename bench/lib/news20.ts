import type { Dataset } from '../../src/data/dataset.ts';
import { Random } from '../../src/data/random.ts';

export interface News20Shape {
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  /** distinct words a document */
  readonly words: number;
}

/** The shape of news20. */
export const NEWS20: News20Shape = { rows: 15_935, cols: 62_061, classes: 20, words: 108 };

/** Share of a document's words that come from its class's topic, and from the topic of its class's group. */
const TOPIC_SHARE = 0.08;
const GROUP_SHARE = 0.12;
const CLASSES_A_GROUP = 4;
/** Words of a topic, as a share of all words. */
const TOPIC_WORDS = 0.03;
/** Documents filed under another class of their group. */
const MISFILED = 0.05;

/**
 * Documents as bags of words with Zipf's frequencies, about topics of their class and, less telling, of its group of
 * classes; a few are misfiled, so no weights separate the classes. Rows are (1 + log tf) idf, scaled to norm 1, with exactly
 * `words` entries each. The same seed gives the same data.
 */
export function news20Like(shape: News20Shape, seed: number): Dataset {
  const { rows, cols, classes, words } = shape;
  const random = new Random(seed);
  const topicLength = Math.max(words, Math.ceil(TOPIC_WORDS * cols));
  const topics = Array.from({ length: classes }, () => randomWords(random, cols, topicLength));
  const groups = Array.from({ length: Math.ceil(classes / CLASSES_A_GROUP) }, () =>
    randomWords(random, cols, topicLength),
  );
  const everywhere = randomWords(random, cols, cols);
  const zipfAll = zipf(cols);
  const zipfTopic = zipf(topicLength);

  const labels = new Uint32Array(rows);
  const colIndex = new Uint32Array(rows * words);
  const counts = new Float64Array(rows * words);
  const documents = new Uint32Array(cols);
  for (let i = 0; i < rows; i++) {
    const about = i % classes;
    const group = Math.floor(about / CLASSES_A_GROUP);
    labels[i] = about;
    if (random.uniform() < MISFILED) {
      const first = group * CLASSES_A_GROUP;
      labels[i] = first + random.below(Math.min(CLASSES_A_GROUP, classes - first));
    }
    const frequency = new Map<number, number>();
    while (frequency.size < words) {
      const source = random.uniform();
      const word =
        source < TOPIC_SHARE
          ? topics[about][drawn(zipfTopic, random)]
          : source < TOPIC_SHARE + GROUP_SHARE
            ? groups[group][drawn(zipfTopic, random)]
            : everywhere[drawn(zipfAll, random)];
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
    [...frequency]
      .sort(([p], [q]) => p - q)
      .forEach(([word, times], e) => {
        colIndex[i * words + e] = word;
        counts[i * words + e] = times;
        documents[word]++;
      });
  }
  const values = new Float32Array(rows * words);
  for (let i = 0; i < rows; i++) {
    const row = Float64Array.from({ length: words }, (_, e) => {
      const p = i * words + e;
      return (1 + Math.log(counts[p])) * Math.log(1 + rows / documents[colIndex[p]]);
    });
    const norm = Math.hypot(...row);
    row.forEach((x, e) => {
      values[i * words + e] = x / norm;
    });
  }
  return {
    name: 'news20-like',
    features: {
      kind: 'sparse',
      rows,
      cols,
      rowStart: Uint32Array.from({ length: rows + 1 }, (_, i) => i * words),
      colIndex,
      values,
    },
    labels,
    classes: Array.from({ length: classes }, (_, c) => String(c)),
    sha256: '',
    notices: [],
  };
}

/** `count` different words of `cols`, in random order. */
function randomWords(random: Random, cols: number, count: number): Uint32Array {
  const all = Uint32Array.from({ length: cols }, (_, j) => j);
  random.shuffle(all);
  return all.subarray(0, count);
}

/** Cumulative probabilities of ranks 0, 1, .. with frequency 1 / (rank + 3). */
function zipf(count: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let r = 0; r < count; r++) {
    sum += 1 / (r + 3);
    sums[r] = sum;
  }
  return sums.map((x) => x / sum);
}

/** A rank with the probabilities whose cumulative sums are given. */
function drawn(cumulative: Float64Array, random: Random): number {
  const at = random.uniform();
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
