import { useEffect, useRef } from 'react';
import { useActions, useApp } from '../state/page.ts';
import { KEYS } from './keymap.ts';

/** What a duality gap is, the keys, and where data go (nowhere). */
export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = useApp((state) => state.helpOpen);
  const { openHelp } = useActions();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  return (
    <dialog ref={dialog} aria-labelledby="help-head" onClose={() => openHelp(false)}>
      <h2 id="help-head">Help</h2>
      <p>
        Training looks for the weights with the least objective P. Every step also gives a lower bound D on
        that least value, from the dual problem. The gap P − D therefore bounds how far the weights are from
        the optimum, without knowing it. While a run goes, the gap is an estimate in float32; at its end it is
        computed anew in float64 and then called certified.
      </p>
      <h3>Keys</h3>
      <dl className="keys">
        {KEYS.map(({ label, does }) => (
          <div key={label}>
            <dt>
              <kbd>{label}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        Text pasted anywhere is read as data. Nothing leaves this page: files are read, trained on and written
        here. The address holds settings and the sample's name, never data. Version {__VERSION__}.
      </p>
      <form method="dialog">
        <button type="submit" className="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
