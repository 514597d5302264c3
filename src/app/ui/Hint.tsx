import { useId, useRef } from 'react';

interface Props {
  /** what is explained, for the button's name */
  readonly about: string;
  readonly text: string;
  readonly formula?: string;
}

const WIDTH = 300;

/**
 * A small 'i' whose tooltip opens on hover and on focus, stays while the pointer is on it, and closes on Esc. It lies in
 * the browser's top layer, so that no scrolling column cuts it off.
 */
export function Hint({ about, text, formula }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);

  function open(): void {
    if (!button.current || !tip.current || tip.current.matches(':popover-open')) return;
    tip.current.showPopover();
    const { left, top, bottom } = button.current.getBoundingClientRect();
    const { height } = tip.current.getBoundingClientRect();
    const below = bottom + 6;
    const place = below + height > window.innerHeight - 8 ? top - height - 6 : below;
    tip.current.style.left = `${Math.max(8, Math.min(left - 12, window.innerWidth - WIDTH - 8))}px`;
    tip.current.style.top = `${Math.max(8, place)}px`;
  }

  function close(): void {
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer may move from the button on to its tooltip
    <span className="hint" onMouseEnter={open} onMouseLeave={close}>
      <button
        type="button"
        ref={button}
        aria-label={`About ${about}`}
        aria-describedby={id}
        onFocus={open}
        onBlur={close}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !tip.current?.matches(':popover-open')) return;
          event.stopPropagation();
          close();
        }}
      >
        i
      </button>
      <span role="tooltip" id={id} ref={tip} popover="manual" className="tip">
        {text}
        {formula && <code>{formula}</code>}
      </span>
    </span>
  );
}
