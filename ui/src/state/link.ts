// Whether the server is there: one word for the whole page, from the stream of all tasks.
import { createSignal } from 'solid-js';
import type { LinkState } from '../api/stream';

const [link, setLink] = createSignal<LinkState>({ at: 'connecting' });
const [signedIn, setSignedIn] = createSignal(true);

export { link, signedIn, setSignedIn };

/** Notes where the stream of all tasks stands. */
export function noteLink(state: LinkState): void {
  // While it tries again, what matters is since when nothing was heard.
  if (state.at === 'connecting' && link().at === 'waiting') return;
  setLink(state);
  if (state.at === 'signed_out') setSignedIn(false);
}
