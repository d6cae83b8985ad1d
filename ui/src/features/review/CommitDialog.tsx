// Committing what the agent left: which files go in, what the scan says of them, one message.
import { Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { toast } from '../../state/toasts';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { messageOf } from '../../lib/message';
import { look } from '../../state/tasks';
import { CommitFiles } from './CommitFiles';
import { FindingList } from './FindingList';

export function CommitDialog(props: { task: Task; repository: string; onClose: () => void }) {
  const previews = createAsked(() => api.commitPreview(props.task.task_id));
  const preview = () => previews()?.find((one) => one.repository === props.repository);
  /** Those that stay out; a look at what has changed since leaves the choice as it is. */
  const [out, setOut] = createSignal<ReadonlySet<string>>(new Set());
  const files = createMemo(() => preview()?.files ?? []);
  const chosen = createMemo(() => files().filter((file) => !out().has(file.path)));
  const findings = createMemo(() => (preview()?.findings ?? []).filter((finding) => !out().has(finding.path)));
  const [message, setMessage] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const commit = async (): Promise<void> => {
    const shown = preview();
    if (!shown || message().trim() === '' || chosen().length === 0 || busy()) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const some = chosen().length < files().length ? { files: chosen().map((file) => file.path) } : {};
      const made = await api.commit(props.task.task_id, { repository: props.repository, message: message().trim(), token: shown.token, ...some });
      toast(t().review.committed(made.commit.slice(0, 7)));
      look(props.task.task_id);
      props.onClose();
    } catch (error) {
      // The tree may have changed since it was looked at: look again, the message stays.
      setProblem(messageOf(error));
      previews.again();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t().review.commitTitle}
      wide
      onClose={props.onClose}
      act={
        <Button look="main" keys="mod+enter" disabled={busy() || message().trim() === '' || chosen().length === 0} onClick={() => void commit()}>
          {t().review.commitDo}
        </Button>
      }
    >
      <div class="dialogform" onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void commit()}>
        <Field label={t().review.commitMessage}>
          {(ids) => (
            <textarea {...ids} class="input" rows="3" autofocus placeholder={t().review.commitPlaceholder} value={message()} onInput={(event) => setMessage(event.currentTarget.value)} />
          )}
        </Field>
        <Problem text={problem()} />
        <Failed of={previews.error} />
        <Show when={preview()} fallback={<Show when={!previews.loading && !previews.error}><p class="soft">{t().review.nothingToCommit}</p></Show>}>
          {(shown) => (
            <>
              <FindingList findings={findings()} />
              <CommitFiles files={files()} more={shown().more_files ?? 0} out={out()} onChange={setOut} />
              <Show when={shown().left_out.length > 0}>
                <p class="soft">
                  {t().review.leftOut}: <code>{shown().left_out.join(', ')}</code>
                </p>
              </Show>
            </>
          )}
        </Show>
      </div>
    </Dialog>
  );
}
