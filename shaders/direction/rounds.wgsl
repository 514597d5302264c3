// direction, one workgroup a row, K <= 64 ranks by K rounds of arg-max over the row; any m.
// Same meaning, inputs and outputs as direction/thread.wgsl.
// Layout:  each round scans the classes that come after the last chosen one in the order (z descending, class
//          ascending) and takes the first; round K finds what was not chosen, whose alpha^2 it sums. z is computed in one
//          place only, so that every round sees the same bits.
// Called by: kernel 'direction'.
struct Args {
  rows: u32,
  classes: u32,
  stride: u32,
  ranks: u32,
  // 0 usunier, 1 top-k
  family: u32,
  hasCost: u32,
  hasDual: u32,
  smoothing: f32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> s: array<f32>;
@group(0) @binding(2) var<storage, read> dual: array<f32>;
@group(0) @binding(3) var<storage, read> examples: array<vec2u>;
@group(0) @binding(4) var<storage, read> loss: array<f32>;
@group(0) @binding(5) var<storage, read_write> u: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(7) var<storage, read> state: array<f32>;

override LANES: u32 = 64u;
const MAX_RANKS = 64u;
const LOWEST = -3.4e38;
const NONE = 0xffffffffu;
const DONE = 6u;

struct Entry {
  z: f32,
  index: u32,
  alpha: f32,
}
var<workgroup> best: array<Entry, LANES>;
var<workgroup> chosen: array<Entry, MAX_RANKS>;
var<workgroup> sums: array<vec4f, LANES>;

fn cost(y: u32, j: u32) -> f32 {
  if (args.hasCost != 0u) {
    return loss[args.ranks + y * args.classes + j];
  }
  return select(1.0, 0.0, j == y);
}

fn before(a: Entry, b: Entry) -> bool {
  return a.z > b.z || (a.z == b.z && a.index < b.index);
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = group.y * groups.x + group.x;
  if (state[DONE] != 0.0 || row >= args.rows) {
    return;
  }
  let y = examples[row].x;
  let base = row * args.stride;
  let hasDual = args.hasDual != 0u;
  let dualY = select(0.0, dual[base + y], hasDual);
  let scoreY = s[base + y] + args.smoothing * dualY;

  var sum = vec4f(); // rest, <alpha, s~ + c>, <alpha, c>, unused
  var previous = Entry(3.4e38, 0u, 0.0);
  for (var round = 0u; round <= args.ranks; round++) {
    var mine = Entry(LOWEST, NONE, 0.0);
    var rest = 0.0;
    for (var j = lane; j < args.classes; j += LANES) {
      let a = select(0.0, dual[base + j], hasDual);
      let score = s[base + j] + args.smoothing * a;
      let c = cost(y, j);
      let entry = Entry(select(c + score - scoreY, 0.0, j == y), j, select(a, 0.0, j == y));
      if (before(previous, entry)) {
        if (before(entry, mine)) {
          mine = entry;
        }
        rest += entry.alpha * entry.alpha;
      }
      if (round == 0u) {
        sum.y += a * (score + c);
        sum.z += a * c;
      }
    }
    sum.x = rest;
    if (round < args.ranks) {
      best[lane] = mine;
      workgroupBarrier();
      for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if (lane < half && before(best[lane + half], best[lane])) {
          best[lane] = best[lane + half];
        }
        workgroupBarrier();
      }
      previous = best[0];
      if (lane == 0u) {
        chosen[round] = previous;
      }
      workgroupBarrier();
    }
  }
  sums[lane] = sum;
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      sums[lane] += sums[lane + half];
    }
    workgroupBarrier();
  }
  if (lane != 0u) {
    return;
  }

  let omega = bitcast<f32>(examples[row].y);
  var total = 0.0;
  for (var r = 0u; r < args.ranks; r++) {
    total += loss[r] * select(chosen[r].z, max(chosen[r].z, 0.0), args.family == 0u);
  }
  let phi = max(total, 0.0);
  let slot = row * (args.ranks + 1u);
  var betaSum = 0.0;
  var costSum = 0.0;
  var square = sums[0].x;
  var moved = sums[0].x;
  for (var r = 0u; r < args.ranks; r++) {
    let entry = chosen[r];
    let nonzero = select(total > 0.0, entry.z > 0.0, args.family == 0u) && entry.index != y;
    let value = select(0.0, -loss[r], nonzero);
    u[slot + 1u + r] = vec2u(select(y, entry.index, nonzero), bitcast<u32>(value));
    betaSum -= value;
    costSum += value * cost(y, entry.index);
    square += entry.alpha * entry.alpha;
    moved += (value - entry.alpha) * (value - entry.alpha);
  }
  u[slot] = vec2u(y, bitcast<u32>(betaSum));
  if (hasDual) {
    square += dualY * dualY;
    moved += (betaSum - dualY) * (betaSum - dualY);
    stats[row] = omega * vec4f(phi + sums[0].y, sums[0].z, square, moved);
  } else {
    stats[row] = omega * vec4f(phi, costSum, 0.0, 0.0);
  }
}
