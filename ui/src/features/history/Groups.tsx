// Comparisons: each prompt that was given to several agents, how far they are, and which was chosen.
import { A, useNavigate } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { api } from '../../api/client';
import type { GroupMember, GroupView } from '../../api/types';
import { Ago, Empty, Failed } from '../../components/Bits';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { harnessTitle } from '../../state/harness';
import { isWorking } from '../../state/status';
import { summary } from '../../state/tasks';
import './history.css';

type Words = ReturnType<typeof t>['history']['groups'];

export function Groups() {
  const groups = createAsked(() => api.groups());
  const words = (): Words => t().history.groups;
  return (
    <>
      <Failed of={groups.error} />
      <Show
        when={(groups() ?? []).length > 0}
        fallback={
          <Show when={groups()}>
            <Empty title={words().none} text={words().noneText}>
              <A href="/new" class="button" data-look="main">
                {words().begin}
              </A>
            </Empty>
          </Show>
        }
      >
        <div class="scroll listtable historytable" tabindex="0" role="region" aria-label={words().title}>
          <p class="faint historyhint">{words().hint}</p>
          <table>
            <thead>
              <tr>
                <th>{words().prompt}</th>
                <th class="wide">{words().agents}</th>
                <th>{words().state}</th>
                <th class="wide">{words().chosen}</th>
                <th class="right">{words().age}</th>
              </tr>
            </thead>
            <tbody>
              <For each={groups()}>{(group) => <GroupLine group={group} />}</For>
            </tbody>
          </table>
        </div>
      </Show>
    </>
  );
}

const agentOf = (member: GroupMember): string => [harnessTitle(member.harness), member.requested_model ?? member.task.model].filter(Boolean).join(' · ');

function GroupLine(props: { group: GroupView }) {
  const navigate = useNavigate();
  const words = (): Words => t().history.groups;
  const href = (): string => `/compare/${props.group.group_id}`;
  const done = (): number => props.group.members.filter(({ task }) => !isWorking((summary(task.task_id) ?? task).state)).length;
  const winner = (): GroupMember | undefined => props.group.members.find(({ task }) => task.task_id === props.group.winner);
  return (
    <tr class="historyline" onClick={(event) => !(event.target instanceof HTMLAnchorElement) && navigate(href())}>
      <td class="title">
        <A href={href()} class="truncate" title={props.group.title}>
          {props.group.title}
        </A>
      </td>
      <td class="wide">
        <span class="truncate agents" title={props.group.members.map(agentOf).join(', ')}>
          {props.group.members.map(({ harness }) => harnessTitle(harness)).join(', ')}
        </span>
      </td>
      <td class="soft">{words().ready(done(), props.group.members.length)}</td>
      <td class="wide">
        <Show when={winner()} fallback={<span class="faint">{words().notChosen}</span>}>
          {(one) => <span class="well">✓ {agentOf(one())}</span>}
        </Show>
      </td>
      <td class="right soft">
        <Ago at={props.group.created_at} />
      </td>
    </tr>
  );
}
