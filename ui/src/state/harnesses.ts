// What each harness can do, asked for once and kept while the page lives.
import { createSignal } from 'solid-js';
import { api } from '../api/client';
import type { HarnessView } from '../api/types';

const [known, setKnown] = createSignal<readonly HarnessView[]>();
let asking = false;

/** The harness of this name; nothing while it is being asked for. */
export function harnessOf(name: string): HarnessView | undefined {
  const all = known();
  if (all === undefined && !asking) {
    asking = true;
    api
      .harnesses()
      .then(setKnown)
      .catch(() => undefined)
      .finally(() => (asking = false));
  }
  return all?.find((one) => one.name === name);
}
