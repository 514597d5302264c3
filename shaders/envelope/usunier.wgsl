// envelope, Usunier family (spec section 6a): one isotonic regression and one merge of breakpoints. Appended to
// envelope/envelope.wgsl, which declares what is used here and calls projectRow.
const LOWEST = -3.4e38;

// beta_r = (x_r - sigma)_+ - (v_r - sigma)_+ of the polymatroid projection shifted by sigma, v_r = x_r - drop_r.
fn shifted(r: u32, sigma: f32, row: u32) -> f32 {
  return max(0.0, min(scratch[at(DROP, r, row)], scratch[at(X, r, row)] - sigma));
}

// The sigma >= 0 with sum over r of beta_r(sigma) = sigma: walks the breakpoints x_r and v_r downwards to its piece.
fn findShift(count: u32, row: u32) -> f32 {
  var sigma = 0.0;
  var open = 1.0; // 1 + how many r have x_r > sigma >= v_r
  var sum = 0.0; // sum of the x_r above sigma less the v_r above it
  var i = 0u;
  var k = 0u;
  loop {
    let x = select(LOWEST, scratch[at(X, min(i, count - 1u), row)], i < count);
    let after = min(k, count - 1u);
    let v = select(LOWEST, scratch[at(X, after, row)] - scratch[at(DROP, after, row)], k < count);
    sigma = max(0.0, sum / open);
    if (sigma >= max(x, v)) {
      break;
    }
    if (x >= v) {
      sum += x;
      open += 1.0;
      i++;
    } else {
      sum -= v;
      open -= 1.0;
      k++;
    }
  }
  // the walk's sum carries the rounding of large terms that cancel; one Newton step on small ones removes it
  var total = 0.0;
  for (var r = 0u; r < count; r++) {
    total += shifted(r, sigma, row);
  }
  return max(0.0, sigma + (total - sigma) / open);
}

// Over the classes other than y: writes u = -beta and gives 1'beta.
fn projectRow(count: u32, row: u32) -> f32 {
  var blocks = 0u;
  for (var r = 0u; r < count; r++) {
    blocks = pool(scratch[at(X, r, row)], rho(r), r, blocks, row);
  }
  var r = 0u;
  for (var b = 0u; b < blocks; b++) {
    for (let end = endOf(b, blocks, count, row); r < end; r++) {
      scratch[at(DROP, r, row)] = above(scratch[at(X, r, row)], b, row);
    }
  }
  let sigma = findShift(count, row);
  var total = 0.0;
  for (var i = 0u; i < count; i++) {
    let beta = shifted(i, sigma, row);
    u[row * args.stride + u32(scratch[at(CLASS, i, row)])] = -beta;
    total += beta;
  }
  return total;
}
