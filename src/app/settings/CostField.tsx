import { useEffect, useState } from 'react';
import { DropTarget } from '../data/DropTarget.tsx';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { HINTS } from './hints.ts';
import { parseMatrix } from './parse.ts';

/** The cost matrix of the structured hinge, pasted as text or dropped as CSV. */
export function CostField() {
  const { change, mark } = useActions();
  const cost = useApp((state) => state.settings.cost);
  const problem = useApp((state) => state.invalid.cost);
  const classes = useApp((state) => state.data?.classes.length ?? 0);
  const [text, setText] = useState(() => cost?.map((row) => row.join(', ')).join('\n') ?? '');
  useEffect(() => () => mark('cost', undefined), [mark]);

  function update(next: string): void {
    setText(next);
    try {
      const matrix = parseMatrix(next);
      mark('cost', undefined);
      change({ cost: matrix });
    } catch (error) {
      mark('cost', next.trim() === '' ? 'Give the cost matrix.' : (error as Error).message);
    }
  }

  const note = `${classes} × ${classes}, zeros on the diagonal, classes in the order of the list above`;
  return (
    <Field id="cost" label="Cost matrix" hint={HINTS.cost} error={problem} note={note}>
      <textarea
        id="cost"
        rows={4}
        value={text}
        spellCheck={false}
        placeholder={'0, 1, 2\n1, 0, 1\n2, 1, 0'}
        aria-describedby="cost-note"
        aria-invalid={problem !== undefined}
        onChange={(event) => update(event.target.value)}
      />
      <DropTarget title="Or drop a CSV file" onFiles={async ([file]) => update(await file.text())} />
    </Field>
  );
}
