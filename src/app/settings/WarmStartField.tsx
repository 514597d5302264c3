import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { HINTS } from './hints.ts';

/** What the next run starts from: zero, the loaded model, or a finished run with the same loss. */
export function WarmStartField() {
  const runs = useApp((state) => state.runs);
  const model = useApp((state) => state.model);
  const warmStart = useApp((state) => state.warmStart);
  const loss = useApp((state) => state.settings.loss);
  const { startFrom } = useActions();
  const fitting = runs.filter((run) => run.report && run.request.settings.loss === loss);
  const value = warmStart === undefined ? '' : 'run' in warmStart ? warmStart.run : 'model';

  function choose(next: string): void {
    if (next === '') startFrom(undefined);
    else startFrom(next === 'model' ? { loadedModel: true } : { run: next });
  }

  return (
    <Field id="start" label="Start from" hint={HINTS.start}>
      <select id="start" value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">Zero</option>
        {model && <option value="model">Loaded model {model.name}</option>}
        {fitting.map((run) => (
          <option key={run.id} value={run.id}>
            {run.status?.title} ({run.id})
          </option>
        ))}
      </select>
    </Field>
  );
}
