// One row of a conversation, by its kind.
import { Match, Show, Switch, createMemo, type Accessor, type JSX } from 'solid-js';
import type { Task } from '../../api/types';
import { Markdown } from '../../components/Markdown';
import { language, t } from '../../i18n';
import { moment } from '../../lib/format';
import type { Row, RowOf } from '../../state/rows';
import { DecidedApproval, DecidedPlan, DecidedQuestion } from './Decided';
import { CommitLine, ErrorRow, LifeLine, NoticeLine, PlainLine, RunEnded, Verification } from './Lines';
import { Fold } from './Fold';
import { Reads } from './Reads';
import { Setup } from './Setup';
import { Tool } from './Tool';
import { TurnLine } from './TurnLine';

interface RowProps {
  index: number;
  rows: Accessor<readonly Row[]>;
  task: Task;
}

export function RowView(props: RowProps) {
  const row = (): Row | undefined => props.rows()[props.index];
  return <OneRow row={row()} task={props.task} before={props.rows()[props.index - 1]} />;
}

/** A row by itself; also a row of a sub-agent, nested in its call. */
export function OneRow(props: { row: Row | undefined; task: Task; before?: Row | undefined }) {
  function is<K extends Row['kind']>(kind: K): Accessor<RowOf<K> | undefined> {
    return createMemo(() => (props.row?.kind === kind ? (props.row as RowOf<K>) : undefined));
  }
  return (
    <Switch>
      <Match when={is('agent')()}>{(row) => <Agent row={row()} first={startsSpeech(props.before)} name={props.task.spec.harness} />}</Match>
      <Match when={is('tool')()}>{(row) => <Tool call={row().call} task={props.task} />}</Match>
      <Match when={is('reads')()}>{(row) => <Reads calls={row().calls} task={props.task} />}</Match>
      <Match when={is('thinking')()}>{(row) => <Thinking row={row()} />}</Match>
      <Match when={is('user')()}>{(row) => <Said row={row()} />}</Match>
      <Match when={is('setup')()}>{(row) => <Setup row={row()} task={props.task} />}</Match>
      <Match when={is('turn')()}>{(row) => <TurnLine row={row()} task={props.task} />}</Match>
      <Match when={is('question')()}>{(row) => <DecidedQuestion row={row()} />}</Match>
      <Match when={is('approval')()}>{(row) => <DecidedApproval row={row()} />}</Match>
      <Match when={is('plan')()}>{(row) => <DecidedPlan row={row()} />}</Match>
      <Match when={is('commit')()}>{(row) => <CommitLine row={row()} />}</Match>
      <Match when={is('push')()}>
        {(row) => <PlainLine icon="sync">{(row().squashed ? t().task.row.pushedSquashed : t().task.row.pushed)(`${row().remote}/${row().branch}`)}</PlainLine>}
      </Match>
      <Match when={is('notice')()}>{(row) => <NoticeLine row={row()} />}</Match>
      <Match when={is('error')()}>{(row) => <ErrorRow row={row()} task={props.task} />}</Match>
      <Match when={is('condensed')()}>{(row) => <Condensed row={row()} />}</Match>
      <Match when={is('model')()}>{(row) => <PlainLine icon="settings">{t().task.row.model(row().model)}</PlainLine>}</Match>
      <Match when={is('run_ended')()}>{(row) => <RunEnded row={row()} />}</Match>
      <Match when={is('state')()}>{(row) => <LifeLine row={row()} />}</Match>
      <Match when={is('verification')()}>{(row) => <Verification row={row()} />}</Match>
    </Switch>
  );
}

/** Whether the agent's name is worth saying: it has not spoken since the user did. */
function startsSpeech(before: Row | undefined): boolean {
  return before === undefined || before.kind === 'user' || before.kind === 'setup' || before.kind === 'turn';
}

function Agent(props: { row: RowOf<'agent'>; first: boolean; name: string }) {
  return (
    <div class="agent">
      <Show when={props.first}>
        <p class="who" title={moment(props.row.ts, language())}>
          <b>{props.name}</b>
        </p>
      </Show>
      <Show when={props.row.refusal}>
        <p class="refusal">{t().task.row.refusal}</p>
      </Show>
      <Markdown text={props.row.text} growing={props.row.live} />
    </div>
  );
}

function Said(props: { row: RowOf<'user'> }) {
  return (
    <div class="said">
      <p class="who" title={moment(props.row.ts, language())}>
        <b>{t().task.row.you}</b>
        <Show when={props.row.duringTurn}> <span class="faint">{t().task.row.youDuring}</span></Show>
      </p>
      <div class="words">{props.row.text}</div>
    </div>
  );
}

function Thinking(props: { row: RowOf<'thinking'> }) {
  const first = (): string => props.row.text.trim().replace(/[*_#`]/g, '').split('\n')[0] ?? '';
  return (
    <Fold icon="thought" quiet head={<><span class="verb">{props.row.live ? t().task.row.thinking : t().task.row.thought}</span> <span class="truncate faint">{first()}</span></>}>
      <div class="thinking">
        <Markdown text={props.row.text} growing={props.row.live} />
      </div>
    </Fold>
  );
}

function Condensed(props: { row: RowOf<'condensed'> }) {
  const figures = (): JSX.Element => {
    const { before, after } = props.row;
    return before === undefined || after === undefined ? '' : t().task.row.condensedBy(before.toLocaleString(language()), after.toLocaleString(language()));
  };
  return (
    <Fold icon="rows" quiet disabled={!props.row.summary} head={<><span class="verb">{t().task.row.condensed}</span> <span class="faint">{figures()}</span></>}>
      <Markdown text={props.row.summary ?? ''} />
    </Fold>
  );
}

