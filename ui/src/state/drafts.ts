// What was begun and not sent, by task; survives a reload.
import { readStored, writeStored } from '../lib/stored';

const KEEP_AFTER_MS = 300;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function draftOf(key: string): string {
  return readStored(`draft.${key}`, '');
}

/** Keeps a draft, soon; an empty one is forgotten. */
export function keepDraft(key: string, text: string): void {
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => writeStored(`draft.${key}`, text), KEEP_AFTER_MS),
  );
}

export function forgetDraft(key: string): void {
  clearTimeout(timers.get(key));
  writeStored(`draft.${key}`, undefined);
}
