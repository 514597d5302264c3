import { useState } from 'react';
import { SOLVER_NAMES } from '../run/messages.ts';
import { useApp } from '../state/page.ts';
import { formatNumber } from '../ui/format.ts';
import { AdvancedFields } from './AdvancedFields.tsx';
import { lossDefinition } from './check.ts';
import { lambdaText } from './difference.ts';
import { LambdaField } from './LambdaField.tsx';
import { LossFields } from './LossFields.tsx';
import { SolverFields } from './SolverFields.tsx';

/** Below this width the settings start closed, under a line that says what they are. */
const NARROW = '(max-width: 699px)';

/** Loss, regularisation, solver and stopping. The defaults need not be touched. */
export function SettingsPanel() {
  const data = useApp((state) => state.data);
  const settings = useApp((state) => state.settings);
  const [open] = useState(() => !window.matchMedia(NARROW).matches);
  if (!data) return null;
  const { relativeGap } = settings.stop;
  const summary = [
    lossDefinition(settings).title,
    `λ = ${lambdaText(settings.lambda)}`,
    SOLVER_NAMES[settings.solver],
    relativeGap === undefined ? 'no target' : `gap ${formatNumber(relativeGap)}`,
  ].join(' · ');
  return (
    <section className="panel" aria-labelledby="settings-head">
      <details className="section" open={open}>
        <summary>
          <h2 id="settings-head">Model and solver</h2>
          <span className="summary-line">{summary}</span>
        </summary>
        <div className="settings">
          <LossFields classes={data.classes.length} />
          <LambdaField data={data} />
          <SolverFields />
        </div>
        <AdvancedFields />
      </details>
    </section>
  );
}
