import { ReadOptions } from '../data/ReadOptions.tsx';
import { useActions, useApp } from '../state/page.ts';
import { Icon } from '../ui/Icon.tsx';

/** What went wrong, where, and what to do. What was there before is still there. */
export function ProblemBox() {
  const problem = useApp((state) => state.problem);
  const { dismiss } = useActions();
  return (
    <div role="alert">
      {problem && (
        <div className="problem">
          <Icon name="warn" />
          <div>
            <strong>{problem.title}</strong>
            <p>{problem.message}</p>
            {problem.retry && (
              <ReadOptions request={problem.retry} open={/missing|label/i.test(problem.message)} />
            )}
          </div>
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
