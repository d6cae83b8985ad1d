// Messages that wait for the end of the turn, above the composer: in the order in which they go out, each to
// be edited, moved, removed or sent at once, by pointer and by keyboard.
import { For, Show, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { FollowUp, Task } from '../../api/types';
import { Button, IconButton } from '../../components/Button';
import { Menu } from '../../components/Menu';
import { t } from '../../i18n';
import { isKeyOf } from '../../lib/commands';
import { firstLine } from '../../lib/format';
import { editQueued, movedIds, orderQueue, removeQueued, sendQueued } from '../../state/queue';
import './queue.css';

export function Queue(props: { task: Task }) {
  const [editing, setEditing] = createSignal<string>();
  const [said, setSaid] = createSignal('');
  let list: HTMLOListElement | undefined;
  /** Moving or removing an element takes the focus from it: who gets it then. */
  let heir: string | undefined;
  const items = (): FollowUp[] => props.task.follow_ups ?? [];
  const ids = createMemo(() => items().map((one) => one.input_id), [], { equals: (a, b) => a.join() === b.join() });
  const one = (id: string): FollowUp | undefined => items().find((item) => item.input_id === id);
  const at = (id: string): number => items().findIndex((item) => item.input_id === id);
  const id = (): string => props.task.task_id;
  const focus = (input: string | undefined): void => {
    queueMicrotask(() => list?.querySelector<HTMLElement>(`[data-input="${CSS.escape(input ?? '')}"] .queuewords`)?.focus());
  };
  /** Gives the focus back where nothing has it; who went on with something else keeps it. */
  const refocus = (input: string): void => {
    if (document.activeElement === null || document.activeElement === document.body) focus(input);
  };
  // What is edited may have gone out meanwhile.
  createEffect(
    on(ids, (now) => {
      setEditing((input) => (input !== undefined && now.includes(input) ? input : undefined));
      const input = heir;
      heir = undefined;
      // In the order of the page by then.
      if (input !== undefined) queueMicrotask(() => refocus(input));
    }),
  );
  const move = async (input: string, by: number): Promise<void> => {
    const order = movedIds(items(), at(input), by);
    if (!order) return;
    heir = input;
    if (await orderQueue(id(), order)) setSaid(t().box.queue.moved(order.indexOf(input) + 1, order.length));
    refocus(input);
  };
  const remove = (input: string): void => {
    const next = ids()[at(input) + 1] ?? ids()[at(input) - 1];
    heir = next;
    // Whether the answer or the event comes first is chance; who went on by then keeps the focus.
    void removeQueued(id(), input).then(() => next !== undefined && !ids().includes(input) && refocus(next));
  };
  const save = (input: string, text: string): void => {
    setEditing(undefined);
    if (text !== '' && text !== one(input)?.content) void editQueued(id(), input, text);
    focus(input);
  };
  const onKeyDown = (event: KeyboardEvent, input: string): void => {
    if (isKeyOf(event, 'queue-up')) void move(input, -1);
    else if (isKeyOf(event, 'queue-down')) void move(input, 1);
    else if (isKeyOf(event, 'queue-send')) void sendQueued(id(), input);
    else if (isKeyOf(event, 'queue-remove') || event.key === 'Backspace') remove(input);
    else if (event.key === 'ArrowUp') focus(ids()[at(input) - 1] ?? input);
    else if (event.key === 'ArrowDown') focus(ids()[at(input) + 1] ?? input);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Show when={items().length > 0}>
      <section class="queue" aria-label={t().box.queue.title} data-hold={props.task.follow_ups_hold}>
        <div class="queuehead">
          <h2>{t().box.queue.title}</h2>
          <span class="count">{items().length}</span>
          <Show when={props.task.follow_ups_hold}>{(hold) => <span class="queuehold">{t().box.queue.hold[hold()]}</span>}</Show>
          <span class="spring" />
          <Show when={props.task.follow_ups_hold && items()[0]}>
            {(first) => <Button onClick={() => void sendQueued(id(), first().input_id)}>{t().box.queue.goOn}</Button>}
          </Show>
        </div>
        <ol ref={list} role="list">
          <For each={ids()}>
            {(input, nth) => (
              <li data-input={input}>
                <Show
                  when={editing() === input}
                  fallback={
                    <>
                      <span class="queueno numbers faint" aria-hidden="true">
                        {nth() + 1}
                      </span>
                      <button type="button" class="queuewords truncate" title={`${one(input)?.content ?? ''}\n\n${t().box.queue.hint}`} aria-label={`${t().box.queue.item(nth() + 1, ids().length)}: ${one(input)?.content ?? ''}`} onClick={() => setEditing(input)} onKeyDown={(event) => onKeyDown(event, input)}>
                        {firstLine(one(input)?.content ?? '', 200)}
                      </button>
                      <span class="queueactions">
                        <IconButton icon="up" label={t().box.queue.up} disabled={nth() === 0} onClick={() => void move(input, -1)} />
                        <IconButton icon="down" label={t().box.queue.down} disabled={nth() === ids().length - 1} onClick={() => void move(input, 1)} />
                        <IconButton icon="send" label={t().box.queue.sendNow} onClick={() => void sendQueued(id(), input)} />
                        <IconButton icon="cross" label={t().box.queue.remove} onClick={() => remove(input)} />
                      </span>
                      <span class="queuemenu">
                        <Menu
                          label={t().task.actions}
                          items={[
                            { label: t().box.queue.sendNow, icon: 'send', run: () => void sendQueued(id(), input) },
                            ...(nth() > 0 ? [{ label: t().box.queue.up, icon: 'up' as const, run: () => void move(input, -1) }] : []),
                            ...(nth() < ids().length - 1 ? [{ label: t().box.queue.down, icon: 'down' as const, run: () => void move(input, 1) }] : []),
                            { label: t().box.queue.remove, icon: 'cross', run: () => remove(input) },
                          ]}
                          trigger={(trigger) => <IconButton icon="more" label={`${t().box.queue.item(nth() + 1, ids().length)}: ${t().task.actions}`} {...trigger} />}
                        />
                      </span>
                    </>
                  }
                >
                  <Editing start={one(input)?.content ?? ''} onDone={(text) => save(input, text)} />
                </Show>
              </li>
            )}
          </For>
        </ol>
        <span class="unseen" role="status">
          {said()}
        </span>
      </section>
    </Show>
  );
}

function Editing(props: { start: string; onDone: (text: string) => void }) {
  const [text, setText] = createSignal(props.start);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') props.onDone(props.start);
    else if (event.key === 'Enter' && !event.shiftKey) props.onDone(text().trim());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="queueedit">
      <textarea ref={(element) => queueMicrotask(() => (element.focus(), element.setSelectionRange(-1, -1)))} class="input" rows="2" aria-label={t().box.queue.edited} value={text()} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <Button look="main" keys="enter" disabled={text().trim() === ''} onClick={() => props.onDone(text().trim())}>
        {t().box.queue.save}
      </Button>
      <Button look="bare" keys="escape" onClick={() => props.onDone(props.start)}>
        {t().app.cancel}
      </Button>
    </div>
  );
}
