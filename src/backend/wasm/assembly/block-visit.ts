// One visit of block ascent: an example's dual variables solved for exactly given all others (spec sections 6 and 9), or
// moved towards a vertex; its part of W is moved at once. Most visits look only at the classes that matter to the example.

import { CLASS, MASK, NORM, OMEGA, UNTIL_ALL } from './agenda';
import { addGroups, productGroups } from './class-groups';
import { listGroups, maskOf } from './class-mask';
import { productRow } from './sparse';
import { projectTopK } from './project-topk';
import { projectUsunier } from './project-usunier';
import { argument, number } from './record';
import { stepToVertex } from './vertex-step';

/** a row without features, whose scores nothing moves, is solved as if it moved them this little */
const LEAST_CURVATURE: f64 = 1e-5;
/** from this many groups of 4 classes on, most visits look at some of them only: so many between two that look at all */
const MANY_GROUPS: usize = 9;
const PARTIAL_VISITS: u32 = 8;
/** Strides of floats that a visit calculates in: 7 lists and rows of its own, and at most 9 of the step. */
export const VISIT_STRIDES: usize = 16;

let table: usize = 0;
let costs: usize = 0;
let ranks: usize = 0;
let classes: usize = 0;
let stride: usize = 0;
let topK: bool = false;
let smoothing: f64 = 0;
let toVertex: bool = false;
let scale: f64 = 0;
let w: usize = 0;
let s: usize = 0;

/**
 * Sets what all visits of a pass share: the loss, whose seven arguments start at `at`; the scale 1/(lambda N (1 + kappa));
 * whether examples move towards vertices; the weights; and VISIT_STRIDES strides to work in.
 */
export function prepareVisits(record: usize, at: u32, step: f64, vertices: bool, weights: usize, work: usize): void {
  table = argument(record, at);
  ranks = argument(record, at + 2);
  classes = argument(record, at + 3);
  stride = argument(record, at + 4);
  topK = argument(record, at + 5) != 0;
  smoothing = number(record, at + 6);
  costs = argument(record, at + 1) != 0 ? table + (ranks << 2) : 0;
  scale = step;
  toVertex = vertices;
  w = weights;
  s = work;
  const all = s + (stride << 4);
  for (let g: usize = 0; g < stride >> 2; g++) store<u32>(all + (g << 2), <u32>(g << 4));
}

/** Moves the example of an agenda entry: its row of A and its part of W. Gives the largest change of its alpha. */
export function visit(index: usize, values: usize, entries: usize, alpha: usize, entry: usize): f64 {
  const strideBytes = stride << 2;
  const u = s + strideBytes;
  const own = u + strideBytes;
  const ownCost = own + strideBytes;
  const all = ownCost + strideBytes;
  const some = all + strideBytes;
  const changed = some + strideBytes;
  const work = changed + strideBytes;
  const groups = stride >> 2;
  const y = <usize>load<u32>(entry, CLASS);
  const factor = scale * <f64>load<f32>(entry, OMEGA);
  const h = factor * <f64>load<f32>(entry, NORM);
  const cost = costs ? costs + ((y * classes) << 2) : 0;
  const many = groups >= MANY_GROUPS;

  // the classes at hand: all, or those of the mask drawn together, padding last
  let list = all;
  let count = groups;
  let held = classes;
  let place = y;
  let heldCost = cost;
  let partial = many && load<u32>(entry, UNTIL_ALL) > 0;
  if (partial) {
    const found = listGroups(load<u32>(entry, MASK), groups, some);
    const last = <usize>load<u32>(some + ((found - 1) << 2)) == (groups - 1) << 4;
    const kept = (found << 2) - (last ? stride - classes : 0);
    partial = kept > ranks;
    if (partial) {
      list = some;
      count = found;
      held = kept;
      if (cost) heldCost = ownCost;
    }
  }
  if (many && !partial) productRow(index, values, entries, w, strideBytes, 0, s, false);
  else productGroups(index, values, entries, w, strideBytes, list, count, s);
  const shift = f32x4.splat(<f32>h);
  for (let k: usize = 0; k < count; k++) {
    const at = <usize>load<u32>(list + (k << 2));
    const a = v128.load(alpha + at);
    v128.store(own + (k << 4), a);
    v128.store(s + (k << 4), f32x4.sub(v128.load(s + (k << 4)), f32x4.mul(shift, a)));
    v128.store(u + (k << 4), f32x4.splat(0));
    if (!partial) continue;
    if (at == (y & ~3) << 2) place = (k << 2) + (y & 3);
    if (cost) v128.store(ownCost + (k << 4), v128.load(cost + at));
  }
  const curvature = Math.max(LEAST_CURVATURE, h + smoothing);
  if (toVertex) stepToVertex(s, own, heldCost, table, ranks, held, place, curvature, topK, u, work, count << 2);
  else if (topK) projectTopK(s, heldCost, table, ranks, held, place, curvature, u, work, stride);
  else projectUsunier(s, heldCost, table, ranks, held, place, curvature, u, work, stride);

  // u becomes the change, drawn together over the groups that change
  let most = f32x4.splat(0);
  let moved: usize = 0;
  for (let k: usize = 0; k < count; k++) {
    const next = v128.load(u + (k << 4));
    const delta = f32x4.sub(next, v128.load(own + (k << 4)));
    if (!v128.any_true(f32x4.ne(delta, f32x4.splat(0)))) continue;
    const at = load<u32>(list + (k << 2));
    v128.store(alpha + <usize>at, next);
    v128.store(u + (moved << 4), delta);
    store<u32>(changed + (moved << 2), at);
    most = f32x4.max(most, f32x4.abs(delta));
    moved++;
  }
  if (moved > 0) addGroups(index, values, entries, w, strideBytes, changed, moved, u, <f32>factor);

  if (partial) store<u32>(entry, load<u32>(entry, UNTIL_ALL) - 1, UNTIL_ALL);
  else if (many) {
    store<u32>(entry, maskOf(s, cost, alpha, classes, y, work), MASK);
    store<u32>(entry, PARTIAL_VISITS, UNTIL_ALL);
  }
  return <f64>max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
}
