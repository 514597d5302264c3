import { useActions, useApp } from '../state/page.ts';
import { activeRun, startProblem } from '../state/select.ts';
import { Icon } from '../ui/Icon.tsx';

/** Start, pause, resume, step, cancel; all are always there, so that nothing moves when the state changes. */
export function Controls() {
  const active = useApp(activeRun);
  const problem = useApp(startProblem);
  const phase = active?.status?.phase;
  const actions = useActions();
  const main = active === undefined ? 'train' : phase === 'paused' ? 'resume' : 'pause';
  const canStep = active ? phase === 'paused' : problem === undefined;
  return (
    <section className="controls" aria-label="Run controls">
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={active ? phase !== 'running' && phase !== 'paused' : problem !== undefined}
          aria-keyshortcuts="Space"
          onClick={() => void actions.toggle()}
        >
          <Icon name={main === 'pause' ? 'pause' : 'play'} />
          {main === 'train' ? 'Train' : main === 'pause' ? 'Pause' : 'Resume'}
        </button>
        <button type="button" disabled={!canStep} aria-keyshortcuts="s" onClick={() => void actions.step()}>
          <Icon name="step" />
          Step
        </button>
        <button
          type="button"
          disabled={!active || phase === 'certifying'}
          aria-keyshortcuts="Escape"
          onClick={() => void actions.cancel()}
        >
          <Icon name="stop" />
          Cancel
        </button>
      </div>
      <button
        type="button"
        className="quiet race"
        disabled={active !== undefined || problem !== undefined}
        onClick={() => void actions.race()}
      >
        <Icon name="flag" />
        Race three step rules
      </button>
      <p className="field-error">{active ? '' : problem}</p>
    </section>
  );
}
