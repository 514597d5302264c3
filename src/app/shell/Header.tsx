import { useActions, useApp } from '../state/page.ts';
import { Icon } from '../ui/Icon.tsx';
import { Logo } from './Logo.tsx';
import { toggleTheme, useTheme } from './theme.ts';

export function Header() {
  const theme = useTheme();
  const backend = useApp((state) => state.backend);
  const { openHelp } = useActions();
  const kind = backend ? (backend.kind === 'webgpu' && !backend.software ? 'gpu' : 'cpu') : 'unknown';
  return (
    <header className="header">
      <span className="brand">
        <Logo />
        Dualgap
      </span>
      <span className={`engine ${kind}`} title={backend?.why}>
        {backend && `${backend.name}${backend.software ? ' (software)' : ''}`}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick={toggleTheme}
      >
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button type="button" className="icon-button" aria-label="Help and keys" onClick={() => openHelp(true)}>
        ?
      </button>
    </header>
  );
}
