import { useState } from 'react';
import { DropTarget } from '../data/DropTarget.tsx';
import { useActions, useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import { download } from '../ui/download.ts';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { Notices } from '../ui/Notices.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Confusion } from './Confusion.tsx';
import { Cautions, Errors } from './Errors.tsx';
import { ModelCard } from './ModelCard.tsx';
import { PerClass } from './PerClass.tsx';

/** Scores of a dropped file, by the shown run or by a model that was loaded. */
export function Predict() {
  const model = useApp((state) => state.model);
  const run = useApp(shownRun);
  const prediction = useApp((state) => state.prediction);
  const { predict } = useActions();
  const [choice, setChoice] = useState<'model' | 'run'>('model');
  const hasRun = run?.report !== undefined;
  if (!model && !hasRun) {
    return (
      <p className="placeholder">Train first, or drop a model file on the page, to predict a file here.</p>
    );
  }
  const by = model && (choice === 'model' || !hasRun) ? 'model' : 'run';
  return (
    <div className="predict">
      {model && hasRun && (
        <Segmented
          name="by"
          label="Predict with"
          options={[
            ['model', 'Loaded model'],
            ['run', run.status?.title ?? 'Run'],
          ]}
          value={by}
          onValue={setChoice}
        />
      )}
      {model && by === 'model' && <ModelCard model={model} />}
      <DropTarget
        title="Drop a file to predict"
        detail="The same formats; with labels in it, errors are worked out too."
        onFiles={([file]) => void predict(by, file)}
      />
      {prediction && (
        <section className="prediction" aria-labelledby="prediction-head">
          <h3 id="prediction-head">
            {prediction.file} <span className="muted">by {prediction.by}</span>
          </h3>
          <p>
            {plural(prediction.result.examples, 'example')} scored.{' '}
            <button type="button" className="small" onClick={() => download(prediction.result.csv)}>
              <Icon name="download" />
              Predictions as CSV
            </button>
          </p>
          <Notices notices={prediction.result.notices} />
          {prediction.result.evaluation && (
            <>
              <Errors sets={[['File', prediction.result.evaluation]]} />
              <Cautions evaluation={prediction.result.evaluation} />
              <div className="two">
                <Confusion evaluation={prediction.result.evaluation} />
                <PerClass evaluation={prediction.result.evaluation} />
              </div>
            </>
          )}
        </section>
      )}
    </div>
  );
}
