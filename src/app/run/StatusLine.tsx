import { useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import { isActive, nextStep } from './messages.ts';

/** What is going on, or what was proved, why the run ended, and what can be done next. */
export function StatusLine() {
  const status = useApp((state) => shownRun(state)?.status);
  const ready = useApp((state) => state.data !== undefined);
  if (!status) {
    return (
      <p className="status-line">
        {ready ? 'Ready to train. The settings can stay as they are.' : 'Load data to train.'}
      </p>
    );
  }
  const tone = isActive(status.phase) ? '' : status.phase;
  return (
    <p className={`status-line ${tone}`}>
      <strong>{status.message}</strong> {nextStep(status)}
    </p>
  );
}
