import { useId, useState } from 'react';
import type { LoadOptions, LoadRequest } from '../../engine/protocol.ts';
import { useActions, useApp } from '../state/page.ts';

const MISSING = [
  ['', 'Refuse the file'],
  ['mean', 'Fill with the mean of the column'],
  ['median', 'Fill with its median'],
  ['zero', 'Fill with 0'],
] as const;

/** How a CSV file is to be read; reads it again when asked. Nothing for sources that leave no choice. */
export function ReadOptions({ request, open = false }: { request: LoadRequest; open?: boolean }) {
  const id = useId();
  const { reload } = useActions();
  const busy = useApp((state) => state.task !== undefined);
  const given = request.kind === 'files' || request.kind === 'text' ? request.options : undefined;
  const [column, setColumn] = useState(String(given?.labelColumn ?? ''));
  const [missing, setMissing] = useState<string>(given?.missing ?? '');
  if (request.kind !== 'files' && request.kind !== 'text') return null;

  function options(): LoadOptions {
    const label = column.trim();
    return {
      ...(label !== '' && { labelColumn: /^\d+$/.test(label) ? Number(label) : label }),
      ...(missing !== '' && { missing: missing as LoadOptions['missing'] }),
    };
  }

  return (
    <details className="plain" open={open}>
      <summary>How to read this file</summary>
      <form
        className="read-options"
        onSubmit={(event) => {
          event.preventDefault();
          void reload(request, options());
        }}
      >
        <label htmlFor={`${id}-label`}>Label column (CSV)</label>
        <input
          id={`${id}-label`}
          value={column}
          placeholder="found by itself"
          autoComplete="off"
          onChange={(event) => setColumn(event.target.value)}
        />
        <label htmlFor={`${id}-missing`}>Missing values (CSV)</label>
        <select id={`${id}-missing`} value={missing} onChange={(event) => setMissing(event.target.value)}>
          {MISSING.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        <button type="submit" disabled={busy}>
          Read again
        </button>
      </form>
    </details>
  );
}
