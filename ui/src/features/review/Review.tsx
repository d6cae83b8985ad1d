// The review of a task: what changed, file by file, with comments that go to the agent as one message;
// committing what was left, and bringing commits out.
import { useLocation, useSearchParams } from '@solidjs/router';
import { For, Show, createMemo, createSignal, type JSX } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Empty, Failed, PlusMinus } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Segments, Select } from '../../components/Field';
import { toast, toastFailure } from '../../state/toasts';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { keysById, useCommands } from '../../lib/commands';
import { parseDiff } from '../../lib/diff';
import { basename } from '../../lib/format';
import { newInputId } from '../../lib/ids';
import { createStored } from '../../lib/stored';
import { drop, sendMessage } from '../../state/outbox';
import { isCounted } from '../../state/status';
import { CommitDialog } from './CommitDialog';
import { FileList } from './FileList';
import { FileView, namedFile } from './FileView';
import { Scope, createCommits, scopeQuery, type ScopeName } from './Scope';
import { SyncDialog } from './SyncDialog';
import { createComments, messageOfComments } from './comments';
import { createViewed } from './viewed';
import { createWalk } from './walk';
import './review.css';

/** What changed in a part of the work. */
interface Part {
  part: ScopeName;
  text: string;
}

export default function Review(props: { task: Task }) {
  const { repositories } = props.task;
  // The window's own address comes behind the page that it leads to.
  const named = namedFile(useLocation().hash);
  const has = repositories.find(({ diff }) => diff.files.some((file) => file.path === named));
  const changed = repositories.find(({ diff }) => diff.files.length > 0);
  const [repository, setRepository] = createSignal((has ?? changed ?? repositories[0])?.path);
  return (
    <Show when={repository()} keyed fallback={<Empty title={t().review.emptyTitle} text={t().review.noRepository} />}>
      {(path) => (
        <OneRepository
          task={props.task}
          path={path}
          choose={
            <Show when={props.task.repositories.length > 1}>
              <Select aria-label={t().compose.repository} value={path} onChange={(event) => setRepository(event.currentTarget.value)}>
                <For each={props.task.repositories}>{(one) => <option value={one.path}>{basename(one.path)}</option>}</For>
              </Select>
            </Show>
          }
        />
      )}
    </Show>
  );
}

