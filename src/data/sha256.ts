/** SHA-256 of a stream (FIPS 180-4): the browser's own digest wants all the bytes at once. */

/** First 32 bits of the fractional part of x. */
function fraction(x: number): number {
  return Math.floor((x - Math.floor(x)) * 2 ** 32);
}

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p !== 0)) PRIMES.push(n);
/** FIPS 180-4, 4.2.2: from the cube roots of the first 64 primes */
const K = Uint32Array.from(PRIMES, (p) => fraction(Math.cbrt(p)));
/** FIPS 180-4, 5.3.3: from the square roots of the first 8 primes */
const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));

export class Sha256 {
  readonly #state = INITIAL.slice();
  readonly #schedule = new Int32Array(64);
  readonly #block = new Uint8Array(64);
  #filled = 0;
  #bytes = 0;

  /** Takes the next bytes of the message. */
  update(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(64 - this.#filled, chunk.length);
      this.#block.set(chunk.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < 64) return;
      this.#compress(this.#block, 0);
      this.#filled = 0;
    }
    for (; at + 64 <= chunk.length; at += 64) this.#compress(chunk, at);
    this.#block.set(chunk.subarray(at));
    this.#filled = chunk.length - at;
  }

  /** Ends the message and gives its digest in lower-case hex. */
  hex(): string {
    const bits = this.#bytes * 8;
    const end = new Uint8Array(this.#filled < 56 ? 64 - this.#filled : 128 - this.#filled);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits % 2 ** 32);
    this.update(end);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #compress(b: Uint8Array, at: number): void {
    const w = this.#schedule;
    for (let t = 0, i = at; t < 16; t++, i += 4) {
      w[t] = (b[i]! << 24) | (b[i + 1]! << 16) | (b[i + 2]! << 8) | b[i + 3]!;
    }
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = (w[t - 16]! + small0 + w[t - 7]! + small1) | 0;
    }
    const s = this.#state;
    let a = s[0]! | 0;
    let bb = s[1]! | 0;
    let c = s[2]! | 0;
    let d = s[3]! | 0;
    let e = s[4]! | 0;
    let f = s[5]! | 0;
    let g = s[6]! | 0;
    let h = s[7]! | 0;
    for (let t = 0; t < 64; t++) {
      const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + big1 + ((e & f) ^ (~e & g)) + K[t]! + w[t]!) | 0;
      const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (big0 + ((a & bb) ^ (a & c) ^ (bb & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = bb;
      bb = a;
      a = (t1 + t2) | 0;
    }
    s[0]! += a;
    s[1]! += bb;
    s[2]! += c;
    s[3]! += d;
    s[4]! += e;
    s[5]! += f;
    s[6]! += g;
    s[7]! += h;
  }
}
