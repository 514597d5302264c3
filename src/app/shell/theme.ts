import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const STORED = 'dualgap-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function chosen(): Theme | undefined {
  const value = readStored();
  return value === 'light' || value === 'dark' ? value : undefined;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // Storage may be forbidden; the system's choice holds then.
    return null;
  }
}

function current(): Theme {
  return (document.documentElement.dataset.theme as Theme | undefined) ?? (dark.matches ? 'dark' : 'light');
}

/** Applies the stored choice, if there is one, before the first drawing. */
export function applyStoredTheme(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
}

/** Chooses the other theme and remembers it. */
export function toggleTheme(): void {
  const theme = current() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // It then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  dark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    dark.removeEventListener('change', listener);
  };
}

/** The theme that is shown: the stored choice, else the system's. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current);
}
