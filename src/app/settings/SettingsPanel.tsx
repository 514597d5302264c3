import { SOLVER_TITLES } from '../../model/settings.ts';
import { useApp } from '../state/page.ts';
import { formatTarget } from '../ui/format.ts';
import { Section } from '../ui/Section.tsx';
import { AdvancedFields } from './AdvancedFields.tsx';
import { lossDefinition } from './check.ts';
import { lambdaText } from './difference.ts';
import { LambdaField } from './LambdaField.tsx';
import { LossFields } from './LossFields.tsx';
import { SolverFields } from './SolverFields.tsx';

/** Loss, regularisation, solver and stopping. The defaults need not be touched. */
export function SettingsPanel() {
  const data = useApp((state) => state.data);
  const settings = useApp((state) => state.settings);
  if (!data) return null;
  const { relativeGap } = settings.stop;
  const summary = [
    lossDefinition(settings).title,
    `λ = ${lambdaText(settings.lambda)}`,
    SOLVER_TITLES[settings.solver],
    relativeGap === undefined ? 'no target' : `gap ${formatTarget(relativeGap)}`,
  ].join(' · ');
  return (
    <Section id="settings-head" title="Model and solver" summary={summary}>
      <div className="settings">
        <LossFields classes={data.classes.length} />
        <LambdaField data={data} />
        <SolverFields />
      </div>
      <AdvancedFields />
    </Section>
  );
}
