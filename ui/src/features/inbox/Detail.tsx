// One thing in the inbox: what it is about, what the agent said last, and the way to answer.
import { A } from '@solidjs/router';
import { For, Show, createMemo, createSignal, type JSX } from 'solid-js';
import type { Task } from '../../api/types';
import { Callout, PlusMinus } from '../../components/Bits';
import { Markdown } from '../../components/Markdown';
import { Words } from '../../components/Words';
import { Status } from '../../components/Status';
import { t } from '../../i18n';
import { basename } from '../../lib/format';
import { sentences } from '../../lib/message';
import { costText, costTitle } from '../../state/cost';
import { harnessTitle } from '../../state/harness';
import { isCounted, looks } from '../../state/status';
import { openTranscript } from '../../state/transcripts';
import { wordOf } from '../../state/words';

interface DetailProps {
  task: Task;
  requests: JSX.Element;
  reply: JSX.Element;
  actions: JSX.Element;
  /** What is done with paths and commits that are pressed inside of an element. */
  refs: (task: Task, around: HTMLElement) => JSX.Element;
}

export function Detail(props: DetailProps) {
  const look = createMemo(() => looks(props.task));
  const open = openTranscript(props.task.task_id, { tail: true });
  const said = createMemo(() => {
    if (!open.ready()) return undefined;
    const row = open.transcript().rows.findLast((one) => one.kind === 'agent');
    return row?.kind === 'agent' ? row.text : undefined;
  });
  const [root, setRoot] = createSignal<HTMLElement>();
  return (
    <article ref={setRoot} class="detail">
      <Show when={root()}>{(around) => props.refs(props.task, around())}</Show>
      <header>
        <h2>
          <A href={`/tasks/${props.task.task_id}`}>{props.task.title}</A>
        </h2>
        <p class="facts">
          <Status tone={look().tone} shape={look().shape} word={wordOf(props.task)} />
          <For each={props.task.repositories}>
            {(one) => (
              <span>
                {basename(one.path)} <code>{one.branch}</code>
              </span>
            )}
          </For>
          <span>{harnessTitle(props.task.spec.harness)}</span>
          <Show when={props.task.usage.cost}>{(cost) => <span class="numbers" title={costTitle(cost())}>{costText(cost())}</span>}</Show>
        </p>
      </header>
      <div class="detailbody" tabindex="0" role="region" aria-label={props.task.title}>
        <Show when={(props.task.state === 'failed' || props.task.state === 'crashed') && props.task.failure}>
          {(failure) => (
            <Callout tone="failure">
              <p>
                <b>{t().task.row.error[failure().class]}</b>
              </p>
              <p>
                <Words text={sentences(failure().message)} />
              </p>
            </Callout>
          )}
        </Show>
        <Show when={said()}>{(text) => <Markdown text={text()} />}</Show>
        <For each={props.task.repositories.filter((one) => one.diff.files.length > 0)}>
          {(one) => (
            <p class="changes">
              <A href={`/tasks/${props.task.task_id}/review`}>{t().task.row.files(one.diff.files.length + (one.diff.more_files ?? 0))}</A>
              <PlusMinus added={one.diff.added} removed={one.diff.removed} />
              <span class="faint" hidden={!isCounted(props.task, one.diff)}>
                {t().review.commits(one.diff.commits)}
                <Show when={one.diff.uncommitted > 0}>, {t().review.uncommitted(one.diff.uncommitted)}</Show>
              </span>
            </p>
          )}
        </For>
      </div>
      <footer>
        {props.requests}
        {props.reply}
        <div class="detailactions">{props.actions}</div>
      </footer>
    </article>
  );
}
