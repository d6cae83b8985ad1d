// The conversation of a task: its rows in a list of any length, what is on its way below them, find, and
// jumping from turn to turn.
import { For, Show, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { Task } from '../../api/types';
import { Button } from '../../components/Button';
import { VirtualList, type VirtualListHandle } from '../../components/VirtualList';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { plainText } from '../../state/export';
import { drop, outgoing, sendAgain, type Outgoing } from '../../state/outbox';
import type { Row } from '../../state/rows';
import type { OpenTranscript } from '../../state/transcripts';
import { Find } from './Find';
import { useJump } from './jump';
import { RowView } from './RowView';
import { guessHeight } from './guess';
import './transcript.css';

/** A skeleton sooner than this would only flicker. */
const SKELETON_AFTER_MS = 200;

export function Conversation(props: { task: Task; open: OpenTranscript }) {
  const rows = createMemo(() => props.open.transcript().rows);
  const [finding, setFinding] = createSignal(false);
  const [found, setFound] = createSignal<number>();
  let list: VirtualListHandle | undefined;

  const pending = createMemo(() => {
    // What is for later is shown by the queue, unless it could not be sent.
    const sent = outgoing(props.task.task_id).filter((one) => one.when === 'now' || one.problem !== undefined);
    if (sent.length === 0) return { sent, arrived: [] };
    const known = new Set((props.task.follow_ups ?? []).map((one) => one.input_id));
    for (const row of rows()) if (row.kind === 'user' && row.inputId) known.add(row.inputId);
    return { sent: sent.filter((one) => !known.has(one.id)), arrived: sent.filter((one) => known.has(one.id)) };
  });
  // The server has it, whether or not its answer was heard.
  createEffect(on(pending, ({ arrived }) => arrived.forEach((one) => drop(one.id))));
  const first = (): number => props.open.first();
  const rowAt = (key: number): Row | undefined => rows()[key - first()];
  const toTurn = (step: 1 | -1): void => {
    const at = (list?.firstRow() ?? 0) - first();
    const starts = rows().flatMap((row, index) => (row.kind === 'user' ? [index] : []));
    const next = step === 1 ? starts.find((index) => index > at) : starts.findLast((index) => index < at);
    if (next === undefined && step === 1) list?.toEnd();
    else list?.toRow((next ?? 0) + first());
  };
  useCommands(() => [
    { id: 'find', title: t().task.list.find, group: t().keys.task, always: true, run: () => setFinding(true) },
    { id: 'turn-before', title: t().task.list.previousTurn, group: t().keys.task, run: () => toTurn(-1) },
    { id: 'turn-after', title: t().task.list.nextTurn, group: t().keys.task, run: () => toTurn(1) },
    { id: 'end', title: t().task.list.toEnd, group: t().keys.task, run: () => list?.toEnd() },
  ]);
  const show = (index: number | undefined): void => {
    const key = index === undefined ? undefined : index + first();
    setFound(key);
    if (key !== undefined) list?.toRow(key);
  };
  // A place that an address names is shown when it is there: what was before is read beside.
  useJump(props.open, (index) => show(index));
  return (
    <div class="conversation" data-whole={props.open.whole() ? '' : undefined}>
      <Show when={finding()}>
        <Find
          rows={rows()}
          onShow={show}
          onClose={() => {
            setFinding(false);
            setFound(undefined);
          }}
        />
      </Show>
      <Show when={props.open.ready()} fallback={<Skeleton />}>
        <VirtualList
          count={rows().length}
          first={first()}
          guess={(key) => guessHeight(rowAt(key))}
          plain={(key) => plainText(rowAt(key))}
          row={(key) => (
            <div class="row" data-found={found() === key ? '' : undefined}>
              <RowView row={rowAt(key)} before={rowAt(key - 1)} task={props.task} />
            </div>
          )}
          label={t().task.list.label}
          newBelow={t().task.list.newBelow}
          toEndLabel={t().task.list.toEnd}
          handle={(handle) => (list = handle)}
          footer={
            <div class="rows-end">
              <For each={pending().sent}>{(one) => <Pending message={one} />}</For>
            </div>
          }
        />
      </Show>
    </div>
  );
}

function Pending(props: { message: Outgoing }) {
  return (
    <div class="row">
      <div class="said" data-pending="">
        <p class="who">
          <b>{t().task.row.you}</b> <span class="faint">{props.message.problem ? t().task.row.notSent : t().task.row.sending}</span>
        </p>
        <div class="words">{props.message.text}</div>
        <Show when={props.message.problem}>
          {(problem) => (
            <div class="unsent" role="alert">
              <span>{problem()}</span>
              <Button onClick={() => void sendAgain(props.message.id)}>{t().task.row.sendAgain}</Button>
              <Button look="bare" onClick={() => drop(props.message.id)}>
                {t().task.row.drop}
              </Button>
            </div>
          )}
        </Show>
      </div>
    </div>
  );
}

function Skeleton() {
  const [late, setLate] = createSignal(false);
  setTimeout(() => setLate(true), SKELETON_AFTER_MS);
  return (
    <div class="skeleton" role="status">
      <Show when={late()}>{t().task.list.loading}</Show>
    </div>
  );
}
