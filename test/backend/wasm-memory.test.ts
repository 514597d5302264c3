import { expect, it } from 'vitest';
import { BackendError, type DeviceArray } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { Random } from './cases.ts';

it('arrays start as zeros, keep their contents, and never overlap, through 2,000 random allocations', async () => {
  const backend = await openWasmBackend({ threads: 1, maxBytes: 64 * 2 ** 20 });
  const random = new Random(3);
  const held: { array: DeviceArray; value: number }[] = [];
  for (let turn = 0; turn < 2000; turn++) {
    if (held.length > 0 && random.bool(0.45)) {
      const { array, value } = held.splice(random.int(0, held.length - 1), 1)[0];
      const contents = await backend.read(array);
      expect(contents.every((x) => x === value)).toBe(true);
      backend.free(array);
    } else {
      const length = random.int(0, random.pick([3, 300, 30_000]));
      const array = backend.array('u32', length, `array ${turn}`);
      expect((await backend.read(array)).every((x) => x === 0)).toBe(true);
      backend.write(array, new Uint32Array(length).fill(turn));
      held.push({ array, value: turn });
    }
  }
  backend.close();
});

it('names the array, its size and the limit when memory runs out, and goes on once something is freed', async () => {
  const backend = await openWasmBackend({ threads: 1, maxBytes: 4 * 2 ** 20 });
  const first = backend.array('f32', 600_000, 'scores');
  const second = (): DeviceArray => backend.array('f32', 700_000, 'dual variables');
  expect(second).toThrow(BackendError);
  expect(second).toThrow(/dual variables: it needs 2\.7 MiB, .* the limit is 4\.0 MiB/);
  backend.free(first);
  expect(second().length).toBe(700_000);
  backend.close();
});

it('refuses arrays that are freed, too short, of another type or of another backend', async () => {
  const backend = await openWasmBackend({ threads: 1 });
  const other = await openWasmBackend({ threads: 1 });
  const state = backend.array('sum', 12, 'state');
  const w = backend.array('f32', 8, 'w');
  const set = (g: DeviceArray) => backend.plan([{ kernel: 'set-weights', w, g, scale: 1, length: 8, state }]);
  await expect(set(backend.array('f32', 4, 'short'))).rejects.toThrow('short holds 4 elements, expected 8');
  await expect(set(backend.array('u32', 8, 'whole numbers'))).rejects.toThrow('holds u32, expected f32');
  await expect(set(other.array('f32', 8, 'foreign'))).rejects.toThrow('foreign belongs to another backend');
  const freed = backend.array('f32', 8, 'gone');
  backend.free(freed);
  await expect(set(freed)).rejects.toThrow('gone was freed');
  expect(() => backend.write(w, new Float32Array(9))).toThrow('w holds 8 elements, expected 9');
  backend.close();
  other.close();
});

it('a plan still works after a later plan needed more scratch', async () => {
  const backend = await openWasmBackend({ threads: 1 });
  const state = backend.array('sum', 12, 'state');
  const scores = async (cols: number, stride: number) => {
    const s = backend.array('f32', stride, 's');
    const values = backend.array('f32', cols, 'values');
    backend.write(values, new Float32Array(cols).fill(1));
    const w = backend.array('f32', cols * stride, 'w');
    backend.write(w, new Float32Array(cols * stride).fill(2));
    const block = { kind: 'dense' as const, rows: 1, cols, values };
    return { s, plan: await backend.plan([{ kernel: 'scores', block, w, stride, s, state }]) };
  };
  const small = await scores(4, 4);
  const large = await scores(400, 40);
  await backend.run(small.plan, 1);
  await backend.run(large.plan, 1);
  expect(Array.from(await backend.read(small.s))).toEqual([8, 8, 8, 8]);
  expect((await backend.read(large.s)).every((x) => x === 800)).toBe(true);
  backend.close();
});

it('counts what it did', async () => {
  const backend = await openWasmBackend({ threads: 1 });
  const state = backend.array('sum', 12, 'state');
  const w = backend.array('f32', 8, 'w');
  backend.write(w, new Float32Array(8));
  const call = { kernel: 'set-weights' as const, w, g: w, scale: 1, length: 8, state };
  const plan = await backend.plan([call, call]);
  await backend.run(plan, 3, state);
  await backend.read(w);
  expect(backend.counters).toEqual({
    dispatches: 6,
    submissions: 1,
    readBacks: 2,
    bytesUploaded: 32,
    bytesRead: 12 * 8 + 32,
    bytesAllocated: 12 * 8 + 32,
  });
  backend.close();
});
