import { type ReactNode, useState } from 'react';

/** Below this width sections start closed, under a line that says what is in them. */
const NARROW = '(max-width: 699px)';

interface Props {
  readonly id: string;
  readonly title: string;
  /** what is set inside, shown while it is closed */
  readonly summary: string;
  readonly children: ReactNode;
}

/** A group of settings that opens and closes. */
export function Section({ id, title, summary, children }: Props) {
  const [open] = useState(() => !window.matchMedia(NARROW).matches);
  return (
    <section className="panel" aria-labelledby={id}>
      <details className="section" open={open}>
        <summary>
          <h2 id={id}>{title}</h2>
          <span className="summary-line">{summary}</span>
        </summary>
        {children}
      </details>
    </section>
  );
}
