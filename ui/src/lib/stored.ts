// Small things that outlive a reload in this browser: drafts, choices, what was seen. A full or
// forbidden storage loses them and nothing else.
import { createSignal, type Accessor } from 'solid-js';

const PREFIX = 'paddock.';

export function readStored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined || value === '') localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden: the value lives as long as the page.
  }
}

/** The keys below `prefix`, without it. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX + prefix) ? [key.slice(PREFIX.length + prefix.length)] : []));
  } catch {
    return [];
  }
}

/** A signal whose value is kept under `key`. */
export function createStored<T>(key: string, fallback: T): [Accessor<T>, (value: T) => void] {
  const [value, setValue] = createSignal<T>(readStored(key, fallback));
  return [
    value,
    (next) => {
      setValue(() => next);
      writeStored(key, next);
    },
  ];
}
