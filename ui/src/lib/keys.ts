// Shortcuts: how one is written (`mod+k`, `shift+enter`, `g i`), matched against key events and shown.

export const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');

const SHOWN: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  backspace: '⌫',
  space: 'Space',
  delete: isMac ? '⌦' : 'Del',
};

/** The strokes of a shortcut as texts to show, one list a stroke. */
export function shownKeys(shortcut: string): string[][] {
  return shortcut.split(' ').map((stroke) => stroke.split('+').map(shownKey));
}

function shownKey(key: string): string {
  return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** What the keys that stand for others are on this machine. */
const MEANT: Record<string, string> = isMac ? { mod: 'command', other: 'ctrl', alt: 'option' } : { mod: 'ctrl', other: 'windows' };

/** A shortcut for those who hear it: what is shown, with `words` for what is a sign there. */
export function spokenKeys(shortcut: string, words: Record<string, string>): string {
  const spoken = (key: string): string => words[MEANT[key] ?? key] ?? shownKey(key);
  return shortcut.split(' ').map((stroke) => stroke.split('+').map(spoken).join(' + ')).join(', ');
}

/** A key event as one stroke, in the way that shortcuts are written. */
export function strokeOf(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  const parts: string[] = [];
  if (isMac ? event.metaKey : event.ctrlKey) parts.push('mod');
  if (isMac ? event.ctrlKey : event.metaKey) parts.push('other');
  if (event.altKey) parts.push('alt');
  // A shifted sign (`?`, `!`) is its own key; shift counts for letters and named keys only.
  if (event.shiftKey && (key.length > 1 || key.toUpperCase() !== key)) parts.push('shift');
  parts.push(key);
  return parts.join('+');
}

/** Whether a stroke means something to a text: a sign of it, or a way to go about in it. */
export function writes(stroke: string): boolean {
  return !/^(?:mod|other|alt)\+|^(?:shift\+)?(?:f\d+|escape)$/.test(stroke);
}

/** Whether keys typed at `target` are text and no commands. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}
