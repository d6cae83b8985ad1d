// The inbox: everything that needs the user, worked through by keyboard alone. The list on the left says
// what; the right side has the answer at hand. `j` and `k` move, `e` puts a thing aside, Enter opens.
import { A, useNavigate } from '@solidjs/router';
import { For, Match, Show, Switch, createEffect, createMemo, createSignal, on, type JSX } from 'solid-js';
import type { Task, TaskSummary } from '../../api/types';
import { Ago, Empty } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Kbd } from '../../components/Kbd';
import { Dot } from '../../components/Status';
import { putAside } from '../../state/actions';
import { t } from '../../i18n';
import { keysById, keysOf, useCommands } from '../../lib/commands';
import { basename, firstLine } from '../../lib/format';
import type { KeyId } from '../../lib/keytable';
import { sentences } from '../../lib/message';
import { looks, sinceOf } from '../../state/status';
import { changesOf } from '../../state/summary';
import { ground, grouped, refresh, task } from '../../state/tasks';
import { wordOf } from '../../state/words';
import { Detail } from './Detail';
import './inbox.css';

interface InboxProps {
  requests: (task: Task) => JSX.Element;
  reply: (task: Task) => JSX.Element;
  refs: (task: Task, around: HTMLElement) => JSX.Element;
  first: JSX.Element;
}

export function Inbox(props: InboxProps) {
  const navigate = useNavigate();
  const items = createMemo(() => grouped().needs_you);
  const [chosen, setChosen] = createSignal<string>();
  const [shown, setShown] = createSignal(false);
  const at = (): number => items().findIndex((one) => one.task_id === chosen());
  const current = createMemo(() => items()[at()] ?? items()[0]);
  // When the chosen one leaves the list, the next one in its place is chosen.
  createEffect(
    on([items, at], ([list, place], before) => {
      if (place >= 0 || list.length === 0) return;
      const old = before?.[1] ?? 0;
      setChosen(list[Math.max(0, Math.min(old, list.length - 1))]?.task_id);
    }),
  );
  createEffect(on(() => current()?.task_id, (id) => id !== undefined && void refresh(id)));
  const move = (by: number): void => {
    const next = items()[Math.max(0, Math.min(items().length - 1, at() + by))];
    if (next) setChosen(next.task_id);
    document.querySelector('.inboxrow[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  };
  const aside = (): void => {
    const one = current();
    if (one) void putAside(one);
  };
  const open = (): void => {
    const one = current();
    if (one) navigate(`/tasks/${one.task_id}`);
  };
  useCommands(() => [
    { id: 'inbox-next', title: t().keys.next, group: t().keys.inbox, run: () => move(1) },
    { id: 'inbox-previous', title: t().keys.previous, group: t().keys.inbox, run: () => move(-1) },
    ...(current() ? [{ id: asideId(current()), title: t().home.aside.hint, group: t().keys.inbox, run: aside }] : []),
    { id: 'inbox-open', title: t().inbox.open, group: t().keys.inbox, run: open },
  ]);
  return (
    <main id="main" class="main inbox" tabindex="-1" data-shown={shown() ? '' : undefined}>
      <div class="pagehead">
        <Show when={shown()}>
          <IconButton class="inboxback" icon="left" label={t().app.back} onClick={() => setShown(false)} />
        </Show>
        <h1>{t().inbox.title}</h1>
        <Show when={items().length > 0}>
          <span class="count">{items().length}</span>
        </Show>
        <span class="spring" />
        <Show when={grouped().working.length > 0}>
          <span class="faint">{t().inbox.working(grouped().working.length)}</span>
        </Show>
        <A href="/new" class="button" data-look={items().length === 0 ? 'main' : undefined}>
          {t().nav.newTask}
          <Kbd keys={keysById('new') ?? ''} />
        </A>
      </div>
      <Switch>
        <Match when={ground() === 'unknown'}>
          <div />
        </Match>
        <Match when={ground() === 'new'}>
          <div class="scroll">{props.first}</div>
        </Match>
        <Match when={items().length === 0}>
          <Empty title={t().inbox.emptyTitle} text={t().inbox.emptyText} />
        </Match>
        <Match when={true}>
          <div class="inboxbody">
            <ul role="list" class="inboxlist" aria-label={t().inbox.list}>
              <For each={items()}>
                {(one) => (
                  <li>
                    <InboxRow
                      task={one}
                      whole={task(one.task_id)}
                      current={one.task_id === current()?.task_id}
                      onChoose={() => {
                        setChosen(one.task_id);
                        setShown(true);
                      }}
                    />
                  </li>
                )}
              </For>
            </ul>
            <Show when={current()?.task_id} keyed>
              {(id) => (
                <Show when={task(id)} fallback={<div class="inboxdetail" />}>
                  {(whole) => (
                    <div class="inboxdetail">
                      <Detail
                        task={whole()}
                        requests={props.requests(whole())}
                        reply={props.reply(whole())}
                        refs={props.refs}
                        actions={
                          <>
                            <Button keys={keysOf({ id: asideId(current()) })} onClick={aside}>
                              {t().home.aside.action}
                            </Button>
                            <Button keys={keysOf({ id: 'inbox-open' })} onClick={open}>
                              {t().inbox.open}
                            </Button>
                          </>
                        }
                      />
                    </div>
                  )}
                </Show>
              )}
            </Show>
          </div>
        </Match>
      </Switch>
    </main>
  );
}

/** Where something is asked, the plain letter is for the answer: it goes by a name and a key of its own. */
function asideId(one: TaskSummary | undefined): KeyId {
  return (one?.open_requests ?? 0) > 0 ? 'put-aside-asking' : 'put-aside';
}

/** What a task needs, in a line. */
function needOf(summary: TaskSummary, whole: Task | undefined): string {
  if (summary.failure && (summary.state === 'failed' || summary.state === 'crashed')) return firstLine(sentences(summary.failure.message));
  const question = whole?.questions[0];
  if (question) return firstLine(question.text);
  const approval = whole?.approvals[0];
  if (approval) return approval.summary;
  if (whole?.plan) return firstLine(whole.plan.text.replace(/^#+\s*/, ''));
  const changes = changesOf(summary);
  return changes.files > 0 ? `${t().task.row.files(changes.files)}  +${changes.added} −${changes.removed}` : '';
}

function InboxRow(props: { task: TaskSummary; whole: Task | undefined; current: boolean; onChoose: () => void }) {
  const look = createMemo(() => looks(props.task));
  return (
    <button type="button" class="inboxrow" aria-current={props.current ? 'true' : undefined} onClick={() => props.onChoose()}>
      <Dot tone={look().tone} shape={look().shape} />
      <span class="inboxwords">
        <span class="inboxtop">
          <b class="truncate">{props.task.title}</b>
          <span class="count">
            <Ago at={sinceOf(props.task)} />
          </span>
        </span>
        <span class="inboxbottom">
          <span class="inboxstate" data-tone={look().tone}>
            {wordOf(props.task)}
          </span>
          <span class="truncate faint">{needOf(props.task, props.whole) || props.task.repositories.map((one) => basename(one.path)).join(', ')}</span>
        </span>
      </span>
    </button>
  );
}
