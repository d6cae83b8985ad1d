// One row of a conversation, by its kind.
import { Show, createMemo, type Component, type JSX } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { fileAddress } from '../../api/calls/hand';
import type { Task } from '../../api/types';
import { Attachments } from '../../components/Attachments';
import { IconButton } from '../../components/Button';
import { CodeBlock } from '../../components/CodeBlock';
import type { IconName } from '../../components/Icon';
import { Markdown } from '../../components/Markdown';
import { Safe } from '../../components/Safe';
import { locale, t } from '../../i18n';
import { moment } from '../../lib/format';
import { copyText } from '../../state/copy';
import { harnessTitle } from '../../state/harness';
import type { Row, RowOf } from '../../state/rows';
import { DecidedApproval, DecidedPlan, DecidedQuestion } from './Decided';
import { CheckRow, CommitLine, ErrorRow, LifeLine, NoticeLine, PlainLine, RetryLine, RunEnded, Verification } from './Lines';
import { Fold } from './Fold';
import { Past } from './Past';
import { Reads } from './Reads';
import { SaidWords } from './SaidWords';
import { Setup } from './Setup';
import { Tool } from './Tool';
import { TurnLine } from './TurnLine';

interface RowProps {
  row: Row | undefined;
  before: Row | undefined;
  task: Task;
}

export function RowView(props: RowProps) {
  return (
    <Safe>
      <OneRow row={props.row} task={props.task} before={props.before} />
    </Safe>
  );
}

interface ViewProps<K extends Row['kind']> {
  row: RowOf<K>;
  task: Task;
  before: Row | undefined;
}

/** What draws each kind of row. */
const VIEWS: { [K in Row['kind']]: Component<ViewProps<K>> } = {
  user: Said,
  agent: (props) => <Agent row={props.row} first={startsSpeech(props.before)} name={harnessTitle(props.row.by ?? props.task.spec.harness)} />,
  past: Past,
  thinking: Thinking,
  tool: (props) => <Tool call={props.row.call} task={props.task} />,
  reads: (props) => <Reads calls={props.row.calls} task={props.task} />,
  setup: Setup,
  turn: TurnLine,
  question: DecidedQuestion,
  approval: DecidedApproval,
  plan: DecidedPlan,
  commit: CommitLine,
  push: Pushed,
  notice: NoticeLine,
  retry: RetryLine,
  error: ErrorRow,
  condensed: Condensed,
  model: (props) => <PlainLine icon="settings">{t().task.row.model(props.row.model)}</PlainLine>,
  switched: (props) => <PlainLine icon="people">{[harnessTitle(props.row.to), props.row.model].filter(Boolean).join(' · ')}, {t().hand.handOff.from(harnessTitle(props.row.from))}</PlainLine>,
  check: CheckRow,
  picked: (props) => <PlainLine icon={props.row.own ? 'check' : 'people'}>{props.row.own ? t().hand.group.picked : t().hand.group.pickedOther}</PlainLine>,
  standing: Standing,
  run_ended: RunEnded,
  state: LifeLine,
  verification: Verification,
  other: Other,
  nothing: () => null,
};

/** A row by itself; also a row of a sub-agent, nested in its call. */
export function OneRow(props: { row: Row | undefined; task: Task; before?: Row | undefined }) {
  const view = createMemo(() => VIEWS[props.row?.kind ?? 'nothing'] as Component<ViewProps<Row['kind']>>);
  return <Dynamic component={view()} row={props.row as Row} task={props.task} before={props.before} />;
}

/** Whether the agent's name is worth saying: it has not spoken since the user did. */
function startsSpeech(before: Row | undefined): boolean {
  return before === undefined || before.kind === 'user' || before.kind === 'setup' || before.kind === 'turn' || before.kind === 'switched';
}

function Agent(props: { row: RowOf<'agent'>; first: boolean; name: string }) {
  return (
    <div class="agent">
      <Show when={props.first}>
        <p class="who" title={moment(props.row.ts, locale())}>
          <b>{props.name}</b>
        </p>
      </Show>
      <Show when={props.row.refusal}>
        <p class="refusal">{t().task.row.refusal}</p>
      </Show>
      <Markdown text={props.row.text} growing={props.row.live} />
      <Show when={!props.row.live}>
        <CopyMessage text={props.row.text} />
      </Show>
    </div>
  );
}

/** Near the pointer or under the focus; all of them at once would be a wall. */
function CopyMessage(props: { text: string }) {
  return <IconButton class="copymessage" icon="copy" label={t().task.row.copyMessage} onClick={() => void copyText(props.text)} />;
}

function Said(props: { row: RowOf<'user'>; task: Task }) {
  return (
    <div class="said">
      <p class="who" title={moment(props.row.ts, locale())}>
        <b>{t().task.row.you}</b>
        <Show when={props.row.duringTurn}> <span class="faint">{t().task.row.youDuring}</span></Show>
      </p>
      <SaidWords text={props.row.text} />
      <Attachments files={props.row.files ?? []} addressOf={(file) => fileAddress(file, props.task.task_id)} label={t().hand.files} openLabel={t().hand.open} />
      <CopyMessage text={props.row.text} />
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
    return before === undefined || after === undefined ? '' : t().task.row.condensedBy(before.toLocaleString(locale()), after.toLocaleString(locale()));
  };
  const words = (): string => t().task.row.condensed[props.row.policy] ?? t().task.row.condensed.requested;
  return (
    <Fold icon="rows" quiet disabled={!props.row.summary} head={<><span class="verb">{words()}</span> <span class="faint">{figures()}</span></>}>
      <Markdown text={props.row.summary ?? ''} />
    </Fold>
  );
}


const ICONS: Partial<Record<RowOf<'standing'>['word'], IconName>> = { tuned: 'settings', compact: 'rows', clear: 'rows', archived: 'archive', unarchived: 'archive' };

function Standing(props: { row: RowOf<'standing'> }) {
  const at = (): string => (props.row.at ? moment(props.row.at, locale()) : '');
  const words = (): string => {
    const say = t().policy.row;
    switch (props.row.word) {
      case 'resumes':
        return say.resumes(at());
      case 'silent':
        return say.silent(at());
      case 'tuned':
        return say.tuned(props.row.words ?? '');
      case 'archived':
        return t().home.archive.row;
      case 'unarchived':
        return t().home.archive.rowBack;
      case 'compact':
      case 'clear':
      case 'stays':
      case 'stirred':
        return say[props.row.word];
    }
  };
  return <PlainLine icon={ICONS[props.row.word] ?? 'clock'}>{words()}</PlainLine>;
}

function Other(props: { row: RowOf<'other'> }) {
  return (
    <Fold icon="comment" quiet head={<code class="verb">{props.row.type}</code>}>
      <CodeBlock code={props.row.raw} lang="json" capped />
    </Fold>
  );
}

function Pushed(props: { row: RowOf<'push'> }) {
  const words = (): string => (props.row.squashed ? t().task.row.pushedSquashed : t().task.row.pushed)(`${props.row.remote}/${props.row.branch}`);
  return <PlainLine icon="sync">{words()}</PlainLine>;
}
