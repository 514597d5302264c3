// envelope, top-k family (spec section 6b): Newton on one scalar, guarded by a bracket, with a sort done once (only the
// true class moves with tau). Appended to envelope/envelope.wgsl, which declares what is used here and calls projectRow.
const NEWTON_ROUNDS = 30u;
const RELATIVE_TOLERANCE = 2e-7;
// square over R^2 below which it is nothing but rounding
const FLAT = 1e-12;

// How many of the classes other than y have x_r above the value: the rank of y when its entry is that value.
fn rankOf(value: f32, count: u32, row: u32) -> u32 {
  var low = 0u;
  var high = count;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (scratch[at(X, middle, row)] > value) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

// One piece of H: H'(tau) = inner - curvature tau square.
struct Piece {
  inner: f32,
  square: f32,
}

// x of rank r when y, at `rank`, has the value `own`.
fn element(r: u32, rank: u32, own: f32, row: u32) -> f32 {
  if (r == rank) {
    return own;
  }
  return scratch[at(X, r - u32(r > rank), row)];
}

// Projects z/g + tau R e_y onto Perm(tau rho): leaves the blocks of the regression on the stack and gives the piece.
// `rank` is the place of y, `total` R, `blocks` receives how many blocks there are.
fn project(tau: f32, total: f32, rank: u32, row: u32, blocks: ptr<function, u32>) -> Piece {
  var top = 0u;
  for (var r = 0u; r < args.classes; r++) {
    top = pool(element(r, rank, tau * total, row), tau * rho(r), r, top, row);
  }
  *blocks = top;
  // <z, p> = <z - z_0, p - R e_y>, as z_y = 0 and the second factor sums to 0
  let highest = scratch[at(X, 0u, row)];
  var piece = Piece(0.0, 0.0);
  var r = 0u;
  for (var b = 0u; b < top; b++) {
    let end = endOf(b, top, args.classes, row);
    let size = f32(end - r);
    var weight = select(0.0, -total, rank >= r && rank < end);
    var sum = 0.0;
    for (; r < end; r++) {
      weight += rho(r);
      sum += element(r, rank, 0.0, row) - highest;
    }
    piece.inner += curvature * sum * weight / size;
    piece.square += weight * weight / size;
  }
  return piece;
}

// Over the classes other than y: writes u = -beta for the classes other than y and gives their sum of beta.
fn projectRow(count: u32, row: u32) -> f32 {
  var total = 0.0;
  var sum = 0.0;
  var rank = rankOf(0.0, count, row);
  for (var r = 0u; r < args.ranks; r++) {
    total += rho(r);
    sum += rho(r) * element(r, rank, 0.0, row);
  }
  if (sum <= 0.0) {
    return 0.0;
  }
  var tau = 1.0;
  rank = rankOf(total, count, row);
  var blocks = 0u;
  var piece = project(tau, total, rank, row, &blocks);
  if (piece.inner < curvature * piece.square) {
    var low = 0.0;
    var high = 1.0;
    for (var round = 0u; round < NEWTON_ROUNDS; round++) {
      // where H is flat every tau gives the same v*
      if (piece.square <= FLAT * total * total) {
        break;
      }
      let root = piece.inner / (curvature * piece.square);
      let next = select(0.5 * (low + high), root, root > low && root < high);
      if (abs(root - tau) <= RELATIVE_TOLERANCE * tau || abs(next - tau) <= RELATIVE_TOLERANCE * tau) {
        break;
      }
      tau = next;
      rank = rankOf(tau * total, count, row);
      piece = project(tau, total, rank, row, &blocks);
      if (piece.inner > curvature * tau * piece.square) {
        low = tau;
      } else {
        high = tau;
      }
    }
  }
  var betaSum = 0.0;
  var r = 0u;
  for (var b = 0u; b < blocks; b++) {
    for (let end = endOf(b, blocks, args.classes, row); r < end; r++) {
      if (r != rank) {
        let i = r - u32(r > rank);
        let beta = above(scratch[at(X, i, row)], b, row);
        u[row * args.stride + u32(scratch[at(CLASS, i, row)])] = -beta;
        betaSum += beta;
      }
    }
  }
  return betaSum;
}
