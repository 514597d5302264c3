import { useEffect } from 'react';
import { useDropzone } from 'react-dropzone';
import { Empty } from './data/Empty.tsx';
import { loadPlotly } from './plot/plotly.ts';
import { useLink } from './settings/use-link.ts';
import { Announcer } from './shell/Announcer.tsx';
import { Header } from './shell/Header.tsx';
import { HelpDialog } from './shell/HelpDialog.tsx';
import { ProblemBox } from './shell/ProblemBox.tsx';
import { TaskBar } from './shell/TaskBar.tsx';
import { useKeyboard } from './shell/use-keyboard.ts';
import { usePaste } from './shell/use-paste.ts';
import { useApp, usePage } from './state/page.ts';
import { isEmpty } from './state/select.ts';
import { Workspace } from './Workspace.tsx';

/** The page: files may be dropped and pasted anywhere on it. */
export function App() {
  const { engine, store, actions } = usePage();
  const empty = useApp(isEmpty);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    onDropAccepted: (files) => void actions.take(files),
  });
  useKeyboard(open);
  usePaste();
  useLink();

  useEffect(() => {
    // Without an answer the page says nothing about the engine; a run will say it.
    engine.probe().then(
      (backend) => store.setState({ backend }),
      () => undefined,
    );
  }, [engine, store]);
  useEffect(() => {
    if (!empty) void loadPlotly();
  }, [empty]);

  return (
    <div
      {...getRootProps({
        role: undefined,
        tabIndex: undefined,
        className: isDragActive ? 'page dropping' : 'page',
      })}
    >
      <input {...getInputProps({ style: { display: 'none' } })} aria-label="Pick a data or model file" />
      <Header />
      <ProblemBox />
      {empty ? <Empty /> : <Workspace />}
      <TaskBar />
      <Announcer />
      <HelpDialog />
    </div>
  );
}
