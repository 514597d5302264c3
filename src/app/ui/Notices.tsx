import type { DataNotice } from '../../data/dataset.ts';
import { formatCount } from './format.ts';
import { Icon } from './Icon.tsx';

/** What was noticed on the way, each with how often and where first. */
export function Notices({ notices }: { notices: readonly DataNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <ul className="notices">
      {notices.map(({ code, message, count, line }) => (
        <li key={`${code}${line ?? ''}`}>
          <Icon name="info" />
          <span>
            {message}
            {count !== undefined && count > 1 && <span className="muted"> {formatCount(count)} times.</span>}
            {line !== undefined && <span className="muted"> First in line {formatCount(line)}.</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
