import type { PrepareSettings } from '../../model/settings.ts';
import { trainingExamples } from '../settings/check.ts';
import { HINTS } from '../settings/hints.ts';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { NumberSetting } from '../ui/NumberSetting.tsx';
import { Section } from '../ui/Section.tsx';
import { DropTarget } from './DropTarget.tsx';

const SCALINGS: readonly (readonly [PrepareSettings['scaling'], string])[] = [
  ['none', 'As read'],
  ['standardise', 'Standardise'],
  ['scale', 'Scale by largest |x|'],
];

/** Which examples test the model, and what is done to features before training. */
export function SplitSettings() {
  const data = useApp((state) => state.data);
  const prepare = useApp((state) => state.prepare);
  const canAddTest = useApp((state) => state.source?.kind === 'files' || state.source?.kind === 'text');
  const { changePrepare, addTest } = useActions();
  if (!data) return null;
  const train = trainingExamples(data, prepare);
  const scaling = SCALINGS.find(([value]) => value === prepare.scaling)?.[1] ?? '';
  const summary = `${formatCount(train)} to train · ${scaling} · bias ${prepare.bias}`;
  return (
    <Section id="split-head" title="Test split and scaling" summary={summary}>
      <div className="settings">
        {data.test ? (
          <p className="field-note">
            Tested on {formatCount(data.test.examples)} examples of {data.test.name}
            {data.test.unseen > 0 &&
              `, ${plural(data.test.unseen, 'of which has', 'of which have')} a class not in training`}
            .
          </p>
        ) : (
          <NumberSetting
            id="hold-out"
            label="Held out for testing"
            hint={HINTS.holdOut}
            note={`${formatCount(train)} to train, ${formatCount(data.examples - train)} to test`}
            min={0}
            max={0.9}
            value={prepare.holdOut}
            onValue={(holdOut = 0) => changePrepare({ holdOut })}
          />
        )}
        {canAddTest && (
          <DropTarget
            title={data.test ? 'Drop another test file' : 'Or drop a test file'}
            onFiles={([file]) => void addTest(file)}
          />
        )}
        <Field id="scaling" label="Features" hint={HINTS.scaling}>
          <select
            id="scaling"
            value={prepare.scaling}
            onChange={(event) => changePrepare({ scaling: event.target.value as PrepareSettings['scaling'] })}
          >
            {SCALINGS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <NumberSetting
          id="bias"
          label="Bias feature"
          hint={HINTS.bias}
          min={0}
          value={prepare.bias}
          onValue={(bias = 0) => changePrepare({ bias })}
        />
      </div>
    </Section>
  );
}
