import { useEffect } from 'react';
import { useActions } from '../state/page.ts';
import { focusKind } from './keymap.ts';

/** Text or files pasted anywhere but in a field are read as data. */
export function usePaste(): void {
  const { load, take } = useActions();
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      if (focusKind(event.target) === 'field' || !event.clipboardData) return;
      const files = [...event.clipboardData.files];
      const text = event.clipboardData.getData('text/plain');
      if (files.length > 0) void take(files);
      else if (text.trim() !== '') void load({ kind: 'text', name: 'pasted text', text });
      else return;
      event.preventDefault();
    }

    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [load, take]);
}
