import type { SolverChoice } from '../../model/settings.ts';
import { useActions, useApp } from '../state/page.ts';
import { Field } from '../ui/Field.tsx';
import { NumberSetting } from '../ui/NumberSetting.tsx';
import { HINTS, SOLVER_HINTS } from './hints.ts';

/** Smoothing, the solver, and the gap at which it may stop. */
export function SolverFields() {
  const { solver, smoothing, stop } = useApp((state) => state.settings);
  const { change, changeStop } = useActions();
  return (
    <>
      <NumberSetting
        id="smoothing"
        label="Smoothing g"
        hint={HINTS.smoothing}
        note={smoothing === 0 ? 'None: the loss keeps its kink' : undefined}
        min={0}
        value={smoothing}
        onValue={(value = 0) => change({ smoothing: value })}
      />
      <Field id="solver" label="Solver" hint={SOLVER_HINTS[solver]} note={SOLVER_HINTS[solver].text}>
        <select
          id="solver"
          value={solver}
          aria-describedby="solver-note"
          onChange={(event) => change({ solver: event.target.value as SolverChoice })}
        >
          {Object.entries(SOLVER_HINTS).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <NumberSetting
        id="target-gap"
        label="Target gap"
        hint={HINTS.target}
        note={stop.relativeGap === undefined ? 'No target: runs to its limit' : 'Relative to the objective'}
        min={0}
        above
        optional
        value={stop.relativeGap}
        onValue={(relativeGap) => changeStop({ relativeGap })}
      />
      <NumberSetting
        id="max-iterations"
        label="Iterations at most"
        hint={HINTS.iterations}
        min={1}
        max={1e9}
        integer
        optional
        value={stop.maxIterations}
        onValue={(maxIterations) => changeStop({ maxIterations })}
      />
    </>
  );
}
