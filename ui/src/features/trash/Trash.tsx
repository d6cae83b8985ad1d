// What was kept before something was taken away: the list, what each holds, and the way back.
import { useSearchParams } from '@solidjs/router';
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { TrashEntry } from '../../api/types';
import { Ago, Callout, Empty, Failed } from '../../components/Bits';
import { IconButton } from '../../components/Button';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { useCommands } from '../../lib/commands';
import { basename } from '../../lib/format';
import { Kept } from './Kept';
import './trash.css';

/** What names an entry: two repositories may have the same number of one task. */
function nameOf(entry: TrashEntry): string {
  return `${entry.task_id}/${entry.number}/${entry.repository}`;
}

export function Trash() {
  const list = createAsked(() => api.trash());
  const [query, setQuery] = useSearchParams<{ task?: string }>();
  const [chosen, setChosen] = createSignal<string>();
  const [shown, setShown] = createSignal(false);
  const items = createMemo(() => (list()?.items ?? []).filter((entry) => query.task === undefined || entry.task_id === query.task));
  const current = createMemo(() => items().find((entry) => nameOf(entry) === chosen()) ?? items()[0]);
  const groups = createMemo(() => [...new Set(items().map((entry) => entry.repository))]);
  const name = createMemo(() => current() && nameOf(current()!));
  const choose = (entry: TrashEntry): void => void setChosen(nameOf(entry));
  const flat = (): TrashEntry[] => groups().flatMap((repository) => items().filter((entry) => entry.repository === repository));
  const move = (by: number): void => {
    const all = flat();
    const next = all[Math.max(0, Math.min(all.length - 1, all.findIndex((entry) => entry === current()) + by))];
    if (next) choose(next);
    document.querySelector('.trashrow[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  };
  useCommands(() => [
    { id: 'trash-next', title: t().keys.next, group: t().box.trash.title, run: () => move(1) },
    { id: 'trash-previous', title: t().keys.previous, group: t().box.trash.title, run: () => move(-1) },
  ]);
  return (
    <main id="main" class="main trash" tabindex="-1" data-shown={shown() ? '' : undefined}>
      <div class="pagehead">
        <Show when={shown()}>
          <IconButton class="trashback" icon="left" label={t().app.back} onClick={() => setShown(false)} />
        </Show>
        <h1>{t().box.trash.title}</h1>
        <Show when={items().length > 0}>
          <span class="count">{items().length}</span>
        </Show>
        <span class="spring" />
        <Show when={query.task !== undefined}>
          <button type="button" class="button" data-look="bare" onClick={() => setQuery({ task: undefined })}>
            {t().nav.allTasks}
          </button>
        </Show>
      </div>
      <Failed of={list.error} />
      <For each={list()?.unreadable}>
        {(one) => (
          <Callout tone="attention">
            {t().box.trash.unreadable(one.repository)}: {one.reason}
          </Callout>
        )}
      </For>
      <Show when={items().length > 0} fallback={<Show when={list()}><Empty title={t().box.trash.empty} text={t().box.trash.emptyText} /></Show>}>
        <div class="trashbody">
          <div class="trashlist" tabindex="0" role="region" aria-label={t().box.trash.title}>
            <For each={groups()}>
              {(repository) => (
                <section aria-label={repository}>
                  <h2 class="truncate" title={repository}>
                    {basename(repository)}
                  </h2>
                  <ul role="list">
                    <For each={items().filter((entry) => entry.repository === repository)}>{(entry) => <li><Row entry={entry} current={entry === current()} onChoose={() => (choose(entry), setShown(true))} /></li>}</For>
                  </ul>
                </section>
              )}
            </For>
          </div>
          <Show when={name()} keyed>
            {(_) => <Kept entry={current()!} onGone={() => (setShown(false), list.again())} />}
          </Show>
        </div>
      </Show>
    </main>
  );
}

function Row(props: { entry: TrashEntry; current: boolean; onChoose: () => void }) {
  const facts = (): string => {
    const { branch, uncommitted, reason } = props.entry;
    return [t().box.trash.reason[reason], branch, uncommitted > 0 ? t().box.trash.uncommitted(uncommitted) : undefined].filter(Boolean).join(' · ');
  };
  return (
    <button type="button" class="trashrow" aria-current={props.current ? 'true' : undefined} onClick={() => props.onChoose()}>
      <Icon name="trash" />
      <span class="trashwords">
        <span class="trashtop">
          <b class="truncate">{props.entry.title ?? t().box.trash.unknownTask}</b>
          <span class="faint">
            <Ago at={props.entry.kept_at} />
          </span>
        </span>
        <span class="truncate faint">{facts()}</span>
      </span>
    </button>
  );
}
