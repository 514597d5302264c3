import type { ModelSummary } from '../../engine/protocol.ts';
import { useActions, useApp } from '../state/page.ts';
import { formatGap, formatNumber, plural } from '../ui/format.ts';

/** A model that was loaded from a file: what it is, what it claims of itself, and what can be done with it. */
export function ModelCard({ model }: { model: ModelSummary }) {
  const canStart = useApp((state) => state.data !== undefined);
  const starting = useApp((state) => state.warmStart !== undefined && 'loadedModel' in state.warmStart);
  const { startFrom, dropModel } = useActions();
  const { certificate } = model;
  return (
    <section className="model-card" aria-label="Loaded model">
      <p>
        <strong>{model.name}</strong>{' '}
        <span className="muted">
          {plural(model.features, 'feature')}, {plural(model.classes.length, 'class', 'classes')}
          {model.bias !== 0 && `, bias ${formatNumber(model.bias)}`}
          {model.status && `, ${model.status}`}
        </span>
      </p>
      <p className="field-note">
        {certificate
          ? `The file states a relative gap of ${formatGap(certificate.relativeGap)} (${certificate.kind}).`
          : 'The file states no gap.'}
      </p>
      <div className="buttons">
        <button
          type="button"
          className="small"
          disabled={!canStart}
          aria-pressed={starting}
          onClick={() => startFrom(starting ? undefined : { loadedModel: true })}
        >
          {starting ? 'Next run starts from it' : 'Start the next run from it'}
        </button>
        <button type="button" className="small" onClick={dropModel}>
          Forget it
        </button>
      </div>
    </section>
  );
}
