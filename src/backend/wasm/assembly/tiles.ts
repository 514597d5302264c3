// Register tiles of the dense products. A tile adds, over `count` steps, 4 (or 1) values of X times 8 (or 4) classes
// of a packed panel, in registers, and stores or adds the result once: sums are blocked by the caller's step count.
// Two layouts of X: rows (scores: step k is 4 bytes on, the 4 rows are `rowBytes` apart) and columns (gradient: the 4
// features lie side by side, step k is `rowBytes` on).

// @ts-ignore: decorator
@inline
function put(out: usize, value: v128, add: bool): void {
  v128.store(out, add ? f32x4.add(v128.load(out), value) : value);
}

/** 4 rows x 8 classes. */
export function rows4x8(x: usize, rowBytes: usize, w: usize, count: u32, out: usize, outBytes: usize, add: bool): void {
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  let x1 = x + rowBytes, x2 = x1 + rowBytes, x3 = x2 + rowBytes;
  const end = w + ((<usize>count) << 5);
  while (w < end) {
    const w0 = v128.load(w), w1 = v128.load(w, 16);
    let s = v128.load32_splat(x);
    a0 = f32x4.add(a0, f32x4.mul(s, w0));
    a1 = f32x4.add(a1, f32x4.mul(s, w1));
    s = v128.load32_splat(x1);
    b0 = f32x4.add(b0, f32x4.mul(s, w0));
    b1 = f32x4.add(b1, f32x4.mul(s, w1));
    s = v128.load32_splat(x2);
    c0 = f32x4.add(c0, f32x4.mul(s, w0));
    c1 = f32x4.add(c1, f32x4.mul(s, w1));
    s = v128.load32_splat(x3);
    d0 = f32x4.add(d0, f32x4.mul(s, w0));
    d1 = f32x4.add(d1, f32x4.mul(s, w1));
    w += 32;
    x += 4;
    x1 += 4;
    x2 += 4;
    x3 += 4;
  }
  put(out, a0, add);
  put(out + 16, a1, add);
  out += outBytes;
  put(out, b0, add);
  put(out + 16, b1, add);
  out += outBytes;
  put(out, c0, add);
  put(out + 16, c1, add);
  out += outBytes;
  put(out, d0, add);
  put(out + 16, d1, add);
}

/** 4 rows x 4 classes. */
export function rows4x4(x: usize, rowBytes: usize, w: usize, count: u32, out: usize, outBytes: usize, add: bool): void {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  let x1 = x + rowBytes, x2 = x1 + rowBytes, x3 = x2 + rowBytes;
  const end = w + ((<usize>count) << 4);
  while (w < end) {
    const w0 = v128.load(w);
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(x), w0));
    b = f32x4.add(b, f32x4.mul(v128.load32_splat(x1), w0));
    c = f32x4.add(c, f32x4.mul(v128.load32_splat(x2), w0));
    d = f32x4.add(d, f32x4.mul(v128.load32_splat(x3), w0));
    w += 16;
    x += 4;
    x1 += 4;
    x2 += 4;
    x3 += 4;
  }
  put(out, a, add);
  put(out + outBytes, b, add);
  put(out + 2 * outBytes, c, add);
  put(out + 3 * outBytes, d, add);
}

/** 1 row x 8 classes. */
export function row1x8(x: usize, w: usize, count: u32, out: usize, add: bool): void {
  let a0 = f32x4.splat(0), a1 = a0;
  const end = w + ((<usize>count) << 5);
  while (w < end) {
    const s = v128.load32_splat(x);
    a0 = f32x4.add(a0, f32x4.mul(s, v128.load(w)));
    a1 = f32x4.add(a1, f32x4.mul(s, v128.load(w, 16)));
    w += 32;
    x += 4;
  }
  put(out, a0, add);
  put(out + 16, a1, add);
}

/** 1 row x 4 classes. */
export function row1x4(x: usize, w: usize, count: u32, out: usize, add: bool): void {
  let a = f32x4.splat(0);
  const end = w + ((<usize>count) << 4);
  while (w < end) {
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(x), v128.load(w)));
    w += 16;
    x += 4;
  }
  put(out, a, add);
}

/** 4 features x 8 classes. */
export function columns4x8(x: usize, rowBytes: usize, w: usize, count: u32, out: usize, outBytes: usize, add: bool): void {
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  const end = w + ((<usize>count) << 5);
  while (w < end) {
    const w0 = v128.load(w), w1 = v128.load(w, 16);
    let s = v128.load32_splat(x);
    a0 = f32x4.add(a0, f32x4.mul(s, w0));
    a1 = f32x4.add(a1, f32x4.mul(s, w1));
    s = v128.load32_splat(x, 4);
    b0 = f32x4.add(b0, f32x4.mul(s, w0));
    b1 = f32x4.add(b1, f32x4.mul(s, w1));
    s = v128.load32_splat(x, 8);
    c0 = f32x4.add(c0, f32x4.mul(s, w0));
    c1 = f32x4.add(c1, f32x4.mul(s, w1));
    s = v128.load32_splat(x, 12);
    d0 = f32x4.add(d0, f32x4.mul(s, w0));
    d1 = f32x4.add(d1, f32x4.mul(s, w1));
    w += 32;
    x += rowBytes;
  }
  put(out, a0, add);
  put(out + 16, a1, add);
  out += outBytes;
  put(out, b0, add);
  put(out + 16, b1, add);
  out += outBytes;
  put(out, c0, add);
  put(out + 16, c1, add);
  out += outBytes;
  put(out, d0, add);
  put(out + 16, d1, add);
}

/** 4 features x 4 classes. */
export function columns4x4(x: usize, rowBytes: usize, w: usize, count: u32, out: usize, outBytes: usize, add: bool): void {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  const end = w + ((<usize>count) << 4);
  while (w < end) {
    const w0 = v128.load(w);
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(x), w0));
    b = f32x4.add(b, f32x4.mul(v128.load32_splat(x, 4), w0));
    c = f32x4.add(c, f32x4.mul(v128.load32_splat(x, 8), w0));
    d = f32x4.add(d, f32x4.mul(v128.load32_splat(x, 12), w0));
    w += 16;
    x += rowBytes;
  }
  put(out, a, add);
  put(out + outBytes, b, add);
  put(out + 2 * outBytes, c, add);
  put(out + 3 * outBytes, d, add);
}
