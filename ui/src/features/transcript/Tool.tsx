// A tool call: one line until it is opened; failures and edits open by themselves.
import { For, Match, Show, Switch, createMemo } from 'solid-js';
import { fileAddress } from '../../api/calls/hand';
import type { Task } from '../../api/types';
import { Attachments } from '../../components/Attachments';
import { CodeBlock } from '../../components/CodeBlock';
import { DiffLines } from '../../components/DiffLines';
import { createColours } from '../../components/diffColours';
import type { IconName } from '../../components/Icon';
import { PathParts, PlusMinus } from '../../components/Bits';
import { t } from '../../i18n';
import { now } from '../../lib/clock';
import { parseDiff, type FileDiff } from '../../lib/diff';
import { basename, below, elapsed, firstLine, span } from '../../lib/format';
import { languageOf } from '../../lib/highlight';
import type { ToolCall } from '../../state/rows';
import { Fold } from './Fold';
import { GivenView } from './Given';
import { OneRow } from './RowView';
import { Output, Whole } from './Output';

const ICONS: Record<ToolCall['tool'], IconName> = {
  bash: 'terminal', read: 'file', write: 'file', edit: 'edit', glob: 'search', grep: 'search', web: 'globe', mcp: 'plug',
  subagent: 'people', todo: 'list', other: 'plug',
};
/** Edits with more lines stay closed. */
const DIFF_OPEN_MAX = 60;

export function Tool(props: { call: ToolCall; task: Task }) {
  const patch = createMemo(() => (props.call.end?.patch ? parseDiff(props.call.end.patch) : []));
  const lines = (): number => patch().reduce((sum, file) => sum + file.added + file.removed, 0);
  const opens = (): boolean => {
    const { end } = props.call;
    if (end?.failed || end?.images?.length) return true;
    return patch().length > 0 && lines() <= DIFF_OPEN_MAX;
  };
  return (
    <Fold
      icon={ICONS[props.call.tool]}
      name={`${props.task.task_id} ${props.call.seq}`}
      open={opens()}
      failed={props.call.end?.failed ?? false}
      head={<ToolHead call={props.call} task={props.task} added={patch().reduce((sum, file) => sum + file.added, 0)} removed={patch().reduce((sum, file) => sum + file.removed, 0)} />}
      tail={<ToolTail call={props.call} />}
    >
      <ToolBody call={props.call} task={props.task} />
    </Fold>
  );
}

/** What a call is about, in a few words. */
function about(call: ToolCall, root: string | undefined): string {
  if (call.command !== undefined) return firstLine(call.command, 300);
  if (call.path !== undefined) return below(call.path, root);
  const args = call.args;
  if (args === null || typeof args !== 'object') return '';
  const values = args as Record<string, unknown>;
  const telling = values['pattern'] ?? values['query'] ?? values['url'] ?? values['description'] ?? values['prompt'];
  if (typeof telling === 'string') return firstLine(telling, 200);
  const text = JSON.stringify(args);
  return text === '{}' ? '' : firstLine(text, 200);
}

function ToolHead(props: { call: ToolCall; task: Task; added: number; removed: number }) {
  const root = (): string | undefined => props.call.cwd ?? props.task.repositories[0]?.path;
  const text = createMemo(() => about(props.call, root()));
  const verb = (): string => {
    const { tool, name, server } = props.call;
    if (tool === 'mcp' || tool === 'other') return server ? `${server} ${name}` : name;
    return t().task.row.tool[tool];
  };
  return (
    <>
      <span class="verb">{verb()}</span>
      <Show when={props.call.path !== undefined && props.call.command === undefined} fallback={<code class="truncate">{text()}</code>}>
        <code class="pathcut" title={props.call.path}>
          <PathParts path={text()} />
        </code>
      </Show>
      <Show when={props.added + props.removed > 0}>
        <PlusMinus added={props.added} removed={props.removed} />
      </Show>
    </>
  );
}

/** How it ended, or for how long it has run. */
export function ToolTail(props: { call: ToolCall }) {
  return (
    <Show when={props.call.end} fallback={<span class="numbers running">{elapsed(now() - Date.parse(props.call.ts))}</span>}>
      {(end) => (
        <>
          <Show when={end().failed}>
            <span class="failed">✗ {end().exitCode === undefined ? t().task.row.failed : t().task.row.exit(end().exitCode ?? 0)}</span>
          </Show>
          <Show when={end().ms}>{(ms) => <span class="numbers">{span(ms())}</span>}</Show>
        </>
      )}
    </Show>
  );
}

function ToolBody(props: { call: ToolCall; task: Task }) {
  const patch = createMemo(() => (props.call.end?.patch ? parseDiff(props.call.end.patch) : []));
  const script = (): string | undefined => (props.call.command?.includes('\n') ? props.call.command : undefined);
  return (
    <>
      <Show when={props.call.children.length > 0}>
        <div class="nested">
          <For each={props.call.children}>{(row) => <OneRow row={row} task={props.task} />}</For>
        </div>
      </Show>
      <Show when={script()}>{(text) => <CodeBlock code={text()} lang="bash" capped />}</Show>
      <Show when={props.call.command === undefined && patch().length === 0}>
        <GivenView call={props.call} />
        <Show when={props.call.argsRef}>{(reference) => <Whole task={props.task.task_id} reference={reference()} lang="json" />}</Show>
      </Show>
      <Switch>
        <Match when={patch().length > 0}>
          <For each={patch()}>
            {(file) => (
              <Patch file={{ ...file, path: props.call.path ?? file.path }} />
            )}
          </For>
        </Match>
        <Match when={props.call.end?.patchRef}>{(reference) => <Whole task={props.task.task_id} reference={reference()} lang="diff" />}</Match>
      </Switch>
      <Images call={props.call} task={props.task.task_id} />
      <Show when={patch().length === 0 || props.call.end?.failed}>
        <Output call={props.call} task={props.task.task_id} lang={props.call.tool === 'read' ? languageOf(props.call.path ?? '') : ''} />
      </Show>
    </>
  );
}

/** What it showed; named by the file where one was read. */
function Images(props: { call: ToolCall; task: string }) {
  const images = createMemo(() => {
    const all = props.call.end?.images ?? [];
    const name = props.call.path === undefined || all.length !== 1 ? undefined : basename(props.call.path);
    return name === undefined ? all : all.map((one) => ({ ...one, name }));
  });
  return <Attachments files={images()} large addressOf={(file) => fileAddress(file, props.task)} label={t().task.row.images} openLabel={t().hand.open} />;
}

function Patch(props: { file: FileDiff }) {
  const colours = createColours(() => props.file);
  return (
    <div class="patch">
      <DiffLines hunks={props.file.hunks} colours={colours()} gapTitle={t().review.hunk} label={props.file.path} />
    </div>
  );
}
