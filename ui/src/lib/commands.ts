// Every action of the client that has a name: the palette lists them, shortcuts run them, the cheat
// sheet shows them. A screen brings its commands when it is mounted and takes them along when it goes.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { isTyping, strokeOf, writes } from './keys';
import { keyRow } from './keytable';
import { createStored } from './stored';

export interface Command {
  /** Stable name, by which a shortcut is rebound. */
  id: string;
  title: string;
  group: string;
  /** Its shortcut unless the user chose another, where that is not what the table of keys says. */
  keys?: string;
  /** Runs even while text is being typed, where its key is not itself text. */
  always?: boolean;
  /** Not in the palette: makes sense by its key alone. */
  hidden?: boolean;
  /** Told here alone: a part of the page takes its keys itself while it has the focus. */
  local?: boolean;
  run: () => void;
}

const SEQUENCE_MS = 1200;
const [sources, setSources] = createSignal<Accessor<Command[]>[]>([]);
const [bindings, setBindings] = createStored<Record<string, string>>('keys', {});
let first = '';
let firstAt = 0;

/** Brings commands for as long as the calling component lives. */
export function useCommands(list: Accessor<Command[]>): void {
  setSources((all) => [...all, list]);
  onCleanup(() => setSources((all) => all.filter((one) => one !== list)));
}

/** All commands there are now; those of the innermost screen first. */
export function commands(): Command[] {
  return sources().toReversed().flatMap((list) => list());
}

/** The shortcut of a command, as the user or its author chose it. */
export function keysOf(command: Pick<Command, 'id' | 'keys'>): string | undefined {
  const chosen = bindings()[command.id];
  return chosen === '' ? undefined : (chosen ?? command.keys ?? keyRow(command.id)?.keys);
}

/** Whether the user chose the shortcut of a command. */
export function isChosen(id: string): boolean {
  return bindings()[id] !== undefined;
}

/** Whether a key event is the shortcut of `id`: its only stroke, or the second of two. */
export function isKeyOf(event: KeyboardEvent, id: string): boolean {
  return keysOf({ id }) === strokeOf(event) || isSecondOf(event, id);
}

/** Whether it is the second stroke of the shortcut of `id`, begun before. */
export function isSecondOf(event: KeyboardEvent, id: string): boolean {
  return event.timeStamp - firstAt < SEQUENCE_MS && keysOf({ id }) === `${first} ${strokeOf(event)}`;
}

/** The shortcut of a command by its name; nothing when it is not there now. */
export function keysById(id: string): string | undefined {
  const command = commands().find((one) => one.id === id);
  return command && keysOf(command);
}

/** Runs a command by its name, where it is there now. */
export function runById(id: string): void {
  commands().find((one) => one.id === id)?.run();
}

/** Gives a command another shortcut; an empty one takes it away, `undefined` restores it. */
export function rebind(id: string, keys: string | undefined): void {
  const { [id]: _, ...rest } = bindings();
  setBindings(keys === undefined ? rest : { ...rest, [id]: keys });
}

/** Whether a key event is for a command: a shortcut, or what may begin one or go on with one. A part of the page that
    takes keys by itself leaves these alone, so that no way to go elsewhere ever means something else there. */
export function isShortcut(event: KeyboardEvent): boolean {
  const stroke = strokeOf(event);
  const begun = event.timeStamp - firstAt < SEQUENCE_MS ? first : '';
  return commands().some((one) => {
    const keys = one.local ? undefined : keysOf(one);
    return keys !== undefined && (keys === stroke || keys.startsWith(`${stroke} `) || (begun !== '' && keys.startsWith(`${begun} `)));
  });
}

/** Runs the command that a key event stands for. */
export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const stroke = strokeOf(event);
  const typing = isTyping(event.target);
  const pair = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${stroke}` : '';
  const list = commands().filter((one) => !one.local && (!typing || (one.always && !writes(stroke))));
  const found = list.find((one) => pair !== '' && keysOf(one) === pair) ?? list.find((one) => keysOf(one) === stroke);
  // What is held does once what it does, but for what moves by a step; nor does the browser do its own then.
  if (event.repeat && found && keyRow(found.id)?.repeats !== true) {
    if (!inDialog(event.target, found) && !presses(event)) event.preventDefault();
    return;
  }
  first = found || typing ? '' : stroke;
  firstAt = event.timeStamp;
  if (!found || inDialog(event.target, found) || presses(event)) return;
  event.preventDefault();
  found.run();
}

/** Enter and space on something that can be pressed press it. */
function presses(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' && event.key !== ' ') return false;
  return event.target instanceof Element && event.target.closest('a, button, summary, input, select, [role=option], [role=button]') !== null;
}

/** A dialog keeps its keys to itself, but for commands that run always. */
function inDialog(target: EventTarget | null, command: Command): boolean {
  return !command.always && target instanceof Element && target.closest('dialog[open]') !== null;
}
