// What each harness can do, asked for once and kept while the page lives; asked again, ever less often, while that fails.
import { createSignal } from 'solid-js';
import { api } from '../api/client';
import type { HarnessView } from '../api/types';

const AGAIN_MS = 1000;
const AGAIN_MAX_MS = 60_000;

const [known, setKnown] = createSignal<readonly HarnessView[]>();
let asking = false;

/** The harness of this name; nothing while it is being asked for. */
export function harnessOf(name: string): HarnessView | undefined {
  const all = known();
  if (all === undefined && !asking) ask(AGAIN_MS);
  return all?.find((one) => one.name === name);
}

function ask(again: number): void {
  asking = true;
  void api.harnesses().then(setKnown, () => void setTimeout(ask, again, Math.min(again * 2, AGAIN_MAX_MS)));
}
