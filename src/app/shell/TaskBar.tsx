import { useApp } from '../state/page.ts';
import { formatPercent } from '../ui/format.ts';

/** Reading or predicting: how far it is, and a way out. It lies over the page, so that nothing moves. */
export function TaskBar() {
  const task = useApp((state) => state.task);
  if (!task) return null;
  return (
    <div className="task">
      <span>
        {task.title} <span className="muted">{formatPercent(task.fraction)}</span>
      </span>
      <progress aria-label={task.title} max={1} value={task.fraction} />
      {task.cancel && (
        <button type="button" className="small" onClick={task.cancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
