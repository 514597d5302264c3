import { useState } from 'react';
import type { RunReport } from '../../engine/protocol.ts';
import { useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { Confusion } from './Confusion.tsx';
import { Cautions, Errors } from './Errors.tsx';
import { PerClass } from './PerClass.tsx';

/** How well the shown run's model does. */
export function Results() {
  const report = useApp((state) => shownRun(state)?.report);
  const [part, setPart] = useState<'test' | 'train'>('test');
  if (!report) {
    return (
      <p className="placeholder">Errors, confusion and figures per class appear here when a run has ended.</p>
    );
  }
  const { train, test } = report;
  const shown = test && part === 'test' ? test : train;
  return (
    <div className="results">
      <Errors
        sets={test ? [['Test', test] as const, ['Train', train] as const] : [['Train', train] as const]}
      />
      {test && (
        <Segmented
          name="part"
          label="Examples behind the tables"
          options={[
            ['test', 'Test'],
            ['train', 'Train'],
          ]}
          value={part}
          onValue={setPart}
        />
      )}
      <Cautions evaluation={shown} />
      <div className="two">
        <Confusion evaluation={shown} />
        <PerClass evaluation={shown} />
      </div>
      <Cost report={report} />
    </div>
  );
}

function Cost({ report }: { report: RunReport }) {
  const { cost, lambda, data } = report;
  return (
    <details className="plain">
      <summary>What an iteration costs</summary>
      <p className="field-note">
        {formatNumber(cost.flops / 1e6)} MFLOP, {formatBytes(cost.bytes)} moved,{' '}
        {formatNumber(cost.dispatches)} dispatches, {formatNumber(cost.readBacks)} read-backs. λ ={' '}
        {formatNumber(lambda, 6)}. Data {data.name}, SHA-256 <code>{data.sha256}</code>.
      </p>
    </details>
  );
}
