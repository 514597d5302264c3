import { useActions, useApp } from '../state/page.ts';
import { formatBytes, formatCount, formatNumber, formatPercent, plural } from '../ui/format.ts';
import { Notices } from '../ui/Notices.tsx';
import { ClassBars } from './ClassBars.tsx';
import { DropTarget } from './DropTarget.tsx';
import { ReadOptions } from './ReadOptions.tsx';
import { SampleCards } from './SampleCards.tsx';

/** The data that are loaded: size, classes, what to watch out for. */
export function DataPanel() {
  const data = useApp((state) => state.data);
  const source = useApp((state) => state.source);
  const { take } = useActions();
  return (
    <section className="panel" aria-labelledby="data-head">
      <h2 id="data-head">Data</h2>
      {data && (
        <>
          <p className="data-name" title={`SHA-256 ${data.sha256}`}>
            {data.name}
          </p>
          <dl className="facts">
            <dt>n</dt>
            <dd>{plural(data.examples, 'example')}</dd>
            <dt>d</dt>
            <dd>{plural(data.features, 'feature')}</dd>
            <dt>density</dt>
            <dd>
              {formatPercent(data.density)} <span className="muted">{data.kind}</span>
            </dd>
            <dt>‖x‖</dt>
            <dd>
              {formatNumber(data.rowNorms.min, 3)} – {formatNumber(data.rowNorms.max, 3)}{' '}
              <span className="muted">median {formatNumber(data.rowNorms.median, 3)}</span>
            </dd>
            <dt>memory</dt>
            <dd>{formatBytes(data.bytes)}</dd>
            {data.test && (
              <>
                <dt>test</dt>
                <dd>
                  {formatCount(data.test.examples)} <span className="muted">from {data.test.name}</span>
                </dd>
              </>
            )}
          </dl>
          <ClassBars data={data} />
          <ConstantNote {...data.constantFeatures} />
          <Notices notices={data.notices} />
          {source && <ReadOptions key={data.sha256} request={source} />}
        </>
      )}
      <details className="plain" open={!data}>
        <summary>{data ? 'Load other data' : 'Load data'}</summary>
        <DropTarget multiple title="Drop a data or model file" onFiles={take} />
        <SampleCards />
      </details>
    </section>
  );
}

function ConstantNote({ count, first }: { count: number; first: readonly string[] }) {
  if (count === 0) return null;
  const names = first.slice(0, 4).join(', ');
  const more = count > 4 ? ', …' : '';
  return (
    <p className="field-note">
      {plural(count, 'feature is', 'features are')} constant ({names}
      {more}); constant features carry no information.
    </p>
  );
}
