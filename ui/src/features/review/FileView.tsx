// One changed file: its lines in colours, drawn when it comes near the view; comments below the lines
// that they are about.
import { Show, createMemo, createSignal, onCleanup, onMount } from 'solid-js';
import { Button, IconButton } from '../../components/Button';
import { DiffLines, type LineRef } from '../../components/DiffLines';
import { createColours } from '../../components/diffColours';
import { PathParts, PlusMinus } from '../../components/Bits';
import { Checkbox } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import type { FileDiff } from '../../lib/diff';
import { sameLine, type Comment, type Comments } from './comments';

/** Files with more lines are shown on request. */
const LINES_MAX = 1500;
const LINE = 20;
const HEAD = 36;

/** The path that an address names behind its `#`, as a link to a file of the work does; empty where it names none. */
export function namedFile(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // Somebody's own address, no link of ours.
    return '';
  }
}

export function fileId(path: string): string {
  return `file-${path}`;
}

interface FileViewProps {
  file: FileDiff;
  split: boolean;
  comments: Comments;
  viewed: boolean;
  onViewed: (viewed: boolean) => void;
  folded: boolean;
  onFold: (folded: boolean) => void;
}

export function FileView(props: FileViewProps) {
  const [near, setNear] = createSignal(false);
  const [all, setAll] = createSignal(false);
  let element!: HTMLElement;
  const count = createMemo(() => props.file.hunks.reduce((sum, hunk) => sum + hunk.lines.length + 1, 0));
  onMount(() => {
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), { root: element.closest('.reviewfiles'), rootMargin: '800px' });
    watch.observe(element);
    onCleanup(() => watch.disconnect());
    if (namedFile(location.hash) === props.file.path) requestAnimationFrame(() => element.scrollIntoView());
  });
  const tooLong = (): boolean => count() > LINES_MAX && !all();
  return (
    <section ref={element} id={fileId(props.file.path)} class="fileview" tabindex="-1" aria-label={props.file.path} style={{ 'min-height': near() || props.folded ? undefined : `${HEAD + Math.min(count(), LINES_MAX) * LINE}px` }}>
      <header>
        <IconButton icon={props.folded ? 'right' : 'down'} label={props.file.path} aria-expanded={!props.folded} onClick={() => props.onFold(!props.folded)} />
        <span class="pathcut path" title={props.file.path}>
          <PathParts path={props.file.path} name={(name) => <b>{name}</b>} />
          <Show when={props.file.renamedFrom}>{(from) => <span class="faint renamed">{t().review.renamed(from())}</span>}</Show>
        </span>
        <PlusMinus added={props.file.added} removed={props.file.removed} />
        <span class="spring" />
        <Checkbox label={t().review.viewed} checked={props.viewed} onChange={(viewed) => props.onViewed(viewed)} />
      </header>
      <Show when={near() && !props.folded}>
        <Show when={!props.file.binary} fallback={<p class="filenote">{t().review.binary}</p>}>
          <Show
            when={!tooLong()}
            fallback={
              <p class="filenote">
                <Button onClick={() => setAll(true)}>{t().review.tooLong(count())}</Button>
              </p>
            }
          >
            <Lines {...props} />
          </Show>
        </Show>
      </Show>
    </section>
  );
}

function Lines(props: FileViewProps) {
  const [writing, setWriting] = createSignal<LineRef>();
  const colours = createColours(() => props.file);
  const here = createMemo(() => props.comments.all().filter((one) => one.path === props.file.path));
  const commentAt = (at: LineRef): Comment | undefined => here().find((one) => sameLine(one, { ...at, path: props.file.path }));
  const isWriting = (at: LineRef): boolean => writing()?.side === at.side && writing()?.line === at.line;
  const codeAt = (at: LineRef): string => {
    for (const hunk of props.file.hunks) {
      const line = hunk.lines.find((one) => one[at.side] === at.line && (at.side === 'new' || one.side === 'removed'));
      if (line) return line.text;
    }
    return '';
  };
  const below = (at: LineRef) => {
    const comment = commentAt(at);
    if (isWriting(at)) {
      const done = (text: string): void => {
        props.comments.put({ ...at, path: props.file.path, code: codeAt(at), text });
        setWriting(undefined);
      };
      return <Writing start={comment?.text ?? ''} onCancel={() => setWriting(undefined)} onDone={done} />;
    }
    return comment && <Said comment={comment} onEdit={() => setWriting(at)} onRemove={() => props.comments.remove(comment)} />;
  };
  return (
    <DiffLines
      hunks={props.file.hunks}
      split={props.split}
      colours={colours()}
      gapTitle={t().review.hunk}
      label={props.file.path}
      onLine={setWriting}
      lineLabel={(line) => t().review.commentOn(String(line))}
      below={below}
    />
  );
}

function Said(props: { comment: Comment; onEdit: () => void; onRemove: () => void }) {
  return (
    <div class="comment">
      <Icon name="comment" />
      <button type="button" class="commenttext" onClick={() => props.onEdit()}>
        {props.comment.text}
      </button>
      <IconButton icon="cross" label={t().review.removeComment} onClick={() => props.onRemove()} />
    </div>
  );
}

function Writing(props: { start: string; onCancel: () => void; onDone: (text: string) => void }) {
  const [text, setText] = createSignal(props.start);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') props.onCancel();
    else if (event.key === 'Enter' && !event.shiftKey && text().trim() !== '') props.onDone(text().trim());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="writing">
      <textarea ref={(element) => queueMicrotask(() => element.focus())} class="input" rows="2" aria-label={t().review.comment} placeholder={t().review.commentPlaceholder} value={text()} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <Button look="main" keys="enter" disabled={text().trim() === ''} onClick={() => props.onDone(text().trim())}>
        {t().review.addComment}
      </Button>
      <Button look="bare" onClick={() => props.onCancel()}>
        {t().app.cancel}
      </Button>
    </div>
  );
}