function OneRepository(props: { task: Task; path: string; choose: JSX.Element }) {
  const [split, setSplit] = createStored('review.split', false);
  const [dialog, setDialog] = createSignal<'commit' | 'sync'>();
  const stat = createMemo(() => props.task.repositories.find((one) => one.path === props.path)?.diff);
  /** Files that no commit holds; nothing while that is not counted. */
  const uncommitted = (): number | undefined => {
    const now = stat();
    return now && !isCounted(props.task, now) ? undefined : (now?.uncommitted ?? 0);
  };
  // The figures change when the files do: that is when the diff is read again.
  const version = createMemo(() => JSON.stringify(stat()));
  const [query, setQuery] = useSearchParams<{ what?: string; commit?: string }>();
  const commits = createCommits(props.task.task_id, props.path, version);
  const scope = createMemo((): ScopeName => {
    const { commit, what } = query;
    // A commit may be named by the beginning of its id.
    if (commit !== undefined) return commits().find((one) => one.commit.startsWith(commit))?.commit ?? commit;
    return what === 'uncommitted' || what === 'committed' ? what : 'all';
  });
  const choose = (next: ScopeName): void => setQuery({ what: undefined, commit: undefined, ...(next === 'all' ? {} : scopeQuery(next)) }, { replace: true });
  const nextScope = (): void => {
    const order: ScopeName[] = ['all', ...(uncommitted() === 0 ? [] : ['uncommitted']), ...(commits().length > 0 ? ['committed'] : [])];
    choose(order[(order.indexOf(scope()) + 1) % order.length] ?? 'all');
  };
  const diff = createAsked(
    () => `${scope()} ${version()}`,
    (): Promise<Part> => {
      const part = scope();
      return api.diff(props.task.task_id, { repository: props.path, ...scopeQuery(part) }).then((text) => ({ part, text }));
    },
  );
  // An answer is of the part that was asked for; where there is none, what was there of the same part stays.
  const shown = createMemo(
    (before: Part): Part => {
      const now = diff() ?? before;
      return now.part === scope() ? now : { part: scope(), text: '' };
    },
    { part: '', text: '' },
    { equals: (a, b) => a.part === b.part && a.text === b.text },
  );
  const files = createMemo(() => parseDiff(shown().text));
  const comments = createComments(props.task.task_id, props.path);
  const viewed = createViewed(props.task.task_id, props.path);
  const [sending, setSending] = createSignal(false);
  let sent: { text: string; id: string } | undefined;
  /** The comments stay until the server has them; sent again, they are the same message. */
  const send = async (): Promise<void> => {
    const all = comments.all();
    const text = messageOfComments(all, t().review.messageHead);
    sent = sent?.text === text ? sent : { text, id: newInputId() };
    setSending(true);
    const problem = await sendMessage(props.task.task_id, text, 'now', [], sent.id);
    setSending(false);
    if (problem !== undefined) {
      drop(sent.id);
      toastFailure(problem);
      return;
    }
    // What was written since stays.
    for (const one of all) if (comments.all().includes(one)) comments.remove(one);
    toast(t().review.sent);
  };
  const walk = createWalk(files, viewed);
  const canSend = (): boolean => comments.all().length > 0 && props.task.allowed.includes('send') && !sending();
  let filter: HTMLInputElement | undefined;
  useCommands(() => [
    { id: 'view', title: t().review.toggleView, group: t().review.title, run: () => setSplit(!split()) },
    { id: 'scope', title: t().review.nextScope, group: t().review.title, run: nextScope },
    { id: 'file-next', title: t().review.nextFile, group: t().review.title, run: () => walk.step(1) },
    { id: 'file-previous', title: t().review.previousFile, group: t().review.title, run: () => walk.step(-1) },
    { id: 'file-viewed', title: t().review.viewedNext, group: t().review.title, run: walk.viewedNext },
    { id: 'file-fold', title: t().review.foldFile, group: t().review.title, run: walk.turn },
    { id: 'files-fold', title: t().review.foldAll, group: t().review.title, run: walk.turnAll },
    { id: 'file-filter', title: t().review.filter, group: t().review.title, run: () => filter?.focus() },
    ...(canSend() ? [{ id: 'comments-send', title: t().review.send(comments.all().length), group: t().review.title, run: () => void send() }] : []),
    ...(props.task.allowed.includes('commit') ? [{ id: 'commit', title: t().review.commit, group: t().review.title, run: () => void setDialog('commit') }] : []),
    ...(props.task.allowed.includes('sync') ? [{ id: 'sync', title: t().review.sync, group: t().review.title, run: () => void setDialog('sync') }] : []),
  ]);
  return (
    <div class="review">
      <div class="reviewhead">
        {props.choose}
        <Show when={stat()}><Scope commits={commits()} uncommitted={uncommitted()} value={scope()} onChange={choose} /></Show>
        <Show when={stat()}>
          {(now) => (
            <span class="reviewsum">
              <PlusMinus added={now().added} removed={now().removed} />
              <Show when={uncommitted() !== undefined}>
                <span>{t().review.commits(now().commits)}</span>
                <Show when={now().uncommitted > 0} fallback={<span class="faint">{t().review.allCommitted}</span>}>
                  <span class="uncommitted">{t().review.uncommitted(now().uncommitted)}</span>
                </Show>
              </Show>
              <Show when={files().length > 0}>
                <span class="faint">{t().review.viewedCount(files().filter((file) => viewed.is(file)).length, files().length)}</span>
              </Show>
            </span>
          )}
        </Show>
        <span class="spring" />
        <Show when={files().length > 1}>
          <IconButton icon="rows" label={files().some(walk.isFolded) ? t().review.unfold : t().review.fold} keys={keysById('files-fold')} onClick={() => walk.turnAll()} />
        </Show>
        <Segments
          label={t().review.view}
          hideLabel
          options={[
            { value: 'unified', label: t().review.unified },
            { value: 'split', label: t().review.split },
          ]}
          value={split() ? 'split' : 'unified'}
          onChange={(value) => setSplit(value === 'split')}
        />
        <Button disabled={!props.task.allowed.includes('commit') || uncommitted() === 0} onClick={() => setDialog('commit')}>
          {t().review.commit}
        </Button>
        <Button disabled={!props.task.allowed.includes('sync')} onClick={() => setDialog('sync')}>
          {t().review.sync}
        </Button>
      </div>
      <Failed of={diff.error} what={t().review.loadFailed} />
      <Show when={files().length > 0} fallback={<Show when={!diff.loading && !diff.error}><Empty title={t().review.emptyTitle} text={t().review.emptyText} /></Show>}>
        <div class="reviewbody">
          <FileList files={files()} isViewed={viewed.is} current={walk.current()} onGo={walk.go} field={(input) => (filter = input)} />
          <div class="reviewfiles">
            <For each={files()}>{(file) => <FileView file={file} split={split()} comments={comments} viewed={viewed.is(file)} onViewed={(is) => walk.setViewed(file, is)} folded={walk.isFolded(file)} onFold={(folded) => walk.fold(file, folded)} />}</For>
          </div>
        </div>
      </Show>
      <Show when={comments.all().length > 0}>
        <div class="reviewsend">
          <span>{t().review.comments(comments.all().length)}</span>
          <Button look="main" keys={keysById('comments-send')} disabled={!canSend()} onClick={() => void send()}>
            {t().review.send(comments.all().length)}
          </Button>
        </div>
      </Show>
      <Show when={dialog() === 'commit'}>
        <CommitDialog task={props.task} repository={props.path} onClose={() => setDialog(undefined)} />
      </Show>
      <Show when={dialog() === 'sync'}>
        <SyncDialog task={props.task} onClose={() => setDialog(undefined)} />
      </Show>
    </div>
  );
}
