// envelope: gradient of the Moreau envelope of each row by exact projection (spec section 6), one thread a row.
// v* = argmax over V_y of <s + c, v> - g/2 |v|^2;  u = -v* densely, padding 0;  statistics times omega:
// [Phi_m + <alpha, s + c> + g/2 |alpha|^2, <c, alpha>, |alpha|^2, |u - alpha|^2].
// block-solutions, where curvatureAt is not 0: s - h alpha for s and h + g for g, h = SHARE times the row's curvature;
// the result is u - alpha, the first statistic the slope of D along it, -<u - alpha, s + c + g alpha>.
// Inputs:  s, dual rows x stride, examples (class, bits of omega), loss: rho_1..rho_K and, with a cost, m x m; from
//          curvatureAt on the rows' curvatures; state.
// Outputs: u rows x stride, stats rows x 4.
// Scratch: 6 columns of stride x rows f32, element-major, so that neighbouring threads touch neighbouring words. Class
//          indices and places are kept as float values, since the bits of small integers are subnormal floats.
// This file sorts, pools and finishes; the family's projection is envelope/usunier.wgsl or envelope/top-k.wgsl, appended.
// Called by: kernels 'envelope' and 'block-solutions'.
struct Args {
  rows: u32,
  classes: u32,
  stride: u32,
  ranks: u32,
  hasCost: u32,
  smoothing: f32,
  curvatureAt: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> s: array<f32>;
@group(0) @binding(2) var<storage, read> dual: array<f32>;
@group(0) @binding(3) var<storage, read> examples: array<vec2u>;
@group(0) @binding(4) var<storage, read> loss: array<f32>;
@group(0) @binding(5) var<storage, read_write> u: array<f32>;
@group(0) @binding(6) var<storage, read_write> scratch: array<f32>;
@group(0) @binding(7) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(8) var<storage, read> state: array<f32>;

const DONE = 6u;
const SHARE = 10u;
// a row without features, whose scores nothing moves, is solved as if it moved them this little
const LEAST_CURVATURE = 1e-5;
// columns of scratch: z / g of the classes other than y, descending; their classes; of each block of the isotonic
// regression the first x, the mean less that x, and where it starts; x less the regression
const X = 0u;
const CLASS = 1u;
const ORIGIN = 2u;
const OFFSET = 3u;
const START = 4u;
const DROP = 5u;

// what the projection divides by: g, or h + g
var<private> curvature: f32;

fn at(column: u32, r: u32, row: u32) -> u32 {
  return (column * args.stride + r) * args.rows + row;
}

fn cost(y: u32, j: u32) -> f32 {
  if (args.hasCost != 0u) {
    return loss[args.ranks + y * args.classes + j];
  }
  return select(1.0, 0.0, j == y);
}

fn rho(r: u32) -> f32 {
  return select(0.0, loss[min(r, args.ranks - 1u)], r < args.ranks);
}

// Restores the heap (smallest x on top) of `count` elements below `start`.
fn sift(start: u32, count: u32, row: u32) {
  let x = scratch[at(X, start, row)];
  let index = scratch[at(CLASS, start, row)];
  var hole = start;
  loop {
    var child = 2u * hole + 1u;
    if (child >= count) {
      break;
    }
    if (child + 1u < count && scratch[at(X, child + 1u, row)] < scratch[at(X, child, row)]) {
      child++;
    }
    if (scratch[at(X, child, row)] >= x) {
      break;
    }
    scratch[at(X, hole, row)] = scratch[at(X, child, row)];
    scratch[at(CLASS, hole, row)] = scratch[at(CLASS, child, row)];
    hole = child;
  }
  scratch[at(X, hole, row)] = x;
  scratch[at(CLASS, hole, row)] = index;
}

// Heap sort of `count` elements, x descending. Ties may come in any order: the projection does not depend on it.
fn sortDescending(count: u32, row: u32) {
  for (var i = count / 2u; i > 0u; i--) {
    sift(i - 1u, count, row);
  }
  for (var end = count - 1u; end > 0u && end < count; end--) {
    let x = scratch[at(X, 0u, row)];
    let index = scratch[at(CLASS, 0u, row)];
    scratch[at(X, 0u, row)] = scratch[at(X, end, row)];
    scratch[at(CLASS, 0u, row)] = scratch[at(CLASS, end, row)];
    scratch[at(X, end, row)] = x;
    scratch[at(CLASS, end, row)] = index;
    sift(0u, end, row);
  }
}

// Pushes x - drop, the value of rank r, on the stack of `blocks` blocks of the nonincreasing isotonic regression; gives the
// new number of blocks. Means are kept relative to the first x of their block: z / g may be large where what matters, its
// distance from the mean, is not.
fn pool(x: f32, drop: f32, r: u32, blocks: u32, row: u32) -> u32 {
  var origin = x;
  var offset = -drop;
  var start = f32(r);
  var top = blocks;
  while (top > 0u) {
    let before = scratch[at(ORIGIN, top - 1u, row)];
    let beforeOffset = scratch[at(OFFSET, top - 1u, row)];
    let rise = offset + (origin - before) - beforeOffset;
    if (rise < 0.0) {
      break;
    }
    top--;
    let first = scratch[at(START, top, row)];
    let end = f32(r) + 1.0;
    offset = beforeOffset + rise * ((end - start) / (end - first));
    origin = before;
    start = first;
  }
  scratch[at(ORIGIN, top, row)] = origin;
  scratch[at(OFFSET, top, row)] = offset;
  scratch[at(START, top, row)] = start;
  return top + 1u;
}

// Where block b of `blocks` ends, of `length` values.
fn endOf(b: u32, blocks: u32, length: u32, row: u32) -> u32 {
  return select(length, u32(scratch[at(START, min(b + 1u, blocks - 1u), row)]), b + 1u < blocks);
}

// x, the value of some rank within block b, less the regression.
fn above(x: f32, b: u32, row: u32) -> f32 {
  return max(0.0, x - scratch[at(ORIGIN, b, row)] - scratch[at(OFFSET, b, row)]);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || row >= args.rows) {
    return;
  }
  let y = examples[row].x;
  let omega = bitcast<f32>(examples[row].y);
  let base = row * args.stride;
  let count = args.classes - 1u;
  let blockwise = args.curvatureAt != 0u;
  var h = 0.0;
  curvature = args.smoothing;
  if (blockwise) {
    h = state[SHARE] * loss[args.curvatureAt + row];
    curvature = max(h + args.smoothing, LEAST_CURVATURE);
  }
  for (var j = 0u; j < args.stride; j++) {
    u[base + j] = 0.0;
    if (j < args.classes && j != y) {
      let r = j - u32(j > y);
      let z = cost(y, j) + s[base + j] - s[base + y];
      scratch[at(X, r, row)] = (z - h * (dual[base + j] - dual[base + y])) / curvature;
      scratch[at(CLASS, r, row)] = f32(j);
    }
  }
  sortDescending(count, row);
  u[base + y] = projectRow(count, row);

  // the slope of D towards u: only differences of scores matter, as both u and alpha sum to 0
  var slope = 0.0;
  var linear = 0.0;
  var square = 0.0;
  var moved = 0.0;
  for (var j = 0u; j < args.classes; j++) {
    let a = dual[base + j];
    let c = cost(y, j);
    let change = u[base + j] - a;
    slope -= change * (c + s[base + j] - s[base + y] + args.smoothing * a);
    linear += a * c;
    square += a * a;
    moved += change * change;
    if (blockwise) {
      u[base + j] = change;
    }
  }
  let first = slope - select(0.5 * args.smoothing * moved, 0.0, blockwise);
  stats[row] = omega * vec4f(first, linear, square, moved);
}
