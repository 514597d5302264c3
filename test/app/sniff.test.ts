import { describe, expect, it } from 'vitest';
import { fileKind, orderPair, sniff } from '../../src/app/data/sniff.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('what a dropped file is', () => {
  it.each([
    ['digits.npz', 'PK\x03\x04', 'model'],
    ['weights', 'PK\x03\x04....', 'model'],
    ['model.safetensors', '', 'model'],
    ['model.JSON', '{"version":1}', 'model'],
    ['letter.model', 'solver_type MCSVM_CS\nnr_class 26\n', 'model'],
    ['anything.txt', '\nsolver_type L2R_LR\n', 'model'],
    ['a.svm', '1 1:0.5 3:2\n', 'data'],
    ['a.csv', 'solver,type\n1,2\n', 'data'],
    ['a.svm.gz', '\x1f\x8b\x08', 'data'],
    ['empty', '', 'data'],
  ])('%s', (name, head, kind) => expect(fileKind(name, bytes(head))).toBe(kind));

  it('knows safetensors by their bytes', () => {
    const head = new Uint8Array([0x60, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x22]);
    expect(fileKind('download', head)).toBe('model');
  });

  it('reads only the head of a file', async () => {
    expect(await sniff(new File(['solver_type MCSVM_CS\n'], 'x'))).toBe('model');
    expect(await sniff(new File(['1 1:2\n'], 'x'))).toBe('data');
  });

  it('orders a pair by name, else by size', () => {
    const file = (name: string, size: number) => ({ name, size });
    expect(orderPair(file('usps.t', 9), file('usps', 5)).train.name).toBe('usps');
    expect(orderPair(file('a-test.csv', 9), file('a-train.csv', 5)).test.name).toBe('a-test.csv');
    expect(orderPair(file('a.svm', 3), file('b.svm', 8)).train.name).toBe('b.svm');
    expect(orderPair(file('a.svm', 8), file('b.svm', 3)).train.name).toBe('a.svm');
  });
});
