import type { LossName } from '../../problem/loss.ts';
import { losses } from '../../problem/losses/index.ts';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { NumberSetting } from '../ui/NumberSetting.tsx';
import { CostField } from './CostField.tsx';
import { lossDefinition, lossProblem } from './check.ts';
import { HINTS } from './hints.ts';
import { RhoField } from './RhoField.tsx';

/** The loss, in plain words with its formula, and what it needs. */
export function LossFields({ classes }: { classes: number }) {
  const settings = useApp((state) => state.settings);
  const { change } = useActions();
  const loss = lossDefinition(settings);
  return (
    <>
      <Field
        id="loss"
        label="Loss"
        hint={{ text: loss.summary, formula: loss.formula }}
        note={loss.summary}
        error={lossProblem(settings, classes)}
      >
        <select
          id="loss"
          value={settings.loss}
          aria-describedby="loss-note"
          onChange={(event) => change({ loss: event.target.value as LossName })}
        >
          {losses.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      {loss.parameters.includes('k') && (
        <NumberSetting
          id="k"
          label="Ranks k"
          hint={HINTS.k}
          min={1}
          max={Math.max(1, classes - 1)}
          integer
          value={settings.k}
          onValue={(k) => change({ k })}
        />
      )}
      {loss.parameters.includes('rho') && <RhoField />}
      {loss.parameters.includes('cost') && <CostField />}
    </>
  );
}
