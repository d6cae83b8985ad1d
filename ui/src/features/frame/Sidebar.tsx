// The left side: tasks by what they need, the ways to everywhere else, and the connection.
import { A, useLocation } from '@solidjs/router';
import { For, Show, createMemo } from 'solid-js';
import type { TaskSummary } from '../../api/types';
import { IconButton } from '../../components/Button';
import { Icon, type IconName } from '../../components/Icon';
import { Kbd } from '../../components/Kbd';
import { Dot } from '../../components/Status';
import { t } from '../../i18n';
import { since } from '../../lib/clock';
import { keysById } from '../../lib/commands';
import { age } from '../../lib/format';
import { looks, isWorking, type Group } from '../../state/status';
import { ground, grouped } from '../../state/tasks';
import { wordOf } from '../../state/words';
import { LinkLine } from './LinkState';

/** Ended tasks are many: the side shows the latest, the list of all tasks the rest. */
const ENDED_MAX = 8;

export function Sidebar(props: { onSearch: () => void; onClose?: () => void }) {
  return (
    <div class="sidebar">
      <header>
        <div class="sidetop">
          <A href="/" class="brand">
            <img src="/icon.svg" alt="" width="18" height="18" />
            {t().app.name}
          </A>
          <span class="spring" />
          <A href="/new" class="button" data-look="bare" data-icon="" aria-label={t().nav.newTask} title={t().nav.newTask}>
            <Icon name="plus" />
          </A>
          <Show when={props.onClose}>
            <IconButton icon="cross" label={t().app.close} onClick={() => props.onClose?.()} />
          </Show>
        </div>
        <button type="button" class="searchbox" onClick={() => props.onSearch()}>
          <Icon name="search" />
          <span class="truncate">{t().keys.search}</span>
          <span class="spring" />
          <Kbd keys={keysById('palette') ?? 'mod+k'} />
        </button>
      </header>
      <nav class="sidenav" aria-label={t().nav.main}>
        <SideLink href="/" icon="inbox" label={t().nav.inbox} count={grouped().needs_you.length} />
        <SideLink href="/tasks" icon="list" label={t().nav.allTasks} />
        <SideLink href="/search" icon="search" label={t().around.search.title} />
      </nav>
      <nav class="sidetasks" aria-label={t().nav.tasks}>
        <Section group="needs_you" />
        <Section group="working" />
        <Section group="waiting" />
        <Section group="ended" max={ENDED_MAX} />
        <Show when={ground() === 'new'}>
          <p class="sidenone">{t().tasks.empty}</p>
        </Show>
      </nav>
      <nav class="sidefoot" aria-label={t().nav.settings}>
        <SideLink href="/hosts" icon="host" label={t().nav.hosts} />
        <SideLink href="/history" below icon="clock" label={t().history.title} />
        <SideLink href="/trash" icon="trash" label={t().box.trash.title} />
        <SideLink href="/settings" below icon="settings" label={t().nav.settings} />
        <LinkLine />
      </nav>
    </div>
  );
}

/** `below`: it is marked on the pages below it too. */
function SideLink(props: { href: string; icon: IconName; label: string; count?: number; below?: boolean }) {
  return (
    <A href={props.href} end={!props.below} class="siderow" activeClass="here">
      <Icon name={props.icon} />
      <span class="truncate">{props.label}</span>
      <Show when={props.count}>
        <span class="count">{props.count}</span>
      </Show>
    </A>
  );
}

function Section(props: { group: Group; max?: number }) {
  const tasks = createMemo(() => grouped()[props.group].slice(0, props.max));
  return (
    <Show when={tasks().length > 0}>
      <section data-group={props.group} aria-label={t().group[props.group]}>
        <h2>{t().group[props.group]}</h2>
        <ul role="list">
          <For each={tasks()}>
            {(task) => (
              <li>
                <TaskRow task={task} />
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

function TaskRow(props: { task: TaskSummary }) {
  const location = useLocation();
  const here = (): boolean => location.pathname.startsWith(`/tasks/${props.task.task_id}`);
  const look = createMemo(() => looks(props.task));
  const time = (): string => {
    const working = isWorking(props.task.state);
    const from = working && props.task.turn ? props.task.turn.started_at : props.task.state_changed_at;
    return age(since(from), t().app.now);
  };
  return (
    <A href={`/tasks/${props.task.task_id}`} class="siderow" classList={{ here: here() }} aria-current={here() ? 'page' : undefined} title={`${props.task.title} · ${wordOf(props.task)}`}>
      <Dot tone={look().tone} shape={look().shape} label={wordOf(props.task)} />
      <span class="truncate">{props.task.title}</span>
      <span class="count">{time()}</span>
    </A>
  );
}
