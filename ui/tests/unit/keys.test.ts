// Shortcuts: one table of them, what is in whose way, and strokes that begin others.
import { createRoot } from 'solid-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isKeyOf, isSecondOf, keysOf, onKey, rebind, useCommands, type Command } from '../../src/lib/commands';
import { deSpoken } from '../../src/i18n/de/spoken';
import { enSpoken } from '../../src/i18n/en/spoken';
import { spokenKeys } from '../../src/lib/keys';
import { KEYS, KEY_IDS, clashes, type KeyId, type KeyRow } from '../../src/lib/keytable';
import { shortcutGroups, shortcutTitle } from '../../src/state/shortcuts';

const ran: string[] = [];
let leave: (() => void) | undefined;

/** Has commands on the page that say that they ran. */
function have(...list: (Pick<Command, 'id' | 'always'>)[]): void {
  leave = createRoot((dispose) => (useCommands(() => list.map((one) => ({ ...one, title: one.id, group: '', run: () => void ran.push(one.id) }))), dispose));
}

/** Presses a key at `at`; whether nothing else is made of it. */
function hit(key: string, init: KeyboardEventInit = {}, at: Element = document.body): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  at.addEventListener('keydown', (event) => onKey(event as KeyboardEvent), { once: true });
  at.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => KEY_IDS.forEach((id) => rebind(id, undefined)));
afterEach(() => {
  leave?.();
  ran.length = 0;
  document.body.replaceChildren();
});

const byDefault = (id: KeyId): string | undefined => (KEYS[id] as KeyRow).keys;

test('nothing is in the way of anything unless the user chose so', () => {
  for (const id of KEY_IDS) expect([id, clashes(id, byDefault(id) ?? 'none of them', byDefault)]).toEqual([id, []]);
});

test('a key is in the way where both hold, and where it begins the other', () => {
  expect(clashes('new', 'z', byDefault)).toEqual(['undo']);
  expect(clashes('view', 'j', byDefault)).toEqual(['file-next']);
  expect(clashes('card-deny', 'y', byDefault)).toEqual(['card-once']);
  expect(clashes('view', 'y', byDefault)).toEqual([]);
  expect(clashes('reply', 'g', byDefault)).toContain('tasks');
  expect(clashes('queue-up', 'shift+s', byDefault)).toEqual(['stop']);
});

test('every key has a title and stands under one heading', () => {
  expect(shortcutGroups().flatMap((group) => group.ids).sort()).toEqual([...KEY_IDS].sort());
  for (const id of KEY_IDS) expect(shortcutTitle(id)).not.toBe('');
});

test('a key that was taken away stays away until it is given back', () => {
  rebind('undo', '');
  expect(keysOf({ id: 'undo' })).toBeUndefined();
  rebind('undo', undefined);
  expect(keysOf({ id: 'undo' })).toBe('z');
});

test('the second of two strokes counts after the first alone', () => {
  rebind('card-deny', 'g y');
  const press = (key: string): KeyboardEvent => new KeyboardEvent('keydown', { key });
  expect(isKeyOf(press('y'), 'card-deny')).toBe(false);
  onKey(press('g'));
  expect(isSecondOf(press('y'), 'card-deny')).toBe(true);
  expect(isKeyOf(press('n'), 'card-deny')).toBe(false);
});

test('a letter that is typed is text, whatever command has it', () => {
  have({ id: 'interrupt', always: true }, { id: 'palette', always: true });
  rebind('interrupt', 'i');
  const area = document.body.appendChild(document.createElement('textarea'));
  expect(hit('i', {}, area)).toBe(false);
  expect(hit('I', { shiftKey: true }, area)).toBe(false);
  expect(ran).toEqual([]);
  expect(hit('k', { ctrlKey: true }, area)).toBe(true);
  rebind('palette', 'f2');
  hit('F2', {}, area);
  hit('i');
  expect(ran).toEqual(['palette', 'palette', 'interrupt']);
});

test('what puts aside where something is asked has a key of its own, in nobody’s way but theirs who can hold then', () => {
  expect(clashes('put-aside-asking', 'y', byDefault)).toEqual(['card-once', 'card-approve']);
  expect(clashes('put-aside-asking', 'k', byDefault)).toContain('inbox-previous');
  expect(clashes('put-aside', 'y', byDefault)).toEqual([]);
  expect(clashes('inbox-open', 'n', byDefault)).toEqual(['card-deny', 'card-reject']);
  rebind('put-aside', 'y');
  expect(keysOf({ id: 'put-aside-asking' })).toBe('shift+e');
});

test('a key that is held does what it does once, but goes on where it moves by a step', () => {
  have({ id: 'put-aside' }, { id: 'archive' }, { id: 'row-next' }, { id: 'tasks' });
  const held = (key: string, init: KeyboardEventInit = {}): void => [false, true, true].forEach((repeat) => void hit(key, { ...init, repeat }));
  held('e');
  held('A', { shiftKey: true });
  hit('g');
  held('t');
  expect(ran).toEqual(['put-aside', 'archive', 'tasks']);
  held('j');
  expect(ran.slice(3)).toEqual(['row-next', 'row-next', 'row-next']);
});

test('what is heard of a key is a word for every sign', () => {
  expect(spokenKeys('alt+arrowup', enSpoken)).toBe('Alt + Up arrow');
  expect(spokenKeys('mod+shift+f', enSpoken)).toBe('Control + Shift + F');
  expect(spokenKeys('g [', deSpoken)).toBe('G, Eckige Klammer auf');
  expect(Object.keys(deSpoken)).toEqual(Object.keys(enSpoken));
  for (const id of KEY_IDS) expect(spokenKeys(byDefault(id) ?? 'a', enSpoken)).toMatch(/^[A-Za-z0-9 ,+]+$/);
});
