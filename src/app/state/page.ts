import { createContext, useContext } from 'react';
import { createStore, useStore } from 'zustand';
import type { Engine } from '../../engine/protocol.ts';
import type { Context } from './context.ts';
import { type DataActions, dataActions } from './data-actions.ts';
import { listen } from './events.ts';
import { type ModelActions, modelActions } from './model-actions.ts';
import { type RunActions, runActions } from './run-actions.ts';
import { type SettingsActions, settingsActions } from './settings-actions.ts';
import { type AppState, INITIAL } from './state.ts';

export type Actions = DataActions & ModelActions & RunActions & SettingsActions;

/** The page behind its components: engine, state, and what can be done. */
export interface Page extends Context {
  readonly actions: Actions;
}

/** Joins an engine to a fresh state and listens to it. */
export function createPage(engine: Engine): Page {
  const store = createStore<AppState>(() => INITIAL);
  const context: Context = { engine, store, traces: new Map(), early: new Map(), removed: new Set() };
  listen(context);
  const data = dataActions(context);
  const actions = { ...data, ...modelActions(context), ...runActions(context), ...settingsActions(context) };
  return { ...context, actions };
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A component was drawn outside PageContext.');
  return page;
}

/** A part of the state; draws again when it changes (by Object.is). */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(usePage().store, select);
}

export function useActions(): Actions {
  return usePage().actions;
}
