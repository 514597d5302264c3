import { useActions, useApp } from '../state/page.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import type { Quantity } from './palette.ts';

const QUANTITIES: readonly Quantity[] = ['primal', 'dual', 'gap'];
const SAMPLES: Record<Quantity, string | undefined> = { primal: undefined, dual: '9 4', gap: '2 4' };

/** What is drawn, over what, on which scales. */
export function Toolbar() {
  const view = useApp((state) => state.view);
  const { changeView } = useActions();
  return (
    <div className="toolbar">
      <fieldset className="group">
        <legend className="hidden">Curves</legend>
        {QUANTITIES.map((quantity) => (
          <Toggle key={quantity} on={view[quantity]} onChange={(on) => changeView({ [quantity]: on })}>
            {quantity}
            <svg className="dash" viewBox="0 0 26 4" aria-hidden="true">
              <path d="M1 2H25" strokeDasharray={SAMPLES[quantity]} />
            </svg>
          </Toggle>
        ))}
      </fieldset>
      <Segmented
        name="x-axis"
        label="Horizontal axis"
        options={[
          ['iteration', 'Iteration'],
          ['seconds', 'Seconds'],
        ]}
        value={view.x}
        onValue={(x) => changeView({ x })}
      />
      <fieldset className="group">
        <legend className="hidden">Scales</legend>
        <Toggle on={view.logY} onChange={(logY) => changeView({ logY })}>
          log y
        </Toggle>
        <Toggle on={view.logX} onChange={(logX) => changeView({ logX })}>
          log x
        </Toggle>
      </fieldset>
    </div>
  );
}
