import { useEffect } from 'react';
import type { LoadRequest } from '../../engine/protocol.ts';
import { messageOf } from '../state/context.ts';
import { type Page, usePage } from '../state/page.ts';
import type { AppState } from '../state/state.ts';
import { type LinkState, readLink, writeLink } from './link.ts';

/** What of the state a link holds. */
function linkOf({ settings, prepare, source }: AppState): LinkState {
  return {
    settings,
    prepare,
    ...(source?.kind === 'sample' && { sample: source.id }),
    ...(source?.kind === 'synthetic' && { synthetic: source.settings }),
  };
}

/** Takes over the settings of the address, and loads the built-in data it names. */
function apply({ store, actions }: Page): void {
  try {
    const link = readLink(location.hash);
    if (!link) return;
    store.setState({ settings: link.settings, prepare: link.prepare });
    const request = requestOf(link);
    if (request) void actions.load(request);
  } catch (error) {
    const message = `${messageOf(error)} The default settings are used.`;
    store.setState({ problem: { title: 'The link was not read', message } });
  }
}

function requestOf({ sample, synthetic }: LinkState): LoadRequest | undefined {
  if (sample) return { kind: 'sample', id: sample };
  return synthetic && { kind: 'synthetic', settings: synthetic };
}

/** Keeps the address and the settings alike: read at the start and when it is changed by hand, written on every change. */
export function useLink(): void {
  const page = usePage();
  useEffect(() => {
    let written = '';
    const onHash = () => location.hash !== written && apply(page);
    onHash();
    const stop = page.store.subscribe((state, before) => {
      const { settings, prepare, source } = state;
      if (settings === before.settings && prepare === before.prepare && source === before.source) return;
      written = writeLink(linkOf(state));
      history.replaceState(null, '', written);
    });
    window.addEventListener('hashchange', onHash);
    return () => {
      stop();
      window.removeEventListener('hashchange', onHash);
    };
  }, [page]);
}
