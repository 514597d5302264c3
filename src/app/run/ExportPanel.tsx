import type { ExportFormat } from '../../engine/protocol.ts';
import { useActions, useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';
import { Notices } from '../ui/Notices.tsx';

const GROUPS: readonly { title: string; formats: readonly (readonly [ExportFormat, string, string])[] }[] = [
  {
    title: 'Weights',
    formats: [
      ['model.npz', 'npz', 'Weights and class map for NumPy'],
      ['model.safetensors', 'safetensors', 'Weights as safetensors'],
      ['model.json', 'JSON', 'Weights as JSON'],
      ['model.liblinear', 'LIBLINEAR', 'Weights as a LIBLINEAR model file'],
    ],
  },
  {
    title: 'Trace',
    formats: [
      ['trace.csv', 'CSV', 'Every iteration as CSV'],
      ['trace.json', 'JSON', 'Every iteration as JSON'],
    ],
  },
  {
    title: 'Certificate',
    formats: [
      ['certificate.npz', 'npz', 'Dual variables and all that is needed to recompute the gap elsewhere'],
    ],
  },
];

/** What can be taken away of the shown run. Every file carries seed, settings, data hash and certificate. */
export function ExportPanel() {
  const run = useApp(shownRun);
  const notices = useApp((state) => state.exportNotices);
  const { exportRun } = useActions();
  const offered = run?.report?.exports ?? [];
  return (
    <section className="panel export" aria-labelledby="export-head">
      <h2 id="export-head">Export</h2>
      {GROUPS.map(({ title, formats }) => (
        <div className="export-group" key={title}>
          <span>{title}</span>
          <div className="buttons">
            {formats.map(([format, label, does]) => (
              <button
                key={format}
                type="button"
                className="small"
                disabled={!run || !offered.includes(format)}
                title={does}
                aria-label={`${does} (${format})`}
                data-export={format}
                onClick={() => run && void exportRun(run.id, format)}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
      ))}
      <Notices notices={notices} />
    </section>
  );
}
