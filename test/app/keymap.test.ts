import { describe, expect, it } from 'vitest';
import { commandFor, KEYS, type KeyPress } from '../../src/app/shell/keymap.ts';

const page: KeyPress = {
  key: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  on: 'page',
  dialogOpen: false,
};

describe('keys', () => {
  it.each([
    ['/', 'pick'],
    [' ', 'toggle'],
    ['s', 'step'],
    ['S', 'step'],
    ['Escape', 'cancel'],
    ['e', 'export'],
    ['?', 'help'],
    ['x', undefined],
  ])('%s does %s', (key, command) => expect(commandFor({ ...page, key })).toBe(command));

  it('leaves typing, open dialogs, repeats and combinations alone', () => {
    for (const { key } of KEYS) {
      expect(commandFor({ ...page, key, on: 'field' })).toBeUndefined();
      expect(commandFor({ ...page, key, dialogOpen: true })).toBeUndefined();
      expect(commandFor({ ...page, key, repeat: true })).toBeUndefined();
      expect(commandFor({ ...page, key, ctrlKey: true })).toBeUndefined();
      expect(commandFor({ ...page, key, metaKey: true })).toBeUndefined();
      expect(commandFor({ ...page, key, altKey: true })).toBeUndefined();
    }
  });

  it('lets a focused button have its space bar, but not the other keys', () => {
    expect(commandFor({ ...page, key: ' ', on: 'button' })).toBeUndefined();
    expect(commandFor({ ...page, key: 's', on: 'button' })).toBe('step');
  });
});
