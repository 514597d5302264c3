// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the rows that are out of view
// biome-ignore-all lint/a11y/useFocusableInteractive: cells are read, not operated
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useRef } from 'react';

export interface CellContent {
  readonly content: ReactNode;
  readonly style?: CSSProperties;
  readonly title?: string;
}

interface Props {
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  /** px */
  readonly columnWidth: number;
  readonly headWidth: number;
  readonly corner: string;
  readonly columnHead: (column: number) => string;
  readonly rowHead: (row: number) => ReactNode;
  readonly cell: (row: number, column: number) => CellContent;
  /** tells which rows are drawn, so that they can be fetched */
  readonly onRows?: (from: number, to: number) => void;
  readonly className?: string;
}

const ROW_HEIGHT = 28;

/** A table of any size that draws only what is in view, with its row and column heads in place. */
export function VirtualGrid(props: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const across = useVirtualizer({
    count: props.columns,
    horizontal: true,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.columnWidth,
    overscan: 3,
  });
  const down = useVirtualizer({
    count: props.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    onChange: ({ range }) => range && props.onRows?.(range.startIndex, range.endIndex),
  });
  const columns = across.getVirtualItems();
  const width = across.getTotalSize() + props.headWidth;
  const place = (start: number): CSSProperties => ({
    left: start + props.headWidth,
    width: props.columnWidth,
  });

  return (
    <div
      ref={scroller}
      className={`grid ${props.className ?? ''}`}
      role="table"
      aria-label={props.label}
      aria-rowcount={props.rows + 1}
      aria-colcount={props.columns + 1}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
    >
      <div className="grid-body" style={{ width, height: down.getTotalSize() + ROW_HEIGHT }}>
        <div role="row" className="grid-heads" aria-rowindex={1}>
          <div role="columnheader" className="grid-corner" style={{ width: props.headWidth }}>
            {props.corner}
          </div>
          {columns.map((column) => (
            <div
              role="columnheader"
              key={column.key}
              className="grid-cell"
              style={place(column.start)}
              title={props.columnHead(column.index)}
              aria-colindex={column.index + 2}
            >
              {props.columnHead(column.index)}
            </div>
          ))}
        </div>
        {down.getVirtualItems().map((row) => (
          <div
            role="row"
            key={row.key}
            className="grid-row"
            style={{ top: row.start + ROW_HEIGHT }}
            aria-rowindex={row.index + 2}
          >
            <div role="rowheader" className="grid-head" style={{ width: props.headWidth }}>
              {props.rowHead(row.index)}
            </div>
            {columns.map((column) => {
              const { content, style, title } = props.cell(row.index, column.index);
              return (
                <div
                  role="cell"
                  key={column.key}
                  className="grid-cell"
                  style={{ ...place(column.start), ...style }}
                  title={title}
                  aria-colindex={column.index + 2}
                >
                  {content}
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
