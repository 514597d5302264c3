import { useEffect, useState } from 'react';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { HINTS } from './hints.ts';
import { parseList } from './parse.ts';

/** Rank weights as a list. */
export function RhoField() {
  const { change, mark } = useActions();
  const rho = useApp((state) => state.settings.rho);
  const problem = useApp((state) => state.invalid.rho);
  const [text, setText] = useState((rho ?? []).join(', '));
  useEffect(() => {
    setText((now) => (sameList(now, rho ?? []) ? now : (rho ?? []).join(', ')));
  }, [rho]);
  useEffect(() => () => mark('rho', undefined), [mark]);

  function update(next: string): void {
    setText(next);
    try {
      const list = parseList(next);
      if (list.length === 0) throw new Error('Give at least one weight.');
      mark('rho', undefined);
      change({ rho: list });
    } catch (error) {
      mark('rho', (error as Error).message);
    }
  }

  return (
    <Field id="rho" label="Rank weights ρ" hint={HINTS.rho} error={problem}>
      <input
        id="rho"
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-describedby="rho-note"
        aria-invalid={problem !== undefined}
        onChange={(event) => update(event.target.value)}
      />
    </Field>
  );
}

function sameList(text: string, list: readonly number[]): boolean {
  try {
    const parsed = parseList(text);
    return parsed.length === list.length && parsed.every((value, index) => value === list[index]);
  } catch {
    return false;
  }
}
