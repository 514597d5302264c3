import type { DataSummary } from '../../engine/protocol.ts';
import { formatCount, formatPercent } from '../ui/format.ts';

/** How many classes get a bar; with more, the largest and the smallest are shown. */
const BARS = 12;

/** Examples a class, as bars. */
export function ClassBars({ data }: { data: DataSummary }) {
  const { classes } = data;
  const most = Math.max(...classes.map((one) => one.count));
  const sorted = [...classes].sort((a, b) => b.count - a.count);
  const shown = classes.length <= BARS ? classes : [...sorted.slice(0, 6), ...sorted.slice(-5)];
  const left = classes.length - shown.length;
  return (
    <div className="bars">
      <table>
        <caption>
          {formatCount(classes.length)} classes
          {left > 0 && <span className="muted"> (the 6 largest and 5 smallest)</span>}
        </caption>
        <colgroup>
          <col className="bar-name" />
          <col />
          <col className="bar-count" />
        </colgroup>
        <thead className="hidden">
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Share</th>
            <th scope="col">Examples</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name}
              </th>
              <td>
                <span
                  className="bar"
                  style={{ width: `${(100 * count) / most}%` }}
                  title={formatPercent(count / data.examples)}
                />
              </td>
              <td className="number">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
