import { useEffect } from 'react';
import { usePage } from '../state/page.ts';
import { activeRun } from '../state/select.ts';
import { type Command, commandFor, focusKind } from './keymap.ts';

/** Listens to the page's keys. */
export function useKeyboard(pick: () => void): void {
  const { store, actions } = usePage();
  useEffect(() => {
    const commands: Record<Command, () => void> = {
      pick,
      toggle: () => void actions.toggle(),
      step: () => void actions.step(),
      cancel: () => {
        store.getState().task?.cancel?.();
        if (activeRun(store.getState())) void actions.cancel();
      },
      export: () => document.querySelector<HTMLButtonElement>('[data-export]:enabled')?.focus(),
      help: () => actions.openHelp(true),
    };

    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented) return;
      const { key, ctrlKey, metaKey, altKey, repeat } = event;
      const on = focusKind(event.target);
      const dialogOpen = document.querySelector('dialog[open]') !== null;
      const command = commandFor({ key, ctrlKey, metaKey, altKey, repeat, on, dialogOpen });
      if (!command) return;
      event.preventDefault();
      commands[command]();
    }

    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [store, actions, pick]);
}
