// The lines of a diff, unified or side by side, with words that differ marked and, where the owner has
// something to show below a line (a comment), a row for it.
import { For, Show, createMemo, type JSX } from 'solid-js';
import type { DiffColours } from './diffColours';
import { markHtml, pairs, type DiffLine, type Hunk } from '../lib/diff';

export interface LineRef {
  side: 'old' | 'new';
  line: number;
}

interface DiffProps {
  hunks: readonly Hunk[];
  split?: boolean;
  /** Colours by line, before and after, as safe HTML. */
  colours?: DiffColours | undefined;
  onLine?: ((at: LineRef) => void) | undefined;
  lineLabel?: (line: number) => string;
  below?: (at: LineRef) => JSX.Element;
  gapTitle: string;
  label?: string;
}

export function DiffLines(props: DiffProps) {
  return (
    <div class="difflines" data-split={props.split ? '' : undefined} tabindex="0" role="group" aria-label={props.label ?? props.gapTitle} onKeyDown={moveLine}>
      <table role="presentation">
        <Show when={props.split}>
          <colgroup>
            <col class="nocol" />
            <col />
            <col class="nocol" />
            <col />
          </colgroup>
        </Show>
        <tbody>
          <For each={props.hunks}>
            {(hunk, nth) => (
              <>
                <Show when={nth() > 0 || hunk.oldStart > 1 || hunk.title !== ''}>
                  <tr class="gap" title={props.gapTitle}>
                    <td colspan={4}>{hunk.title === '' ? '⋯' : `⋯ ${hunk.title}`}</td>
                  </tr>
                </Show>
                <Show when={props.split} fallback={<Unified {...props} hunk={hunk} />}>
                  <Split {...props} hunk={hunk} />
                </Show>
              </>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}

/** Arrows go from line to line, over those that can be commented on. */
function moveLine(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const here = document.activeElement;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || here instanceof HTMLTextAreaElement) return;
  // The last number of a row is the line as it is now, or as it was where it is gone.
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('tr')].flatMap((row) => [...row.querySelectorAll<HTMLElement>('.lineno')].slice(-1));
  const at = lines.findIndex((line) => line === here);
  const next = lines[at === -1 ? (step === 1 ? 0 : lines.length - 1) : at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const SIGNS = { same: '', added: '+', removed: '−' } as const;

function refOf(line: DiffLine): LineRef {
  return line.new === undefined ? { side: 'old', line: line.old ?? 0 } : { side: 'new', line: line.new };
}

function Unified(props: DiffProps & { hunk: Hunk }) {
  return (
    <For each={props.hunk.lines}>
      {(line) => (
        <>
          <tr data-side={line.side}>
            <Number line={line.old} at={refOf(line)} {...props} />
            <Number line={line.new} at={refOf(line)} {...props} />
            <td class="sign">{SIGNS[line.side]}</td>
            <Text line={line} colours={props.colours} />
          </tr>
          <Below span={4} at={refOf(line)} below={props.below} />
        </>
      )}
    </For>
  );
}

function Split(props: DiffProps & { hunk: Hunk }) {
  const rows = createMemo(() => pairs(props.hunk.lines));
  const sideOf = (line: DiffLine | undefined): string => (line === undefined ? 'none' : line.side);
  return (
    <For each={rows()}>
      {([before, after]) => (
        <>
          <tr>
            <Number line={before?.old} at={before && { side: 'old', line: before.old ?? 0 }} side={sideOf(before)} {...props} />
            <Text line={before} colours={props.colours} side={sideOf(before)} old />
            <Number line={after?.new} at={after && refOf(after)} side={sideOf(after)} {...props} />
            <Text line={after} colours={props.colours} side={sideOf(after)} />
          </tr>
          <Show when={before && before.side !== 'same' && before}>
            {(one) => <Below span={4} at={refOf(one())} below={props.below} />}
          </Show>
          <Show when={after}>{(one) => <Below span={4} at={refOf(one())} below={props.below} />}</Show>
        </>
      )}
    </For>
  );
}

function Below(props: { span: number; at: LineRef; below: DiffProps['below'] }) {
  const content = createMemo(() => props.below?.(props.at));
  return (
    <Show when={content()}>
      <tr class="below">
        <td colspan={props.span}>{content()}</td>
      </tr>
    </Show>
  );
}

interface NumberProps extends Pick<DiffProps, 'onLine' | 'lineLabel'> {
  line: number | undefined;
  at: LineRef | undefined;
  side?: string;
}

function Number(props: NumberProps) {
  return (
    <td class="no" data-side={props.side}>
      <Show when={props.onLine && props.line !== undefined && props.at} fallback={props.line}>
        {(at) => (
          <button type="button" class="lineno" tabindex="-1" aria-label={props.lineLabel?.(props.line ?? 0)} onClick={() => props.onLine?.(at())}>
            {props.line}
          </button>
        )}
      </Show>
    </td>
  );
}

function Text(props: { line: DiffLine | undefined; colours: DiffProps['colours']; side?: string; old?: boolean }) {
  const colour = (): string | undefined => {
    const line = props.line;
    if (!line) return undefined;
    const html = line.new !== undefined && !props.old ? props.colours?.new.get(line.new) : props.colours?.old.get(line.old ?? 0);
    return html !== undefined && line.marks?.length ? markHtml(html, line.marks) : html;
  };
  return (
    <Show when={colour()} fallback={<td class="text" data-side={props.side}>{pieces(props.line)}</td>}>
      {(html) => <td class="text" data-side={props.side} innerHTML={html()} />}
    </Show>
  );
}

/** A line with the words that differ marked. */
function pieces(line: DiffLine | undefined): JSX.Element {
  if (!line) return '';
  if (!line.marks?.length) return line.text;
  const parts: JSX.Element[] = [];
  let place = 0;
  for (const [from, to] of line.marks) {
    parts.push(line.text.slice(place, from), <mark>{line.text.slice(from, to)}</mark>);
    place = to;
  }
  return [...parts, line.text.slice(place)];
}
