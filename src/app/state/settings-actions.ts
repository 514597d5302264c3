import type { PrepareSettings, TrainSettings } from '../../model/settings.ts';
import { withDefaults } from '../settings/check.ts';
import type { Context } from './context.ts';
import type { AppState, CentreTab, PlotView } from './state.ts';

export interface SettingsActions {
  change(settings: Partial<TrainSettings>): void;
  changeStop(stop: Partial<TrainSettings['stop']>): void;
  changePrepare(prepare: Partial<PrepareSettings>): void;
  /** Says that the text of a field cannot be used, or (undefined) that it can. */
  mark(field: string, reason: string | undefined): void;
  startFrom(warmStart: AppState['warmStart']): void;
  changeView(view: Partial<PlotView>): void;
  openTab(tab: CentreTab): void;
  openHelp(open: boolean): void;
}

export function settingsActions({ store }: Context): SettingsActions {
  const { setState } = store;
  return {
    change: (settings) =>
      setState((state) => {
        const next = { ...state.settings, ...settings };
        return { settings: state.data ? withDefaults(next, state.data.classes.length) : next };
      }),
    changeStop: (stop) =>
      setState((state) => ({ settings: { ...state.settings, stop: { ...state.settings.stop, ...stop } } })),
    changePrepare: (prepare) => setState((state) => ({ prepare: { ...state.prepare, ...prepare } })),
    mark: (field, reason) =>
      setState((state) => {
        if (state.invalid[field] === reason) return state;
        const { [field]: _, ...others } = state.invalid;
        return { invalid: reason === undefined ? others : { ...others, [field]: reason } };
      }),
    startFrom: (warmStart) => setState({ warmStart }),
    changeView: (view) => setState((state) => ({ view: { ...state.view, ...view } })),
    openTab: (tab) => setState({ tab }),
    openHelp: (helpOpen) => setState({ helpOpen }),
  };
}
