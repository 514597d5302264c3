// Products of one row of features with some of the columns of W: the classes come in groups of 4, each named by the
// byte offset of its first class in a row of classes. The results lie close together, one group after the other.

/** out_k = sum_e values_e w[index_e, group k], for `count` groups. */
export function productGroups(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, count: usize, out: usize,
): void {
  let k: usize = 0;
  for (; k + 4 <= count; k += 4) product4(index, values, entries, w, strideBytes, groups + (k << 2), out + (k << 4));
  const rest = count - k;
  if (rest == 3) product3(index, values, entries, w, strideBytes, groups + (k << 2), out + (k << 4));
  else if (rest == 2) product2(index, values, entries, w, strideBytes, groups + (k << 2), out + (k << 4));
  else if (rest == 1) product1(index, values, entries, w, strideBytes, groups + (k << 2), out + (k << 4));
}

function product4(index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, out: usize): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4);
  const w2 = w + <usize>load<u32>(groups, 8), w3 = w + <usize>load<u32>(groups, 12);
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const end = index + (entries << 2);
  for (; index + 8 <= end; index += 8, values += 8) {
    const p = <usize>load<u32>(index) * strideBytes, q = <usize>load<u32>(index, 4) * strideBytes;
    const x = v128.load32_splat(values), z = v128.load32_splat(values, 4);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
    a2 = f32x4.add(a2, f32x4.mul(x, v128.load(w2 + p)));
    a3 = f32x4.add(a3, f32x4.mul(x, v128.load(w3 + p)));
    b0 = f32x4.add(b0, f32x4.mul(z, v128.load(w0 + q)));
    b1 = f32x4.add(b1, f32x4.mul(z, v128.load(w1 + q)));
    b2 = f32x4.add(b2, f32x4.mul(z, v128.load(w2 + q)));
    b3 = f32x4.add(b3, f32x4.mul(z, v128.load(w3 + q)));
  }
  if (index < end) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
    a2 = f32x4.add(a2, f32x4.mul(x, v128.load(w2 + p)));
    a3 = f32x4.add(a3, f32x4.mul(x, v128.load(w3 + p)));
  }
  v128.store(out, f32x4.add(a0, b0));
  v128.store(out, f32x4.add(a1, b1), 16);
  v128.store(out, f32x4.add(a2, b2), 32);
  v128.store(out, f32x4.add(a3, b3), 48);
}

function product3(index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, out: usize): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4), w2 = w + <usize>load<u32>(groups, 8);
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, b0 = a0, b1 = a0, b2 = a0;
  const end = index + (entries << 2);
  for (; index + 8 <= end; index += 8, values += 8) {
    const p = <usize>load<u32>(index) * strideBytes, q = <usize>load<u32>(index, 4) * strideBytes;
    const x = v128.load32_splat(values), z = v128.load32_splat(values, 4);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
    a2 = f32x4.add(a2, f32x4.mul(x, v128.load(w2 + p)));
    b0 = f32x4.add(b0, f32x4.mul(z, v128.load(w0 + q)));
    b1 = f32x4.add(b1, f32x4.mul(z, v128.load(w1 + q)));
    b2 = f32x4.add(b2, f32x4.mul(z, v128.load(w2 + q)));
  }
  if (index < end) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
    a2 = f32x4.add(a2, f32x4.mul(x, v128.load(w2 + p)));
  }
  v128.store(out, f32x4.add(a0, b0));
  v128.store(out, f32x4.add(a1, b1), 16);
  v128.store(out, f32x4.add(a2, b2), 32);
}

function product2(index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, out: usize): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4);
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0;
  const end = index + (entries << 2);
  for (; index + 8 <= end; index += 8, values += 8) {
    const p = <usize>load<u32>(index) * strideBytes, q = <usize>load<u32>(index, 4) * strideBytes;
    const x = v128.load32_splat(values), z = v128.load32_splat(values, 4);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
    b0 = f32x4.add(b0, f32x4.mul(z, v128.load(w0 + q)));
    b1 = f32x4.add(b1, f32x4.mul(z, v128.load(w1 + q)));
  }
  if (index < end) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    a0 = f32x4.add(a0, f32x4.mul(x, v128.load(w0 + p)));
    a1 = f32x4.add(a1, f32x4.mul(x, v128.load(w1 + p)));
  }
  v128.store(out, f32x4.add(a0, b0));
  v128.store(out, f32x4.add(a1, b1), 16);
}

