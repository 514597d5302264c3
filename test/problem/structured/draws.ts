import { Random } from '../../../src/data/random.ts';
import { type Chains, chainModel } from '../../../src/problem/structured/chain.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { multiclassModel } from '../../../src/problem/structured/multiclass.ts';

export interface ChainShape {
  readonly sequences: number;
  readonly states: number;
  readonly features: number;
  readonly longest: number;
}

/** Sequences of 1 to `longest` parts with states that are hard to tell apart, some of their features zero. */
export function drawChains(random: Random, { sequences, states, features, longest }: ChainShape): Chains {
  const centres = Array.from({ length: states * features }, () => random.normal());
  const start = [0];
  const rowStart = [0];
  const colIndex: number[] = [];
  const values: number[] = [];
  const labels: number[] = [];
  for (let i = 0; i < sequences; i++) {
    const length = 1 + random.below(longest);
    for (let t = 0; t < length; t++) {
      const before = labels.at(-1) ?? 0;
      const state = t > 0 && random.uniform() < 0.5 ? (before + 1) % states : random.below(states);
      labels.push(state);
      for (let j = 0; j < features; j++) {
        if (j > 0 && random.uniform() < 0.3) continue;
        colIndex.push(j);
        values.push(j === 0 ? 1 : centres[state * features + j]! + 1.2 * random.normal());
      }
      rowStart.push(colIndex.length);
    }
    start.push(labels.length);
  }
  return {
    features,
    states,
    start: Uint32Array.from(start),
    rowStart: Uint32Array.from(rowStart),
    colIndex: Uint32Array.from(colIndex),
    values: Float32Array.from(values),
    labels: Uint32Array.from(labels),
  };
}

export function drawChainModel(seed: number, shape: ChainShape): StructuredModel {
  return chainModel(drawChains(new Random(seed), shape));
}

export function drawMulticlassModel(
  seed: number,
  { examples, classes, features }: { examples: number; classes: number; features: number },
): StructuredModel {
  const one = drawChains(new Random(seed), { sequences: examples, states: classes, features, longest: 1 });
  return multiclassModel({ ...one, classes });
}

export function drawWeights(random: Random, length: number): Float64Array {
  return Float64Array.from({ length }, () => random.normal());
}
