import type { RefObject } from 'react';
import { useEffect } from 'react';
import type { Figure } from './figure.ts';
import { loadPlotly, PLOT_CONFIG } from './plotly.ts';

interface Props {
  readonly root: RefObject<HTMLElement | null>;
  readonly figure: Figure;
  readonly label: string;
}

/** A plotly figure that follows its data and its size. It fills its parent, which keeps the space. */
export function Plot({ root, figure, label }: Props) {
  useEffect(() => {
    let current = true;
    void loadPlotly().then((plotly) => {
      if (current && root.current) void plotly.react(root.current, figure.data, figure.layout, PLOT_CONFIG);
    });
    return () => {
      current = false;
    };
  }, [root, figure]);

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // plotly refuses to measure a figure that it has not drawn, or that is not shown.
      if (!element.classList.contains('js-plotly-plot') || element.offsetWidth === 0) return;
      void loadPlotly().then((plotly) => plotly.Plots.resize(element));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      void loadPlotly().then((plotly) => plotly.purge(element));
    };
  }, [root]);

  return <figure ref={root} className="plot-root" aria-label={label} />;
}
