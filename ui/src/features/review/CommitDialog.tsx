// Committing what the agent left: which files go in, what the scan says, one message.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Failed, PlusMinus, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { toast } from '../../state/toasts';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { messageOf } from '../../lib/message';
import { look } from '../../state/tasks';
import { FindingList } from './FindingList';

export function CommitDialog(props: { task: Task; repository: string; onClose: () => void }) {
  const previews = createAsked(() => api.commitPreview(props.task.task_id));
  const preview = () => previews()?.find((one) => one.repository === props.repository);
  const [message, setMessage] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const commit = async (): Promise<void> => {
    const shown = preview();
    if (!shown || message().trim() === '' || busy()) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const made = await api.commit(props.task.task_id, { repository: props.repository, message: message().trim(), token: shown.token });
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
        <Button look="main" keys="mod+enter" disabled={busy() || message().trim() === '' || (preview()?.files.length ?? 0) === 0} onClick={() => void commit()}>
          {t().review.commitDo}
        </Button>
      }
    >
      <div class="dialogform">
        <Field label={t().review.commitMessage}>
          {(ids) => (
            <textarea {...ids} class="input" rows="3" autofocus placeholder={t().review.commitPlaceholder} value={message()} onInput={(event) => setMessage(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void commit()} />
          )}
        </Field>
        <Problem text={problem()} />
        <Failed of={previews.error} />
        <Show when={preview()} fallback={<Show when={!previews.loading && !previews.error}><p class="soft">{t().review.nothingToCommit}</p></Show>}>
          {(shown) => (
            <>
              <FindingList findings={shown().findings} />
              <p class="soft">{t().review.commitFiles(shown().files.length)}</p>
              <ul role="list" class="commitfiles" tabindex="0" aria-label={t().review.files}>
                <For each={shown().files}>
                  {(file) => (
                    <li>
                      <code class="truncate">{file.path}</code>
                      <PlusMinus added={file.added} removed={file.removed} />
                    </li>
                  )}
                </For>
              </ul>
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