function product1(index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, out: usize): void {
  const w0 = w + <usize>load<u32>(groups);
  let a = f32x4.splat(0), b = a, c = a, d = a;
  const end = index + (entries << 2);
  for (; index + 16 <= end; index += 16, values += 16) {
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(values), v128.load(w0 + <usize>load<u32>(index) * strideBytes)));
    b = f32x4.add(b, f32x4.mul(v128.load32_splat(values, 4), v128.load(w0 + <usize>load<u32>(index, 4) * strideBytes)));
    c = f32x4.add(c, f32x4.mul(v128.load32_splat(values, 8), v128.load(w0 + <usize>load<u32>(index, 8) * strideBytes)));
    d = f32x4.add(d, f32x4.mul(v128.load32_splat(values, 12), v128.load(w0 + <usize>load<u32>(index, 12) * strideBytes)));
  }
  for (; index < end; index += 4, values += 4) {
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(values), v128.load(w0 + <usize>load<u32>(index) * strideBytes)));
  }
  v128.store(out, f32x4.add(f32x4.add(a, b), f32x4.add(c, d)));
}

/** w[index_e, group k] += factor values_e delta_k, for `count` groups. */
export function addGroups(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, count: usize, delta: usize,
  factor: f32,
): void {
  const scale = f32x4.splat(factor);
  let k: usize = 0;
  for (; k + 4 <= count; k += 4) add4(index, values, entries, w, strideBytes, groups + (k << 2), delta + (k << 4), scale);
  const rest = count - k;
  if (rest == 3) add3(index, values, entries, w, strideBytes, groups + (k << 2), delta + (k << 4), scale);
  else if (rest == 2) add2(index, values, entries, w, strideBytes, groups + (k << 2), delta + (k << 4), scale);
  else if (rest == 1) add1(index, values, entries, w, strideBytes, groups + (k << 2), delta + (k << 4), scale);
}

function add4(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, delta: usize, scale: v128,
): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4);
  const w2 = w + <usize>load<u32>(groups, 8), w3 = w + <usize>load<u32>(groups, 12);
  const d0 = f32x4.mul(scale, v128.load(delta)), d1 = f32x4.mul(scale, v128.load(delta, 16));
  const d2 = f32x4.mul(scale, v128.load(delta, 32)), d3 = f32x4.mul(scale, v128.load(delta, 48));
  for (const end = index + (entries << 2); index < end; index += 4, values += 4) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    v128.store(w0 + p, f32x4.add(v128.load(w0 + p), f32x4.mul(x, d0)));
    v128.store(w1 + p, f32x4.add(v128.load(w1 + p), f32x4.mul(x, d1)));
    v128.store(w2 + p, f32x4.add(v128.load(w2 + p), f32x4.mul(x, d2)));
    v128.store(w3 + p, f32x4.add(v128.load(w3 + p), f32x4.mul(x, d3)));
  }
}

function add3(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, delta: usize, scale: v128,
): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4), w2 = w + <usize>load<u32>(groups, 8);
  const d0 = f32x4.mul(scale, v128.load(delta)), d1 = f32x4.mul(scale, v128.load(delta, 16));
  const d2 = f32x4.mul(scale, v128.load(delta, 32));
  for (const end = index + (entries << 2); index < end; index += 4, values += 4) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    v128.store(w0 + p, f32x4.add(v128.load(w0 + p), f32x4.mul(x, d0)));
    v128.store(w1 + p, f32x4.add(v128.load(w1 + p), f32x4.mul(x, d1)));
    v128.store(w2 + p, f32x4.add(v128.load(w2 + p), f32x4.mul(x, d2)));
  }
}

function add2(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, delta: usize, scale: v128,
): void {
  const w0 = w + <usize>load<u32>(groups), w1 = w + <usize>load<u32>(groups, 4);
  const d0 = f32x4.mul(scale, v128.load(delta)), d1 = f32x4.mul(scale, v128.load(delta, 16));
  for (const end = index + (entries << 2); index < end; index += 4, values += 4) {
    const p = <usize>load<u32>(index) * strideBytes;
    const x = v128.load32_splat(values);
    v128.store(w0 + p, f32x4.add(v128.load(w0 + p), f32x4.mul(x, d0)));
    v128.store(w1 + p, f32x4.add(v128.load(w1 + p), f32x4.mul(x, d1)));
  }
}

function add1(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, groups: usize, delta: usize, scale: v128,
): void {
  const w0 = w + <usize>load<u32>(groups);
  const d0 = f32x4.mul(scale, v128.load(delta));
  for (const end = index + (entries << 2); index < end; index += 4, values += 4) {
    const p = w0 + <usize>load<u32>(index) * strideBytes;
    v128.store(p, f32x4.add(v128.load(p), f32x4.mul(v128.load32_splat(values), d0)));
  }
}
