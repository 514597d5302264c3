import { useCallback, useEffect, useRef, useState } from 'react';
import type { DataSummary, PreviewRows } from '../../engine/protocol.ts';
import { messageOf } from '../state/context.ts';
import { usePage } from '../state/page.ts';
import { formatCount, formatNumber } from '../ui/format.ts';
import { VirtualGrid } from '../ui/VirtualGrid.tsx';

/** Rows fetched at a time. */
const PAGE = 100;

/** The table as read, before scaling; pages are fetched as they come into view. */
export function PreviewTable({ data }: { data: DataSummary }) {
  const { engine } = usePage();
  const asked = useRef(new Set<number>());
  const [pages, setPages] = useState<ReadonlyMap<number, PreviewRows>>(new Map());
  const [top, setTop] = useState(0);
  const [problem, setProblem] = useState('');

  const fetchPages = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        engine.preview(page * PAGE, PAGE).then(
          (rows) => setPages((now) => new Map(now).set(page, rows)),
          (error) => setProblem(messageOf(error)),
        );
      }
    },
    [engine],
  );
  useEffect(() => fetchPages(0, 0), [fetchPages]);

  // A window of wide sparse data has columns of its own: the heads are those of the window at the top of the view.
  const columns = (pages.get(top) ?? pages.get(0))?.columns ?? [];
  const rowAt = (row: number) => pages.get(Math.floor(row / PAGE))?.rows[row % PAGE];
  function valueAt(row: number, column: number): number | undefined {
    const own = pages.get(Math.floor(row / PAGE))?.columns ?? columns;
    return rowAt(row)?.values[own[column] === columns[column] ? column : own.indexOf(columns[column])];
  }
  if (problem) return <p className="field-error">{problem}</p>;
  return (
    <VirtualGrid
      label={`Preview of ${data.name}`}
      className="preview"
      rows={data.examples}
      columns={columns.length}
      columnWidth={84}
      headWidth={140}
      corner="Class"
      columnHead={(column) => columns[column]}
      rowHead={(row) => (
        <>
          <span className="muted">{formatCount(row + 1)}</span> {rowAt(row)?.label ?? '…'}
        </>
      )}
      cell={(row, column) => {
        const value = valueAt(row, column);
        if (value === undefined) return { content: '' };
        return { content: value === 0 ? <span className="zero">0</span> : formatNumber(value, 5) };
      }}
      onRows={(from, to) => {
        setTop(Math.floor(from / PAGE));
        fetchPages(from, to);
      }}
    />
  );
}
