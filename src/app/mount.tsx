import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Engine } from '../engine/protocol.ts';
import { App } from './App.tsx';
import { applyStoredTheme } from './shell/theme.ts';
import { createPage, PageContext } from './state/page.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/panels.css';
import './styles/data.css';
import './styles/messages.css';
import './styles/run.css';
import './styles/shell.css';
import './styles/tables.css';

/** Draws the page for an engine. */
export function mount(engine: Engine, root: HTMLElement): void {
  applyStoredTheme();
  const page = createPage(engine);
  createRoot(root).render(
    <StrictMode>
      <PageContext value={page}>
        <App />
      </PageContext>
    </StrictMode>,
  );
}
