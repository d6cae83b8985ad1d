// What a tool gave: the end of it while it runs, the first lines of it afterwards, all of it on request.
import { Match, Show, Switch, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { ArtifactRef } from '../../api/types';
import { Button } from '../../components/Button';
import { CodeBlock } from '../../components/CodeBlock';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { bytes } from '../../lib/format';
import { messageOf } from '../../lib/message';
import type { ToolCall, ToolEnd } from '../../state/rows';

const LINES_MAX = 24;
const LIVE_LINES = 12;
// Colour and cursor sequences of terminals.
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g;

export function Output(props: { call: ToolCall; task: string; lang: string }) {
  const live = (): string => props.call.liveOutput.replace(ESCAPES, '').split('\n').slice(-LIVE_LINES).join('\n');
  return (
    <Show
      when={props.call.end}
      fallback={
        <Show when={props.call.liveOutput !== ''}>
          <div class="output">
            <CodeBlock code={live()} growing />
          </div>
        </Show>
      }
    >
      {(end) => (
        <Switch>
          <Match when={end().outputRef}>{(reference) => <Whole task={props.task} reference={reference()} lang={props.lang} />}</Match>
          <Match when={wordsOf(end())}>{(text) => <Text text={text()} lang={props.lang} />}</Match>
          <Match when={props.call.children.length === 0 && props.call.tool === 'bash'}>
            <p class="faint none">{t().task.row.noOutput}</p>
          </Match>
        </Switch>
      )}
    </Show>
  );
}

/** What it gave in words: of images that are shown the text only says where they were. */
function wordsOf(end: ToolEnd): string | undefined {
  return end.images?.length ? end.output?.replace(/^\[(?:image|inputImage)\]$/gm, '').trim() : end.output;
}

function Text(props: { text: string; lang: string }) {
  const [all, setAll] = createSignal(false);
  const lines = createMemo(() => props.text.replace(ESCAPES, '').replace(/\n+$/, '').split('\n'));
  const more = (): number => (all() ? 0 : Math.max(0, lines().length - LINES_MAX));
  return (
    <div class="output">
      <CodeBlock code={(more() > 0 ? lines().slice(0, LINES_MAX) : lines()).join('\n')} lang={props.lang} capped={all()} linked />
      <Show when={more() > 0}>
        <Button look="bare" onClick={() => setAll(true)}>
          {t().task.row.moreLines(more())}
        </Button>
      </Show>
    </div>
  );
}

/** A text that is kept apart for its length: fetched when it is asked for. */
export function Whole(props: { task: string; reference: ArtifactRef; lang: string }) {
  const [wanted, setWanted] = createSignal(false);
  const text = createAsked(wanted, () => api.artifact(props.task, props.reference.sha256));
  return (
    <Show
      when={wanted()}
      fallback={
        <Button look="bare" onClick={() => setWanted(true)}>
          {t().task.row.wholeOutput(bytes(props.reference.size))}
        </Button>
      }
    >
      <Show when={!text.error} fallback={<p role="alert">{messageOf(text.error)}</p>}>
        <Show when={text()} fallback={<p class="faint none">{t().app.loading}</p>}>
          {(whole) => <CodeBlock code={whole()} lang={props.lang} capped linked />}
        </Show>
      </Show>
    </Show>
  );
}
