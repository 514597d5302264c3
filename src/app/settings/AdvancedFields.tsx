import type { TrainSettings } from '../../model/settings.ts';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { NumberSetting } from '../ui/NumberSetting.tsx';
import { HINTS } from './hints.ts';
import { WarmStartField } from './WarmStartField.tsx';

const ENGINES: readonly (readonly [TrainSettings['backend'], string])[] = [
  ['auto', 'Automatic'],
  ['webgpu', 'WebGPU'],
  ['wasm', 'WASM'],
];

/** What need not be touched: further stopping rules, weights, start, seed, engine. */
export function AdvancedFields() {
  const { stop, classWeights, seed, backend } = useApp((state) => state.settings);
  const { change, changeStop } = useActions();
  return (
    <details className="plain advanced">
      <summary>Advanced</summary>
      <div className="settings">
        <NumberSetting
          id="absolute-gap"
          label="Absolute gap"
          hint={HINTS.absolute}
          min={0}
          above
          optional
          placeholder="off"
          value={stop.absoluteGap}
          onValue={(absoluteGap) => changeStop({ absoluteGap })}
        />
        <NumberSetting
          id="seconds"
          label="Seconds at most"
          hint={HINTS.seconds}
          min={0}
          above
          optional
          placeholder="off"
          value={stop.seconds}
          onValue={(seconds) => changeStop({ seconds })}
        />
        <Field id="class-weights" label="Class weights" hint={HINTS.classWeights}>
          <select
            id="class-weights"
            value={classWeights === 'balanced' ? 'balanced' : 'none'}
            onChange={(event) =>
              change({ classWeights: event.target.value === 'balanced' ? 'balanced' : undefined })
            }
          >
            <option value="none">All examples alike</option>
            <option value="balanced">Balanced</option>
          </select>
        </Field>
        <WarmStartField />
        <NumberSetting
          id="seed"
          label="Seed"
          hint={HINTS.seed}
          min={0}
          max={2 ** 32 - 1}
          integer
          value={seed}
          onValue={(value = 0) => change({ seed: value })}
        />
        <Field id="backend" label="Engine" hint={HINTS.backend}>
          <select
            id="backend"
            value={backend}
            onChange={(event) => change({ backend: event.target.value as TrainSettings['backend'] })}
          >
            {ENGINES.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </Field>
      </div>
    </details>
  );
}
