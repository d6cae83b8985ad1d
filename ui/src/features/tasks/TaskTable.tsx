// All tasks, by what they need, with what one compares them by; a filter narrows them.
import { A, useNavigate } from '@solidjs/router';
import { For, Show, createMemo, createSignal } from 'solid-js';
import type { TaskSummary } from '../../api/types';
import { Ago, Empty, PlusMinus } from '../../components/Bits';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { basename, bytes, cpu, money } from '../../lib/format';
import { harnessTitle } from '../../state/harness';
import { GROUPS, looks, type Group } from '../../state/status';
import { freshUse } from '../../state/statistics';
import { changesOf } from '../../state/summary';
import { allTasks, grouped, loaded } from '../../state/tasks';
import { wordOf } from '../../state/words';
import './tasks.css';

export function TaskTable() {
  const [words, setWords] = createSignal('');
  let input!: HTMLInputElement;
  useCommands(() => [{ id: 'filter', title: t().nav.filter, group: t().keys.go, keys: '/', run: () => input.focus() }]);
  const matches = (task: TaskSummary): boolean => {
    const text = [task.title, task.harness, task.host, task.model, wordOf(task), ...task.repositories.flatMap((one) => [one.path, one.branch])].join(' ').toLowerCase();
    return words().toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const groups = createMemo(() => GROUPS.map((group) => ({ group, tasks: grouped()[group].filter(matches) })).filter((one) => one.tasks.length > 0));
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().tasks.title}</h1>
        <span class="count">{allTasks().length}</span>
        <span class="spring" />
        <input ref={input} class="input tasksfilter" type="search" aria-label={t().nav.filter} placeholder={t().nav.filter} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Escape' && input.blur()} />
      </div>
      <Show when={loaded()}>
        <Show
          when={groups().length > 0}
          fallback={
            <Empty title={words() === '' ? t().tasks.empty : t().nav.noMatch}>
              <A href="/new" class="button" data-look="main">
                {t().nav.newTask}
              </A>
            </Empty>
          }
        >
          <div class="scroll tasktable" tabindex="0" role="region" aria-label={t().tasks.title}>
            <table>
              <thead>
                <tr>
                  <th>{t().tasks.task}</th>
                  <th>{t().tasks.state}</th>
                  <th class="wide">{t().tasks.branch}</th>
                  <th class="wide">{t().tasks.harness}</th>
                  <th class="right wider">{t().box.use.cpu}</th>
                  <th class="right wider">{t().box.use.memory}</th>
                  <th class="right some">{t().tasks.changes}</th>
                  <th class="right wide">{t().tasks.cost}</th>
                  <th class="right">{t().tasks.age}</th>
                </tr>
              </thead>
              <For each={groups()}>{(one) => <GroupRows {...one} />}</For>
            </table>
          </div>
        </Show>
      </Show>
    </main>
  );
}

function GroupRows(props: { group: Group; tasks: TaskSummary[] }) {
  return (
    <tbody>
      <tr class="grouprow">
        <th colspan="9" scope="rowgroup">
          {t().group[props.group]} <span class="count">{props.tasks.length}</span>
        </th>
      </tr>
      <For each={props.tasks}>{(task) => <TaskLine task={task} />}</For>
    </tbody>
  );
}

function TaskLine(props: { task: TaskSummary }) {
  const navigate = useNavigate();
  const look = createMemo(() => looks(props.task));
  const sum = createMemo(() => changesOf(props.task));
  const href = (): string => `/tasks/${props.task.task_id}`;
  const use = createMemo(() => freshUse(props.task.task_id));
  return (
    <tr class="taskline" onClick={(event) => !(event.target instanceof HTMLAnchorElement) && navigate(href())}>
      <td class="title">
        <A href={href()} class="truncate">
          {props.task.title}
        </A>
      </td>
      <td>
        <Status tone={look().tone} shape={look().shape} word={wordOf(props.task)} />
      </td>
      <td class="wide">
        <For each={props.task.repositories.slice(0, 1)}>
          {(one) => (
            <span class="truncate repocell" title={one.path}>
              {basename(one.path)} <code class="faint">{one.branch}</code>
            </span>
          )}
        </For>
      </td>
      <td class="wide soft">{harnessTitle(props.task.harness)}</td>
      <td class="right wider numbers soft">
        <Show when={use()?.cpu_percent !== undefined}>{cpu(use()?.cpu_percent ?? 0)}</Show>
      </td>
      <td class="right wider numbers soft">
        <Show when={use()?.memory_bytes}>{(size) => bytes(size())}</Show>
      </td>
      <td class="right some">
        <Show when={sum().added + sum().removed > 0}>
          <PlusMinus added={sum().added} removed={sum().removed} />
        </Show>
      </td>
      <td class="right wide numbers soft">
        <Show when={props.task.usage.cost}>{(cost) => money(cost().usd)}</Show>
      </td>
      <td class="right soft">
        <Ago at={props.task.updated_at} />
      </td>
    </tr>
  );
}
