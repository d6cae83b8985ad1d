// One task in the table of tasks: a link, figures, and the way into the archive or out of it.
import { A, useNavigate } from '@solidjs/router';
import { For, Show, createMemo } from 'solid-js';
import type { TaskSummary } from '../../api/types';
import { Ago, PlusMinus } from '../../components/Bits';
import { IconButton } from '../../components/Button';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { keysOf } from '../../lib/commands';
import { basename, bytes, cpu } from '../../lib/format';
import { archive, unarchive } from '../../state/actions';
import { costText, costTitle } from '../../state/cost';
import { harnessTitle } from '../../state/harness';
import { freshUse } from '../../state/statistics';
import { looks } from '../../state/status';
import { changesOf } from '../../state/summary';
import { wordOf } from '../../state/words';

export function TaskLine(props: { task: TaskSummary; hosts: boolean }) {
  const navigate = useNavigate();
  const look = createMemo(() => looks(props.task));
  const sum = createMemo(() => changesOf(props.task));
  const href = (): string => `/tasks/${props.task.task_id}`;
  const use = createMemo(() => freshUse(props.task.task_id));
  const can = (action: 'archive' | 'unarchive'): boolean => props.task.allowed.includes(action);
  return (
    <tr class="taskline" data-task={props.task.task_id} onClick={(event) => !(event.target as Element).closest('a, button') && navigate(href())}>
      <td class="title">
        <A href={href()} class="truncate">
          {props.task.title}
        </A>
        <span class="below faint">
          <Status tone={look().tone} shape={look().shape} word={wordOf(props.task)} />
          <Show when={props.hosts}>
            <span class="truncate hostmark">{props.task.host}</span>
          </Show>
        </span>
      </td>
      <td class="statecell">
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
      <Show when={props.hosts}>
        <td class="wide soft">{props.task.host}</td>
      </Show>
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
        <Show when={props.task.usage.cost}>{(cost) => <span title={costTitle(cost())}>{costText(cost())}</span>}</Show>
      </td>
      <td class="right soft">
        <Ago at={props.task.updated_at} />
      </td>
      <td class="rowact">
        <Show when={can('archive')}>
          <IconButton icon="archive" label={t().home.archive.action} keys={keysOf({ id: 'archive' })} onClick={() => void archive([props.task])} />
        </Show>
        <Show when={can('unarchive')}>
          <IconButton icon="undo" label={t().home.archive.back} keys={keysOf({ id: 'unarchive' })} onClick={() => void unarchive([props.task.task_id])} />
        </Show>
      </td>
    </tr>
  );
}
