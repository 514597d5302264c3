import { useEffect, useRef, useState } from 'react';
import { announcement } from '../run/messages.ts';
import { useApp } from '../state/page.ts';
import { shownRun } from '../state/select.ts';

/** Screen readers hear the gap at most this often; a change of phase is told at once. */
const EVERY_MS = 8000;

/** Tells the gap, now and then, to those who do not see it fall. */
export function Announcer() {
  const status = useApp((state) => shownRun(state)?.status);
  const [text, setText] = useState('');
  const last = useRef({ time: 0, phase: '' });
  useEffect(() => {
    if (!status) return;
    const now = Date.now();
    const phase = `${status.id} ${status.phase}`;
    if (phase === last.current.phase && now - last.current.time < EVERY_MS) return;
    last.current = { time: now, phase };
    setText(announcement(status));
  }, [status]);
  return (
    <p className="hidden" role="status">
      {text}
    </p>
  );
}
