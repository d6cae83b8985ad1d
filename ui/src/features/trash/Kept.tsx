// One thing that was kept: what it holds, and the ways to get it back or to drop it.
import { A, useNavigate } from '@solidjs/router';
import { For, Show, createMemo, createSignal, untrack } from 'solid-js';
import { api } from '../../api/client';
import type { CommitView, TrashEntry } from '../../api/types';
import { Callout, Failed, PlusMinus, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { DiffLines } from '../../components/DiffLines';
import { createColours } from '../../components/diffColours';
import { Dialog } from '../../components/Dialog';
import { Checkbox, Field, Input } from '../../components/Field';
import { locale, t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { useCommands } from '../../lib/commands';
import { parseDiff, type FileDiff } from '../../lib/diff';
import { bytes, moment } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { askArchive, summary } from '../../state/tasks';
import { toast } from '../../state/toasts';

export function Kept(props: { entry: TrashEntry; onGone: () => void }) {
  const detail = createAsked(() => api.trashDetail(untrack(() => props.entry)));
  const [dialog, setDialog] = createSignal<'restore' | 'drop'>();
  const shown = detail;
  const files = createMemo(() => parseDiff(shown()?.diff ?? ''));
  // Its task may be in the archive.
  void askArchive();
  const there = (): boolean => summary(props.entry.task_id) !== undefined;
  useCommands(() => [{ id: 'trash-restore', title: t().box.trash.restore, group: t().box.trash.title, run: () => void setDialog('restore') }]);
  return (
    <article class="kept">
      <header>
        <div class="kepthead">
          <h2>
            <Show when={there()} fallback={props.entry.title ?? t().box.trash.unknownTask}>
              <A href={`/tasks/${props.entry.task_id}`}>{props.entry.title ?? props.entry.task_id}</A>
            </Show>
          </h2>
          <span class="spring" />
          <Button look="main" icon="undo" onClick={() => setDialog('restore')}>
            {t().box.trash.restore}
          </Button>
          <Button look="bare" icon="trash" onClick={() => setDialog('drop')}>
            {t().box.trash.drop}
          </Button>
        </div>
        <p class="facts">
          <span>{t().box.trash.reason[props.entry.reason]}</span>
          <span title={props.entry.kept_at}>{moment(props.entry.kept_at, locale())}</span>
          <Show when={props.entry.branch}>{(branch) => <code>{branch()}</code>}</Show>
          <code title={props.entry.ref}>{props.entry.commit.slice(0, 7)}</code>
          <span>{props.entry.expires_at === undefined ? t().box.trash.forever : t().box.trash.until(moment(props.entry.expires_at, locale()))}</span>
        </p>
      </header>
      <div class="keptbody" tabindex="0" role="region" aria-label={t().box.trash.files}>
        <Failed of={detail.error} />
        <Show when={props.entry.ignored.files > 0}>
          <Callout tone={props.entry.ignored.kept ? 'quiet' : 'attention'} icon="file">
            {(props.entry.ignored.kept ? t().box.trash.ignored : t().box.trash.ignoredLeft)(props.entry.ignored.files, bytes(props.entry.ignored.bytes))}
          </Callout>
        </Show>
        <Show when={shown()}>
          {(now) => (
            <>
              <Show when={now().commits.length > 0}>
                <section>
                  <h3>{t().box.trash.commits}</h3>
                  <CommitList commits={now().commits} more={now().more_commits} />
                </section>
              </Show>
              <Show when={props.entry.others.length > 0}>
                <section>
                  <h3>{t().box.trash.others(props.entry.others.length)}</h3>
                  <ul role="list" class="commitlist">
                    <For each={props.entry.others}>
                      {(one) => (
                        <li>
                          <code class="truncate">{one.name.replace(/^refs\/(heads|tags)\//, "")}</code>
                          <code class="faint">{one.commit.slice(0, 7)}</code>
                        </li>
                      )}
                    </For>
                  </ul>
                </section>
              </Show>
              <section>
                <h3>{t().box.trash.files}</h3>
                <Show when={files().length > 0} fallback={<p class="soft">{t().box.trash.noFiles}</p>}>
                  <For each={files()}>{(file) => <KeptFile file={file} />}</For>
                </Show>
                <Show when={now().truncated}>
                  <p class="faint">{t().box.trash.truncated}</p>
                </Show>
              </section>
            </>
          )}
        </Show>
      </div>
      <Show when={dialog() === 'restore'}>
        <RestoreDialog entry={props.entry} onClose={() => setDialog(undefined)} />
      </Show>
      <Show when={dialog() === 'drop'}>
        <DropDialog entry={props.entry} onClose={() => setDialog(undefined)} onDone={props.onGone} />
      </Show>
    </article>
  );
}

function CommitList(props: { commits: CommitView[]; more: number }) {
  return (
    <>
      <ul role="list" class="commitlist">
        <For each={props.commits}>
          {(one) => (
            <li>
              <code class="faint" title={one.commit}>
                {one.commit.slice(0, 7)}
              </code>
              <span class="truncate" title={`${one.author}, ${moment(one.committed_at, locale())}`}>
                {one.subject}
              </span>
              <PlusMinus added={one.added} removed={one.removed} />
            </li>
          )}
        </For>
      </ul>
      <Show when={props.more > 0}>
        <p class="faint">{t().box.trash.moreCommits(props.more)}</p>
      </Show>
    </>
  );
}

function KeptFile(props: { file: FileDiff }) {
  const colours = createColours(() => props.file);
  return (
    <div class="keptfile">
      <p class="keptname">
        <code class="truncate">{props.file.path}</code>
        <PlusMinus added={props.file.added} removed={props.file.removed} />
      </p>
      <Show when={!props.file.binary} fallback={<p class="filenote faint">{t().review.binary}</p>}>
        <DiffLines hunks={props.file.hunks} colours={colours()} gapTitle={t().review.hunk} label={props.file.path} />
      </Show>
    </div>
  );
}

function RestoreDialog(props: { entry: TrashEntry; onClose: () => void }) {
  const navigate = useNavigate();
  const [branch, setBranch] = createSignal('');
  const [others, setOthers] = createSignal(false);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const proposed = (): string => `${props.entry.branch ?? 'paddock'}-restored`;
  const go = async (): Promise<void> => {
    if (busy()) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const name = branch().trim();
      const done = await api.restoreTrash(props.entry, { ...(name === '' ? {} : { branch: name }), others: others() });
      const task = done.task_id;
      toast(t().box.trash.restored(done.branch), task === undefined ? undefined : { label: t().inbox.open, run: () => navigate(`/tasks/${task}`) });
      props.onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t().box.trash.restoreTitle}
      onClose={props.onClose}
      act={
        <Button look="main" keys="enter" disabled={busy()} onClick={() => void go()}>
          {busy() ? t().box.trash.restoring : t().box.trash.restoreDo}
        </Button>
      }
    >
      <div class="dialogform">
        <p class="soft">{t().box.trash.restoreText}</p>
        <Field label={t().box.trash.branch} problem={problem()}>
          {(ids) => <Input {...ids} class="code" autofocus placeholder={proposed()} value={branch()} onInput={(event) => setBranch(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Enter' && void go()} />}
        </Field>
        <Show when={props.entry.others.length > 0}>
          <Checkbox label={t().box.trash.withOthers} checked={others()} onChange={setOthers} />
        </Show>
      </div>
    </Dialog>
  );
}

function DropDialog(props: { entry: TrashEntry; onClose: () => void; onDone: () => void }) {
  const [problem, setProblem] = createSignal<string>();
  const go = async (): Promise<void> => {
    try {
      await api.dropTrash(props.entry);
      toast(t().box.trash.dropped);
      props.onClose();
      props.onDone();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog
      title={t().box.trash.dropTitle}
      onClose={props.onClose}
      act={
        <Button look="danger" onClick={() => void go()}>
          {t().box.trash.dropDo}
        </Button>
      }
    >
      <p>{t().box.trash.dropText}</p>
      <Problem text={problem()} />
    </Dialog>
  );
}
