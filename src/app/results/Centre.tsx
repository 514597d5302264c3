import { PreviewTable } from '../data/PreviewTable.tsx';
import { useActions, useApp } from '../state/page.ts';
import type { CentreTab } from '../state/state.ts';
import { Predict } from './Predict.tsx';
import { Results } from './Results.tsx';

const TABS: readonly (readonly [CentreTab, string])[] = [
  ['results', 'Results'],
  ['predict', 'Predict'],
  ['data', 'Data'],
];

/** What lies under the plot: results, predictions, or the data as read. */
export function Centre() {
  const tab = useApp((state) => state.tab);
  const data = useApp((state) => state.data);
  const version = useApp((state) => state.dataVersion);
  const { openTab } = useActions();

  /** Arrow keys go from tab to tab, as in every tab list. */
  function move(key: string): void {
    const at = TABS.findIndex(([name]) => name === tab);
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const [next] = TABS[(at + by + TABS.length) % TABS.length];
    openTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  }

  return (
    <section className="centre" aria-label="Results and data">
      <div className="tabs" role="tablist" aria-label="Under the plot">
        {TABS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="tab-panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => openTab(name)}
            onKeyDown={(event) => move(event.key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === 'results' && <Results />}
        {tab === 'predict' && <Predict />}
        {tab === 'data' &&
          (data ? (
            <PreviewTable key={version} data={data} />
          ) : (
            <p className="placeholder">Load data to see them here.</p>
          ))}
      </div>
    </section>
  );
}
