import type { Evaluation } from '../../model/metrics.ts';
import { formatCount, formatPercent } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';

interface Props {
  readonly sets: readonly (readonly [name: string, evaluation: Evaluation])[];
}

/** Error at every k, a row a set of examples. */
export function Errors({ sets }: Props) {
  const ks = sets[0][1].topErrors.map(({ k }) => k);
  return (
    <table className="numbers errors">
      <caption className="hidden">Share of examples whose true class is not among the k best</caption>
      <thead>
        <tr>
          <th scope="col">Error at</th>
          {ks.map((k) => (
            <th scope="col" key={k}>
              k = {k}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sets.map(([name, { examples, topErrors }]) => (
          <tr key={name}>
            <th scope="row">
              {name} <span className="muted">{formatCount(examples)}</span>
            </th>
            {topErrors.map(({ k, error }) => (
              <td key={k}>{formatPercent(error)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Classes that nothing is assigned to, and scores that were tied: both make errors at k look better than they are. */
export function Cautions({ evaluation }: { evaluation: Evaluation }) {
  const { neverPredicted, ties } = evaluation;
  const names = neverPredicted.slice(0, 8).join(', ');
  return (
    <ul className="notices">
      {neverPredicted.length > 0 && (
        <li className="warn">
          <Icon name="warn" />
          <span>
            {neverPredicted.length === 1
              ? 'One class is'
              : `${formatCount(neverPredicted.length)} classes are`}{' '}
            never predicted: {names}
            {neverPredicted.length > 8 && ' and others'}. A smaller λ or balanced class weights may help.
          </span>
        </li>
      )}
      {ties > 0 && (
        <li className="warn">
          <Icon name="warn" />
          <span>
            {formatCount(ties)} examples have their best score in two classes or more; the class listed first
            is taken.
          </span>
        </li>
      )}
    </ul>
  );
}
