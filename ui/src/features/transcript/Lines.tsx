// Rows of one line, or little more: commits, notices, errors, ends of runs, states, verifications.
import { For, Show, type JSX } from 'solid-js';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { CodeBlock } from '../../components/CodeBlock';
import { Icon, type IconName } from '../../components/Icon';
import { Markdown } from '../../components/Markdown';
import { Words } from '../../components/Words';
import { t } from '../../i18n';
import { sentences } from '../../lib/message';
import type { RowOf } from '../../state/rows';
import { retryWords } from '../../state/words';
import { Fold } from './Fold';
import { Whole } from './Output';

export function PlainLine(props: { icon: IconName; children: JSX.Element; tone?: 'failure' | 'attention' }) {
  return (
    <p class="plainline" data-tone={props.tone}>
      <Icon name={props.icon} />
      <span class="foldwords">{props.children}</span>
    </p>
  );
}

export function CommitLine(props: { row: RowOf<'commit'> }) {
  return (
    <PlainLine icon="commit">
      <span class="verb">{t().task.row.commit}</span> <span class="truncate">{props.row.subject}</span>
      <button type="button" class="ref" data-commit={props.row.commit} title={props.row.commit}>
        <code class="faint">{props.row.commit.slice(0, 7)}</code>
      </button>
    </PlainLine>
  );
}

export function NoticeLine(props: { row: RowOf<'notice'> }) {
  return (
    <Show when={props.row.level === 'warning'} fallback={<PlainLine icon="comment"><Words text={props.row.text} /></PlainLine>}>
      <Callout tone="attention">
        <Words text={props.row.text} />
      </Callout>
    </Show>
  );
}

export function RetryLine(props: { row: RowOf<'retry'> }) {
  return (
    <PlainLine icon="warning">
      {retryWords(props.row.retry)} <span class="faint truncate" title={props.row.retry.reason}>{props.row.retry.reason}</span>
    </PlainLine>
  );
}

export function ErrorRow(props: { row: RowOf<'error'>; task: Task }) {
  const raw = () => (
    <>
      <Show when={props.row.raw}>{(text) => <CodeBlock code={text()} capped />}</Show>
      <Show when={props.row.rawRef}>{(reference) => <Whole task={props.task.task_id} reference={reference()} lang="" />}</Show>
    </>
  );
  const hasRaw = (): boolean => props.row.raw !== undefined || props.row.rawRef !== undefined;
  return (
    <Show
      when={props.row.class !== 'unknown_line'}
      fallback={
        <Fold icon="warning" quiet disabled={!hasRaw()} head={<><span class="verb">{t().task.row.error.unknown_line}</span> <span class="truncate faint">{props.row.message}</span></>}>
          {raw()}
        </Fold>
      }
    >
      <div class="errorrow">
        <Callout tone="failure">
          <p>
            <b>{t().task.row.error[props.row.class]}</b>
          </p>
          <p class="message"><Words text={sentences(props.row.message)} /></p>
          <Show when={hasRaw()}>
            <Fold icon="right" quiet head={t().task.row.raw}>
              {raw()}
            </Fold>
          </Show>
        </Callout>
      </div>
    </Show>
  );
}

export function RunEnded(props: { row: RowOf<'run_ended'> }) {
  const words = (): string => {
    const { exit } = props.row;
    const texts = t().task.row.runEnded;
    if (exit.how === 'code') return texts.code(exit.code);
    return exit.how === 'signal' ? texts.signal(exit.signal) : texts[exit.how];
  };
  return (
    <Fold icon="terminal" failed open disabled={props.row.stderr === ''} head={words()}>
      <CodeBlock code={props.row.stderr} capped linked />
    </Fold>
  );
}

const LIFE_ICONS: Partial<Record<string, IconName>> = { stopped: 'stop', crashed: 'warning', failed: 'warning', purging: 'trash', purged: 'trash' };

export function LifeLine(props: { row: RowOf<'state'> }) {
  const words = (): string => {
    const texts: Partial<Record<string, string>> = t().task.row.state;
    return texts[props.row.restored ? 'restored' : props.row.state] ?? '';
  };
  const bad = (): boolean => !props.row.restored && (props.row.state === 'crashed' || props.row.state === 'failed');
  return (
    <PlainLine icon={(props.row.restored ? undefined : LIFE_ICONS[props.row.state]) ?? 'undo'} {...(bad() ? { tone: 'failure' as const } : {})}>
      {words()} <span class="faint">{props.row.cause}</span>
    </PlainLine>
  );
}

export function Verification(props: { row: RowOf<'verification'> }) {
  return (
    <Fold icon={props.row.passed ? 'check' : 'cross'} failed={!props.row.passed} open={!props.row.passed} head={<><span class="verb">{t().task.row.verified(props.row.attempt)}</span> {props.row.passed ? t().task.row.passed : t().task.row.notPassed}</>}>
      <Markdown text={props.row.summary} />
      <ul>
        <For each={props.row.issues}>{(issue) => <li>{issue}</li>}</For>
      </ul>
    </Fold>
  );
}

/** What the check of a group said of this task. */
export function CheckRow(props: { row: RowOf<'check'> }) {
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  const how = (): string => (props.row.exit === undefined ? words().notEnded : props.row.exit === 0 ? words().passed : words().exit(props.row.exit));
  const failed = (): boolean => props.row.exit !== 0;
  return (
    <Fold icon={failed() ? 'cross' : 'check'} failed={failed()} open={failed()} disabled={props.row.output.trim() === ''} head={<><span class="verb">{words().check}</span> <code class="truncate">{props.row.command}</code></>} tail={how()}>
      <CodeBlock code={props.row.output.trimEnd()} capped linked />
    </Fold>
  );
}
