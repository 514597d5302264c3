import type { Config } from 'plotly.js';

/** Loads plotly.js, once, in its own chunk. Called early (when data are loaded) so that the first curve need not wait. */
export function loadPlotly() {
  return import('plotly.js-basic-dist-min').then((module) => module.default);
}

/** No logo, and nothing that could send a figure anywhere: figures leave the page only as files. */
export const PLOT_CONFIG: Partial<Config> = {
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: '',
  modeBarButtonsToRemove: ['toImage', 'select2d', 'lasso2d', 'autoScale2d'],
};
