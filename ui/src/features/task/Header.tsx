// The head of a task: what it is, where it stands and since when, on which branch it works, and what can
// be done now.
import { For, Index, Show, createEffect, createMemo } from 'solid-js';
import type { Task, TaskRef } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Mentions } from '../../components/Mentions';
import { Menu, type MenuItem } from '../../components/Menu';
import { Status } from '../../components/Status';
import { locale, t } from '../../i18n';
import { now, since } from '../../lib/clock';
import { keysById, keysOf } from '../../lib/commands';
import { age, basename, elapsed, moment, percent, tokens } from '../../lib/format';
import { costText, costTitle } from '../../state/cost';
import { harnessTitle } from '../../state/harness';
import { isWorking, looks } from '../../state/status';
import { askArchive, summary } from '../../state/tasks';
import { told } from '../../state/told';
import { wordOf } from '../../state/words';
import { BoxLink } from './BoxLink';
import { Moved } from './Moved';
import { Standing } from './Standing';
import { InLine } from './InLine';
import { limitsOf } from './Limits';
import type { TaskCommand } from './commands';
import './task.css';

interface HeaderProps {
  task: Task;
  actions: TaskCommand[];
  onAside: () => void;
  asideOpen: boolean;
}

export function Header(props: HeaderProps) {
  const look = createMemo(() => looks(props.task));
  const menu = createMemo((): MenuItem[] =>
    props.actions
      .filter((one) => !one.front && !one.hidden && !one.beside)
      .map((one) => ({ label: one.title, icon: one.icon, run: one.run, keys: keysOf(one), danger: one.danger ?? false, apart: one.danger ?? false })),
  );
  return (
    <header class="taskhead">
      <div class="tasktitle">
        <h1 class="truncate" title={props.task.title}>
          {props.task.title}
        </h1>
        <span class="taskstate">
          <Status tone={look().tone} shape={look().shape} word={wordOf(props.task)} />
          <Since task={props.task} />
          <Show when={props.task.archived_at}>{(at) => <span class="faint">· {t().home.archive.since(age(since(at()), t().app.now))}</span>}</Show>
        </span>
        <span class="taskactions">
          <Index each={props.actions.filter((one) => one.front)}>
            {(one) => (
              <Show when={one().front === 'words'} fallback={<IconButton icon={one().icon} label={one().title} keys={keysOf(one())} onClick={() => one().run()} />}>
                <Button icon={one().icon} onClick={() => one().run()}>
                  {one().title}
                </Button>
              </Show>
            )}
          </Index>
          <Menu label={t().task.actions} items={menu()} trigger={(trigger) => <IconButton icon="more" label={t().app.more} {...trigger} />} />
          <IconButton class="asidebutton" icon="sidebar" label={t().task.details} keys={keysById('details')} aria-expanded={props.asideOpen} onClick={() => props.onAside()} />
        </span>
      </div>
      <Facts task={props.task} />
      <Lineage task={props.task} />
      <Limit task={props.task} />
      <Standing task={props.task} />
      <BoxLink task={props.task} />
      <Moved task={props.task} />
      <InLine task={props.task} />
    </header>
  );
}

/** How long the turn, or the state, has lasted. */
function Since(props: { task: Task }) {
  const text = (): string => {
    const working = isWorking(props.task.state);
    const from = working && props.task.turn ? props.task.turn.started_at : props.task.state_changed_at;
    return working ? elapsed(now() - Date.parse(from)) : age(since(from), t().app.now);
  };
  return (
    <span class="faint numbers" title={moment(props.task.state_changed_at, locale())}>
      {text()}
    </span>
  );
}

function Facts(props: { task: Task }) {
  const place = (): string => [props.task.spec.host, props.task.box_kind ?? props.task.spec.box.kind].filter(Boolean).join('/');
  const context = (): number | undefined => {
    const { context_used: used, context_limit: limit } = props.task.usage;
    return used !== undefined && limit ? used / limit : undefined;
  };
  return (
    <p class="facts">
      <For each={props.task.repositories} fallback={<span>{t().task.noRepository}</span>}>
        {(repository) => (
          <span title={repository.path}>
            <b>{basename(repository.path)}</b>
            <Show when={repository.branch}>
              <code>
                {repository.branch}
                <span class="faint"> ← {repository.base}</span>
              </code>
            </Show>
          </span>
        )}
      </For>
      <span class="lesser">{place()}</span>
      <span class="lesser">
        {harnessTitle(props.task.spec.harness)}
        <Show when={told(props.task.model, props.task.spec.model)}>
          {(model) => (
            <span class="faint">
              {model().used}
              <Show when={model().asked}>{(asked) => <> ({t().task.asked(asked())})</>}</Show>
            </span>
          )}
        </Show>
      </span>
      <Show when={props.task.usage.cost}>
        {(cost) => (
          <span class="numbers" title={costTitle(cost())}>
            {costText(cost())}
          </span>
        )}
      </Show>
      <Show when={context()}>
        {(share) => (
          <span class="numbers" title={t().task.contextFull(tokens(props.task.usage.context_used ?? 0), tokens(props.task.usage.context_limit ?? 0))}>
            {t().task.context(percent(share()))}
          </span>
        )}
      </Show>
    </p>
  );
}

/** Where it came from, and what came from it. */
function Lineage(props: { task: Task }) {
  const from = (): string | undefined => props.task.spec.origin?.task_id;
  const forks = (): TaskRef[] => props.task.forks ?? [];
  // Where it came from may be in the archive: there it has its name.
  createEffect(() => from() !== undefined && summary(from() ?? '') === undefined && void askArchive());
  return (
    <Show when={from() !== undefined || forks().length > 0}>
      <p class="facts">
        <Show when={from()}>
          {(id) => (
            <span>
              {t().hand.fork.from} <Mentions list={[{ task_id: id(), title: summary(id())?.title ?? id() }]} />
            </span>
          )}
        </Show>
        <Show when={forks().length > 0}>
          <span>
            {t().hand.fork.forks}:{' '}
            <Mentions list={forks()} />
          </span>
        </Show>
      </p>
    </Show>
  );
}

function Limit(props: { task: Task }) {
  return (
    <Show when={limitsOf(props.task)[0]}>
      {(limit) => (
        <Callout tone={limit().blocked ? 'attention' : 'quiet'} icon="clock">
          {limit().blocked ? t().task.limit.blocked(limit().name) : t().task.limit.near(limit().name, percent(limit().used ?? 0))}
          <Show when={limit().resets_at}>{(at) => <>, {t().task.limit.until(moment(at(), locale()))}</>}</Show>
        </Callout>
      )}
    </Show>
  );
}

