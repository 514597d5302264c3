// direction, one thread a row: for few ranks (K <= 16) and m <= 1024.
// z = c + s~ - s~_y with s~ = s + g alpha and z_y = 0; the K largest z, ties to the smaller class; beta by the
// family's rule (spec section 2); u = -(beta - (1'beta) e_y), sparsely; the 4 row statistics times omega.
// Inputs:  s rows x stride, dual rows x stride (bound to s where there is none), examples (class, bits of omega),
//          loss: rho_1..rho_K and, with a cost, m x m row-major (row = true class); state.
// Outputs: u rows x (K+1) pairs (class, bits of value), stats rows x 4.
// Layout:  a private list of the TOP largest (z, class, alpha), kept sorted by insertion. An entry that is rejected or
//          pushed out adds its alpha^2 to `rest`, so that |u - alpha|^2 is a sum of squares without cancellation.
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
@group(0) @binding(1) var<storage, read> s: array<vec4f>;
@group(0) @binding(2) var<storage, read> dual: array<vec4f>;
@group(0) @binding(3) var<storage, read> examples: array<vec2u>;
@group(0) @binding(4) var<storage, read> loss: array<f32>;
@group(0) @binding(5) var<storage, read_write> u: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(7) var<storage, read> state: array<f32>;

// length of the list, at least K (set by text replacement)
const TOP = 16u;
const LOWEST = -3.4e38;
const DONE = 6u;

fn cost(y: u32, j: u32) -> f32 {
  if (args.hasCost != 0u) {
    return loss[args.ranks + y * args.classes + min(j, args.classes - 1u)];
  }
  return select(1.0, 0.0, j == y);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (state[DONE] != 0.0) {
    return;
  }
  let row = (group.y * groups.x + group.x) * 64u + lane;
  if (row >= args.rows) {
    return;
  }
  let y = examples[row].x;
  let omega = bitcast<f32>(examples[row].y);
  let quads = args.stride / 4u;
  let base = row * quads;
  let hasDual = args.hasDual != 0u;
  let dualY = select(0.0, dual[base + y / 4u][y % 4u], hasDual);
  let scoreY = s[base + y / 4u][y % 4u] + args.smoothing * dualY;

  var z: array<f32, TOP>;
  var index: array<u32, TOP>;
  var alpha: array<f32, TOP>;
  for (var r = 0u; r < TOP; r++) {
    z[r] = LOWEST;
    index[r] = y;
  }
  var rest = 0.0;
  var inner = 0.0;
  var linear = 0.0;
  for (var q = 0u; q < quads; q++) {
    let a = select(vec4f(), dual[base + q], hasDual);
    let score = s[base + q] + args.smoothing * a;
    let j = q * 4u;
    let c = vec4f(cost(y, j), cost(y, j + 1u), cost(y, j + 2u), cost(y, j + 3u));
    inner += dot(a, score + c);
    linear += dot(a, c);
    let margin = c + score - scoreY;
    let count = min(4u, args.classes - j);
    for (var k = 0u; k < count; k++) {
      let isTrue = j + k == y;
      var value = select(margin[k], 0.0, isTrue);
      var at = j + k;
      var dualAt = select(a[k], 0.0, isTrue);
      if (value > z[TOP - 1u]) {
        var placed = false;
        for (var r = 0u; r < TOP; r++) {
          placed = placed || value > z[r];
          if (placed) {
            let oldValue = z[r];
            let oldAt = index[r];
            let oldDual = alpha[r];
            z[r] = value;
            index[r] = at;
            alpha[r] = dualAt;
            value = oldValue;
            at = oldAt;
            dualAt = oldDual;
          }
        }
      }
      rest += dualAt * dualAt;
    }
  }

  var sum = 0.0;
  for (var r = 0u; r < TOP; r++) {
    if (r < args.ranks) {
      sum += loss[r] * select(z[r], max(z[r], 0.0), args.family == 0u);
    }
  }
  let phi = max(sum, 0.0);
  let slot = row * (args.ranks + 1u);
  var betaSum = 0.0;
  var costSum = 0.0;
  var square = rest;
  var moved = rest;
  for (var r = 0u; r < TOP; r++) {
    var value = 0.0;
    if (r < args.ranks) {
      let chosen = select(sum > 0.0, z[r] > 0.0, args.family == 0u) && index[r] != y;
      value = select(0.0, -loss[r], chosen);
      u[slot + 1u + r] = vec2u(select(y, index[r], chosen), bitcast<u32>(value));
      betaSum -= value;
      costSum += value * cost(y, index[r]);
    }
    square += alpha[r] * alpha[r];
    moved += (value - alpha[r]) * (value - alpha[r]);
  }
  u[slot] = vec2u(y, bitcast<u32>(betaSum));
  if (hasDual) {
    square += dualY * dualY;
    moved += (betaSum - dualY) * (betaSum - dualY);
    stats[row] = omega * vec4f(phi + inner, linear, square, moved);
  } else {
    stats[row] = omega * vec4f(phi, costSum, 0.0, 0.0);
  }
}
