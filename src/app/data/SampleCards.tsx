import { SAMPLES } from '../../data/samples.ts';
import { useActions, useApp } from '../state/page.ts';
import { formatCount } from '../ui/format.ts';
import { SyntheticForm } from './SyntheticForm.tsx';

/** The built-in data sets with their sizes, and the generator. */
export function SampleCards() {
  const { load } = useActions();
  const busy = useApp((state) => state.task !== undefined);
  return (
    <section className="samples" aria-label="Samples">
      <h2>Or start from a sample</h2>
      <ul className="cards">
        {SAMPLES.map((sample) => (
          <li key={sample.id}>
            <button
              type="button"
              className="card"
              disabled={busy}
              onClick={() => void load({ kind: 'sample', id: sample.id })}
            >
              <strong>{sample.title}</strong>
              <span className="figures">
                {formatCount(sample.rows)} × {formatCount(sample.cols)}
              </span>
              <span className="muted">{sample.classes} classes</span>
            </button>
          </li>
        ))}
      </ul>
      <details className="plain">
        <summary>Synthetic data</summary>
        <SyntheticForm />
      </details>
    </section>
  );
}
