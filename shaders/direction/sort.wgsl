// direction, one workgroup a row, any number of ranks: bitonic sort of the whole row in global scratch; any m.
// Same meaning, inputs and outputs as direction/thread.wgsl.
// Scratch: workgroups x size pairs (bits of z, class), size = m rounded up to a power of two; a workgroup takes every
//          (number of workgroups)-th row, so that the scratch does not grow with the rows.
// Called by: kernel 'direction'. Stages read what other lanes wrote, hence a storage barrier after each.
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
  size: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> s: array<f32>;
@group(0) @binding(2) var<storage, read> dual: array<f32>;
@group(0) @binding(3) var<storage, read> examples: array<vec2u>;
@group(0) @binding(4) var<storage, read> loss: array<f32>;
@group(0) @binding(5) var<storage, read_write> u: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(7) var<storage, read> state: array<f32>;
@group(0) @binding(8) var<storage, read_write> scratch: array<vec2u>;

override LANES: u32 = 64u;
const LOWEST = -3.4e38;
const DONE = 6u;

var<workgroup> sums: array<vec4f, LANES>;

fn cost(y: u32, j: u32) -> f32 {
  if (args.hasCost != 0u) {
    return loss[args.ranks + y * args.classes + j];
  }
  return select(1.0, 0.0, j == y);
}

fn before(a: vec2u, b: vec2u) -> bool {
  let za = bitcast<f32>(a.x);
  let zb = bitcast<f32>(b.x);
  return za > zb || (za == zb && a.y < b.y);
}

// Sum over the lanes of the workgroup, given to every lane.
fn sumOverLanes(value: vec4f, lane: u32) -> vec4f {
  sums[lane] = value;
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      sums[lane] += sums[lane + half];
    }
    workgroupBarrier();
  }
  let total = sums[0];
  workgroupBarrier();
  return total;
}

// Sorts `size` pairs from `start`: z descending, then class ascending.
fn sortRow(start: u32, lane: u32) {
  for (var run = 2u; run <= args.size; run *= 2u) {
    for (var step = run / 2u; step > 0u; step /= 2u) {
      for (var pair = lane; pair < args.size / 2u; pair += LANES) {
        let i = pair / step * step * 2u + pair % step;
        let a = scratch[start + i];
        let b = scratch[start + i + step];
        let descending = (i & run) == 0u;
        if (before(b, a) == descending) {
          scratch[start + i] = b;
          scratch[start + i + step] = a;
        }
      }
      storageBarrier();
    }
  }
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (state[DONE] != 0.0) {
    return;
  }
  let start = group.x * args.size;
  let hasDual = args.hasDual != 0u;
  for (var row = group.x; row < args.rows; row += groups.x) {
    let y = examples[row].x;
    let omega = bitcast<f32>(examples[row].y);
    let base = row * args.stride;
    let dualY = select(0.0, dual[base + y], hasDual);
    let scoreY = s[base + y] + args.smoothing * dualY;

    var inner = 0.0;
    var linear = 0.0;
    for (var j = lane; j < args.size; j += LANES) {
      var z = LOWEST;
      if (j < args.classes) {
        let a = select(0.0, dual[base + j], hasDual);
        let score = s[base + j] + args.smoothing * a;
        let c = cost(y, j);
        inner += a * (score + c);
        linear += a * c;
        z = select(c + score - scoreY, 0.0, j == y);
      }
      scratch[start + j] = vec2u(bitcast<u32>(z), j);
    }
    storageBarrier();
    sortRow(start, lane);

    var part = 0.0;
    for (var r = lane; r < args.ranks; r += LANES) {
      let z = bitcast<f32>(scratch[start + r].x);
      part += loss[r] * select(z, max(z, 0.0), args.family == 0u);
    }
    let first = sumOverLanes(vec4f(part, inner, linear, 0.0), lane);

    let slot = row * (args.ranks + 1u);
    var more = vec4f(); // 1'beta - beta_y, <c, u>, |alpha|^2, |u - alpha|^2, the last two without y
    for (var r = lane; r < args.classes; r += LANES) {
      let z = bitcast<f32>(scratch[start + r].x);
      let j = scratch[start + r].y;
      let a = select(0.0, dual[base + j], hasDual && j != y);
      var value = 0.0;
      if (r < args.ranks) {
        let nonzero = select(first.x > 0.0, z > 0.0, args.family == 0u) && j != y;
        value = select(0.0, -loss[r], nonzero);
        u[slot + 1u + r] = vec2u(select(y, j, nonzero), bitcast<u32>(value));
      }
      more += vec4f(-value, value * cost(y, j), a * a, (value - a) * (value - a));
    }
    let last = sumOverLanes(more, lane);
    if (lane == 0u) {
      let phi = max(first.x, 0.0);
      u[slot] = vec2u(y, bitcast<u32>(last.x));
      if (hasDual) {
        let moved = (last.x - dualY) * (last.x - dualY);
        stats[row] = omega * vec4f(phi + first.y, first.z, last.z + dualY * dualY, last.w + moved);
      } else {
        stats[row] = omega * vec4f(phi, last.y, 0.0, 0.0);
      }
    }
    storageBarrier();
  }
}
