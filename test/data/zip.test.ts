import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readZip, writeZip } from '../../src/data/zip.ts';

const all = () => true;
const text = new TextEncoder();

describe('zip', () => {
  it('unpacks what it packs, and the same contents give the same bytes', () => {
    const files = {
      'a.npy': text.encode('aaaaaaaaaaaaaaaaaaaa'),
      'b.npy': new Uint8Array(0),
      ü: Uint8Array.of(7),
    };
    const packed = writeZip(files);
    expect(Object.fromEntries(readZip(packed, all, 'x.npz'))).toEqual(files);
    expect(writeZip(files)).toEqual(packed);
    expect([...readZip(packed, (name) => name === 'b.npy', 'x.npz').keys()]).toEqual(['b.npy']);
  });

  it('deflates zeros and stores the rest', () => {
    const noise = Uint8Array.from({ length: 1000 }, (_, i) => ((i * 7919) % 251) | 1);
    expect(writeZip({ a: new Uint8Array(1000) }).length).toBeLessThan(200);
    expect(writeZip({ a: noise }).length).toBeGreaterThan(1000);
  });

  it('reads stored files and a comment at the end', () => {
    const packed = zipSync({ a: text.encode('hello') }, { level: 0 });
    const commented = new Uint8Array(packed.length + 3);
    commented.set(packed);
    commented[packed.length - 2] = 3;
    expect(readZip(commented, all, 'x.npz').get('a')).toEqual(text.encode('hello'));
  });

  it('finds every changed byte of the contents', () => {
    for (const level of [0, 6] as const) {
      const packed = zipSync({ a: text.encode('hello hello hello hello') }, { level });
      const start = 31;
      const end = start + (level === 0 ? 23 : 8);
      for (let i = start; i < end; i++) {
        const changed = packed.slice();
        changed[i] ^= 0x10;
        expect(() => readZip(changed, all, 'x.npz'), `level ${level}, byte ${i}`).toThrow(/check sum/);
      }
    }
  });

  it('refuses a bomb before it makes room for it', () => {
    const packed = writeZip({ a: new Uint8Array(1000) });
    const central = packed.length - 22 - 47;
    const view = new DataView(packed.buffer);
    expect(view.getUint32(central, true)).toBe(0x02014b50);
    view.setUint32(central + 24, 0xf0000000, true);
    expect(() => readZip(packed, all, 'x.npz')).toThrow(/claims to unpack/);
    // A promise that the archive could keep, but too large.
    view.setUint32(central + 20, 0x20000000, true);
    view.setUint32(central + 24, 0x50000000, true);
    expect(() => readZip(packed, all, 'x.npz')).toThrow(/at most 1073741824 bytes are unpacked/);
  });

  it('unpacks no more than the directory says', () => {
    const packed = writeZip({ a: new Uint8Array(1000) });
    new DataView(packed.buffer).setUint32(packed.length - 22 - 47 + 24, 900, true);
    expect(() => readZip(packed, all, 'x.npz')).toThrow(/check sum/);
  });

  it('refuses two files of one name, encryption and truncation', () => {
    const packed = writeZip({ a1: text.encode('one'), a2: text.encode('two') });
    const same = packed.slice();
    const at = same.length - 22 - 1;
    same[at] = '1'.charCodeAt(0);
    expect(() => readZip(same, all, 'x.npz')).toThrow(/twice/);
    const locked = packed.slice();
    locked[locked.length - 22 - 2 * 48 + 8] |= 1;
    expect(() => readZip(locked, all, 'x.npz')).toThrow(/encrypted/);
    for (let length = 0; length < packed.length; length++) {
      expect(() => readZip(packed.subarray(0, length), all, 'x.npz')).toThrow(/damaged/);
    }
  });
});
