const PATHS = {
  play: 'M5 3.5v9l7.5-4.5z',
  pause: 'M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z',
  step: 'M3.5 3.5v9L9.5 8zM10.5 3.5H12.5v9H10.5z',
  stop: 'M4 4h8v8H4z',
  close: 'M4 4l8 8M12 4l-8 8',
  upload: 'M8 11V3M4.5 6L8 2.5 11.5 6M3 11v2.5h10V11',
  download: 'M8 3v8M4.5 8L8 11.5 11.5 8M3 13.5h10',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M12.8 9.9A5.5 5.5 0 016.1 3.2a5.5 5.5 0 106.7 6.7z',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.6v.4',
  info: 'M8 2a6 6 0 100 12A6 6 0 008 2M8 7.5V11M8 5v.2',
  flag: 'M4 14V2.5h7.5L9.8 5.2l1.7 2.8H4',
} as const;

const FILLED: ReadonlySet<string> = new Set(['play', 'pause', 'step', 'stop']);

/** A 16 px drawing beside a word; never alone, so always hidden from screen readers. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className={FILLED.has(name) ? 'icon filled' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
