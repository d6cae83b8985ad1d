// What was begun and not sent, by task; survives a reload.
import { readStored, writeStored } from '../lib/stored';

const KEEP_AFTER_MS = 300;
const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; text: string }>();
// A page that goes has no time left.
globalThis.addEventListener?.('pagehide', () => [...timers].forEach(([key, { text }]) => write(key, text)));

export function draftOf(key: string): string {
  return readStored(`draft.${key}`, '');
}

/** Keeps a draft, soon; an empty one is forgotten. */
export function keepDraft(key: string, text: string): void {
  clearTimeout(timers.get(key)?.timer);
  timers.set(key, { text, timer: setTimeout(() => write(key, text), KEEP_AFTER_MS) });
}

export function forgetDraft(key: string): void {
  write(key, undefined);
}

function write(key: string, text: string | undefined): void {
  clearTimeout(timers.get(key)?.timer);
  timers.delete(key);
  writeStored(`draft.${key}`, text);
}
