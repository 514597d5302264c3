import type { Theme } from '../shell/theme.ts';

/** Run colours, at least 3:1 on either background and told apart with colour-blind eyes; dashes carry quantities. */
const RUNS: Record<Theme, readonly string[]> = {
  light: ['#1a5fb4', '#b34d00', '#1b7f4b', '#8a3ab9', '#b3245f', '#6b6400', '#0a7590', '#5a5f66'],
  dark: ['#78aeff', '#f5a254', '#62cf93', '#cf9bf5', '#ff86b4', '#d6c94c', '#5ccade', '#bcc2c9'],
};

export function runColour(slot: number, theme: Theme): string {
  return RUNS[theme][slot % RUNS[theme].length];
}

/** What the plot is drawn with, beside run colours. */
export const INK: Record<Theme, { text: string; grid: string; line: string; paper: string }> = {
  light: { text: '#4d5257', grid: '#e9e9e5', line: '#b9b9b2', paper: '#ffffff' },
  dark: { text: '#aab1b8', grid: '#2a2f34', line: '#4a5158', paper: '#191c1f' },
};

export type Quantity = 'primal' | 'dual' | 'gap';

export const DASHES: Record<Quantity, 'solid' | 'longdash' | 'dot'> = {
  primal: 'solid',
  dual: 'longdash',
  gap: 'dot',
};
