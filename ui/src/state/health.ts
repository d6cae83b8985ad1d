// How the server is: whether it still reads what was there before it started, and whether its disk has room.
import { createSignal } from 'solid-js';
import { api } from '../api/client';
import type { Health } from '../api/types';

/** How often a server that still loads is asked. */
const ASK_AGAIN_MS = 1000;

const [health, setHealth] = createSignal<Health>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** How often the server said how it is. */
let told = 0;

export { health };

/** Takes in what the server says of itself; `loaded` runs when it has read everything. */
export function noteHealth(now: Health, loaded: () => void): void {
  told += 1;
  const loading = health()?.loading === true;
  setHealth(now);
  clearTimeout(timer);
  if (now.loading) timer = setTimeout(() => void askHealth(loaded), ASK_AGAIN_MS);
  else if (loading) loaded();
}

/** Asks how the server is; what the stream tells meanwhile is newer than the answer. */
export async function askHealth(loaded: () => void): Promise<void> {
  const before = told;
  const now = await api.health().catch(() => undefined);
  if (now && told === before) noteHealth(now, loaded);
}

/** Names of the phases that are not done. */
export function openPhases(): string[] {
  return Object.entries(health()?.phases ?? {}).flatMap(([name, state]) => (state === 'loading' ? [name] : []));
}
