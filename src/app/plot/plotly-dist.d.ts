/** The part of plotly.js that the page calls; the distribution file itself has no types. */
declare module 'plotly.js-basic-dist-min' {
  import type { Config, Data, DownloadImgopts, Layout } from 'plotly.js';

  interface PlotlyDistribution {
    react(
      root: HTMLElement,
      data: Data[],
      layout: Partial<Layout>,
      config: Partial<Config>,
    ): Promise<unknown>;
    purge(root: HTMLElement): void;
    downloadImage(root: HTMLElement, options: DownloadImgopts): Promise<string>;
    readonly Plots: { resize(root: HTMLElement): void };
  }

  const plotly: PlotlyDistribution;
  export default plotly;
}
