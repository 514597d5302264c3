import { runColour } from '../plot/palette.ts';
import { differences } from '../settings/difference.ts';
import { useTheme } from '../shell/theme.ts';
import { useActions, useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import type { Run } from '../state/state.ts';
import { formatGap } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { gapKind, isActive, shownGap } from './messages.ts';

/** Every run of this session with its colour, its gap and where its settings differ from the others'. */
export function RunList() {
  const runs = useApp((state) => state.runs);
  const shown = useApp(shownRun);
  const differing = differences(runs);
  return (
    <section className="panel" aria-labelledby="runs-head">
      <h2 id="runs-head">Runs</h2>
      {runs.length === 0 && <p className="muted">None yet.</p>}
      <ul className="runs">
        {runs.map((run, index) => (
          <Row key={run.id} run={run} difference={differing[index]} current={run.id === shown?.id} />
        ))}
      </ul>
    </section>
  );
}

function Row({ run, difference, current }: { run: Run; difference: string; current: boolean }) {
  const theme = useTheme();
  const { select, show, remove } = useActions();
  const { status } = run;
  const title = status?.title ?? run.id;
  const gap = status ? shownGap(status).relativeGap : Number.NaN;
  const going = status === undefined || isActive(status.phase);
  return (
    <li className={current ? 'current' : ''}>
      <input
        type="checkbox"
        className="swatch"
        style={{ accentColor: runColour(run.slot, theme), color: runColour(run.slot, theme) }}
        checked={run.visible}
        aria-label={`Show the curves of ${title}`}
        onChange={(event) => show(run.id, event.target.checked)}
      />
      <button type="button" className="run-name" aria-pressed={current} onClick={() => select(run.id)}>
        <span className="run-title">{title}</span>
        <span className="run-gap">
          {Number.isFinite(gap) ? formatGap(gap) : '–'}
          {status && gapKind(status) === 'certified' && <Icon name="check" />}
        </span>
        <span className="run-note">
          {status?.phase ?? 'waiting'}
          {difference && ` · ${difference}`}
        </span>
      </button>
      <button
        type="button"
        className="icon-button"
        disabled={going}
        aria-label={`Remove ${title}`}
        onClick={() => void remove(run.id)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
