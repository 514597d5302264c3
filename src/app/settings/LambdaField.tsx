import type { DataSummary } from '../../engine/protocol.ts';
import type { LambdaRule } from '../../model/settings.ts';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { formatNumber } from '../ui/format.ts';
import { NumberField } from '../ui/NumberField.tsx';
import { lambdaFor } from './check.ts';
import { HINTS } from './hints.ts';

const KINDS: readonly (readonly [LambdaRule['kind'], string])[] = [
  ['per-example', '× 1/n'],
  ['value', 'as λ'],
  ['C', 'as C'],
];

/** lambda itself, a multiple of 1/n, or C; with the number that comes of it. */
export function LambdaField({ data }: { data: DataSummary }) {
  const settings = useApp((state) => state.settings);
  const prepare = useApp((state) => state.prepare);
  const error = useApp((state) => state.invalid.lambda);
  const { change } = useActions();
  const { lambda } = settings;
  return (
    <Field
      id="lambda"
      label="Regularisation λ"
      hint={HINTS.lambda}
      error={error}
      note={`λ = ${formatNumber(lambdaFor(settings, data, prepare), 4)}`}
    >
      <NumberField
        id="lambda"
        min={0}
        above
        value={lambda.value}
        onValue={(value = lambda.value) => change({ lambda: { ...lambda, value } })}
      />
      <select
        aria-label="Unit of λ"
        value={lambda.kind}
        onChange={(event) =>
          change({ lambda: { ...lambda, kind: event.target.value as LambdaRule['kind'] } })
        }
      >
        {KINDS.map(([kind, title]) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
