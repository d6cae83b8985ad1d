// The commands of the agent's own program, above the reply while one is being typed: arrows move, Enter and Tab
// take, Escape closes; so do a click and a touch. The focus stays in the text.
import { For, Show, createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { OfferedCommand, Task } from '../../api/types';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { commandTyped, commandsFor, createOffers } from '../../state/offers';

export interface Slash {
  list: Accessor<OfferedCommand[]>;
  at: Accessor<number>;
  id: string;
  /** The id of an option, for the text that it belongs to. */
  option: (nth: number) => string;
  take: (nth: number) => void;
  point: (nth: number) => void;
  /** Whether the key was for the list. */
  key: (event: KeyboardEvent) => boolean;
}

export function createSlash(task: Accessor<Task>, text: Accessor<string>, write: (text: string) => void): Slash {
  const id = newElementId('slash');
  const typed = createMemo(() => commandTyped(text()));
  const offers = createOffers(task, () => typed() !== undefined);
  const [at, point] = createSignal(0);
  /** The text for which the list was closed. */
  const [closed, close] = createSignal<string>();
  const list = createMemo(() => {
    const now = typed();
    return now === undefined || closed() === text() ? [] : commandsFor(offers(), now);
  });
  createEffect(on(typed, () => point(0)));
  const take = (nth: number): void => {
    const command = list()[nth];
    if (!command) return;
    const whole = `/${command.name}${command.hint === undefined ? '' : ' '}`;
    write(whole);
    close(whole);
  };
  const move = (by: number): void => {
    const count = list().length;
    point((at() + by + count) % count);
  };
  const key = (event: KeyboardEvent): boolean => {
    if (list().length === 0) return false;
    // What is typed whole is sent, not completed.
    const whole = event.key === 'Enter' && list()[at()]?.name === typed();
    if (whole || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' || event.key === 'Tab') take(at());
    else if (event.key === 'Escape') close(text());
    else return false;
    event.preventDefault();
    return true;
  };
  return { list, at, id, option: (nth) => `${id}-${nth}`, take, point, key };
}

/** Between the list and what it is above. */
const APART = 4;

/** `over` is what the list stands above, as wide as that. */
export function SlashList(props: { slash: Slash; over: () => HTMLElement }) {
  let box: HTMLUListElement | undefined;
  const place = (): void => {
    const { left, top, width } = props.over().getBoundingClientRect();
    if (box) Object.assign(box.style, { left: `${left}px`, bottom: `${window.innerHeight - top + APART}px`, width: `${width}px` });
  };
  const show = (element: HTMLUListElement): void => {
    box = element;
    queueMicrotask(() => {
      if (!element.isConnected) return;
      element.showPopover?.();
      place();
    });
  };
  window.addEventListener('resize', place);
  onCleanup(() => window.removeEventListener('resize', place));
  createEffect(
    on(
      () => props.slash.at(),
      (nth) => box?.children[nth]?.scrollIntoView({ block: 'nearest' }),
    ),
  );
  // A pointer that rests where the list appears chooses nothing.
  const hover = (event: PointerEvent, nth: number): void => {
    if (event.movementX !== 0 || event.movementY !== 0) props.slash.point(nth);
  };
  return (
    <>
      <span class="unseen" role="status">
        {props.slash.list().length > 0 && t().offers.count(props.slash.list().length)}
      </span>
      <Show when={props.slash.list().length > 0}>
        <ul class="slash" ref={show} id={props.slash.id} role="listbox" aria-label={t().offers.commands} popover="manual">
          <For each={props.slash.list()}>
            {(command, nth) => (
              <li
                id={props.slash.option(nth())}
                role="option"
                aria-selected={nth() === props.slash.at()}
                onPointerMove={(event) => hover(event, nth())}
                // The text keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => props.slash.take(nth())}
              >
                <span class="name">
                  /{command.name} <Show when={command.hint}>{(hint) => <span class="faint">{hint()}</span>}</Show>
                </span>
                <Show when={command.description}>{(text) => <span class="soft about">{text()}</span>}</Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  );
}
