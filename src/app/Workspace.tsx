import { useEffect } from 'react';
import { DataPanel } from './data/DataPanel.tsx';
import { SplitSettings } from './data/SplitSettings.tsx';
import { Convergence } from './plot/Convergence.tsx';
import { Centre } from './results/Centre.tsx';
import { Controls } from './run/Controls.tsx';
import { ExportPanel } from './run/ExportPanel.tsx';
import { Numbers } from './run/Numbers.tsx';
import { RunList } from './run/RunList.tsx';
import { StatusLine } from './run/StatusLine.tsx';
import { SettingsPanel } from './settings/SettingsPanel.tsx';
import { BackendLine } from './shell/BackendLine.tsx';
import { useApp } from './state/page.ts';

/** Data and settings at the left, curves and results in the middle, the run at the right (layout.css). */
export function Workspace() {
  const runs = useApp((state) => state.runs.length);
  useEffect(() => {
    // On a phone the plot lies far below the button that starts a run.
    const phone = window.matchMedia('(max-width: 699px)').matches;
    if (phone && runs > 0) document.querySelector('.status-line')?.scrollIntoView();
  }, [runs]);

  return (
    <main className="workspace">
      <h1 className="hidden">Train and inspect</h1>
      <div className="left">
        <DataPanel />
        <SplitSettings />
        <SettingsPanel />
      </div>
      <div className="middle">
        <StatusLine />
        <Convergence />
        <Centre />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className="right" tabIndex={0} aria-label="Run, runs and export">
        <Numbers />
        <Controls />
        <RunList />
        <ExportPanel />
        <BackendLine />
      </section>
    </main>
  );
}
