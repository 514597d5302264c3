import { DataError } from '../data/dataset.ts';
import { readZip, writeZip } from '../data/zip.ts';
import type { ModelFormat } from './format.ts';
import { assembleModel, metaOf, parseJson } from './meta.ts';
import type { Model } from './model.ts';
import { type NpyArray, readNpy, writeNpy } from './npy.ts';

/**
 * NumPy's archive: `weights` (d x m float32), `classes` (m strings), `feature_names`, `transform_shift`,
 * `transform_scale` (float64) where there are, and `meta`, a string of JSON with everything else.
 * `numpy.load` opens it without pickle; `json.loads(str(f['meta']))` gives the metadata.
 */
export const npz: ModelFormat = {
  id: 'npz',
  title: 'NumPy archive',
  extensions: ['.npz'],
  mime: 'application/zip',
  write,
  notices: () => [],
  read,
  sniff: (head) => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4,
};

/** Packs named arrays as an .npz file. */
export function writeArrays(arrays: Readonly<Record<string, NpyArray>>): Uint8Array<ArrayBuffer> {
  return writeZip(
    Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${name}.npy`, writeNpy(array)])),
  );
}

/** A string as NumPy keeps it: an array without axes. */
export function scalarText(text: string): NpyArray {
  return { kind: 'text', shape: [], values: [text] };
}

export function textVector(values: readonly string[]): NpyArray {
  return { kind: 'text', shape: [values.length], values };
}

export function vector(values: Float64Array | Int32Array): NpyArray {
  return { kind: 'numbers', shape: [values.length], values };
}

function write(model: Model): Uint8Array<ArrayBuffer> {
  const { classes, featureNames, transform, ...rest } = metaOf(model);
  const arrays: Record<string, NpyArray> = {
    weights: { kind: 'numbers', shape: [model.features, classes.length], values: model.weights },
    classes: textVector(classes),
    meta: scalarText(JSON.stringify(rest)),
  };
  if (featureNames) arrays.feature_names = textVector(featureNames);
  if (transform?.shift) arrays.transform_shift = vector(Float64Array.from(transform.shift));
  if (transform) arrays.transform_scale = vector(Float64Array.from(transform.scale));
  return writeArrays(arrays);
}

const NAMES = ['weights', 'classes', 'meta', 'feature_names', 'transform_shift', 'transform_scale'];

function read(bytes: Uint8Array, file: string): Model {
  const files = readZip(bytes, (name) => NAMES.some((known) => name === `${known}.npy`), file);
  const array = (name: string) => {
    const found = files.get(`${name}.npy`);
    return found && readNpy(found, `${file}: ${name}`);
  };
  const text = (name: string) => {
    const found = array(name);
    if (found && found.kind !== 'text') throw new DataError(`'${name}' is not text.`, { file });
    return found?.values;
  };
  const numbers = (name: string) => {
    const found = array(name);
    if (found && found.kind !== 'numbers') throw new DataError(`'${name}' is not numeric.`, { file });
    return found;
  };
  const weights = numbers('weights');
  const classes = text('classes');
  const meta = text('meta');
  if (weights?.shape.length !== 2 || !classes) {
    throw new DataError(
      "this .npz holds no model: it needs 'weights' (features x classes) and 'classes' (names).",
      {
        file,
      },
    );
  }
  if (weights.shape[1] !== classes.length) {
    throw new DataError(`'weights' has ${weights.shape[1]} columns for ${classes.length} classes.`, { file });
  }
  const described = meta ? parseJson(meta[0] ?? '', file) : handMade(weights.shape[0]);
  const scale = numbers('transform_scale');
  const shift = numbers('transform_shift');
  return assembleModel(
    {
      ...(described as object),
      classes,
      featureNames: text('feature_names'),
      transform: scale && { scale: Array.from(scale.values), shift: shift && Array.from(shift.values) },
    },
    Float32Array.from(weights.values),
    file,
  );
}

/** Metadata for weights that someone saved with `numpy.savez(path, weights=..., classes=...)`. */
function handMade(features: number): object {
  return { version: 1, writtenBy: 'unknown', features, bias: 0, training: {} };
}
