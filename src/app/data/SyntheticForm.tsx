import { useState } from 'react';
import type { SyntheticSettings } from '../../engine/protocol.ts';
import { DEFAULT_SYNTHETIC } from '../settings/defaults.ts';
import { useActions, useApp } from '../state/page.ts';
import { NumberField } from '../ui/NumberField.tsx';
import type { NumberRule } from '../ui/number-problem.ts';

const FIELDS: readonly { key: keyof SyntheticSettings; label: string; rule: NumberRule }[] = [
  { key: 'examples', label: 'n examples', rule: { min: 2, max: 1e6, integer: true } },
  { key: 'features', label: 'd features', rule: { min: 1, max: 1e5, integer: true } },
  { key: 'classes', label: 'm classes', rule: { min: 2, max: 65536, integer: true } },
  { key: 'noise', label: 'noise', rule: { min: 0 } },
  { key: 'seed', label: 'seed', rule: { min: 0, max: 2 ** 32 - 1, integer: true } },
];

/** Made-up data: classes around random means, with noise of a chosen size. */
export function SyntheticForm() {
  const { load } = useActions();
  const [settings, setSettings] = useState(DEFAULT_SYNTHETIC);
  const wrong = useApp((state) => FIELDS.map(({ key }) => state.invalid[`synthetic-${key}`]).find(Boolean));
  const busy = useApp((state) => state.task !== undefined);
  return (
    <form
      className="synthetic"
      onSubmit={(event) => {
        event.preventDefault();
        if (!wrong) void load({ kind: 'synthetic', settings });
      }}
    >
      {FIELDS.map(({ key, label, rule }) => (
        <label key={key} htmlFor={`synthetic-${key}`}>
          <span>{label}</span>
          <NumberField
            id={`synthetic-${key}`}
            value={settings[key]}
            onValue={(value) => setSettings((now) => ({ ...now, [key]: value ?? now[key] }))}
            {...rule}
          />
        </label>
      ))}
      <button type="submit" disabled={busy || wrong !== undefined}>
        Make data
      </button>
      <p className="field-error">{wrong}</p>
    </form>
  );
}
