/** The page's commands by key. */
export type Command = 'pick' | 'toggle' | 'step' | 'cancel' | 'export' | 'help';

export const KEYS: readonly {
  readonly key: string;
  readonly label: string;
  readonly command: Command;
  readonly does: string;
}[] = [
  { key: '/', label: '/', command: 'pick', does: 'Pick a data or model file' },
  { key: ' ', label: 'Space', command: 'toggle', does: 'Start, pause or resume' },
  { key: 's', label: 'S', command: 'step', does: 'One batch of iterations, then pause' },
  { key: 'Escape', label: 'Esc', command: 'cancel', does: 'Cancel; what was reached is kept' },
  { key: 'e', label: 'E', command: 'export', does: 'Go to the exports' },
  { key: '?', label: '?', command: 'help', does: 'Show this help' },
];

/** What of a keyboard event decides; `on` describes the element that has the focus. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  readonly on: 'page' | 'field' | 'button';
  readonly dialogOpen: boolean;
}

/**
 * The command of a key press, if it has one. Fields keep all their keys, buttons their space bar, an open dialog
 * everything (Esc closes it), and combinations belong to the browser.
 */
export function commandFor(press: KeyPress): Command | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey || press.repeat || press.dialogOpen) return undefined;
  if (press.on === 'field' || (press.on === 'button' && press.key === ' ')) return undefined;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return KEYS.find((entry) => entry.key === key)?.command;
}

/** What kind of element has the focus, for `commandFor`. */
export function focusKind(target: EventTarget | null): KeyPress['on'] {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable=true]'))
    return 'field';
  return target.closest('button, a[href], summary, input') ? 'button' : 'page';
}
