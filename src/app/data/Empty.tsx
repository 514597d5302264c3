import { DEFAULT_PREPARE, DEMO_SETTINGS } from '../settings/defaults.ts';
import { BackendLine } from '../shell/BackendLine.tsx';
import { useActions, useApp } from '../state/page.ts';
import { DropTarget } from './DropTarget.tsx';
import { SampleCards } from './SampleCards.tsx';

/** The first state: what this is, where to drop, three samples, and one button that shows it all. */
export function Empty() {
  const { take, load, start, change, changePrepare } = useActions();
  const busy = useApp((state) => state.task !== undefined);

  async function trainDigits(): Promise<void> {
    if (!(await load({ kind: 'sample', id: 'digits' }))) return;
    change(DEMO_SETTINGS);
    changePrepare(DEFAULT_PREPARE);
    await start();
  }

  return (
    <main className="empty">
      <h1>Train multi-class SVMs in your browser, and know how close to the optimum they are.</h1>
      <button type="button" className="primary large" disabled={busy} onClick={trainDigits}>
        Train digits now
      </button>
      <DropTarget
        large
        multiple
        title="Drop a data file, or pick one"
        detail="LIBSVM or CSV, plain or gzip; paste works too. A model file loads for prediction. Nothing is uploaded."
        onFiles={take}
      />
      <SampleCards />
      <BackendLine />
    </main>
  );
}
