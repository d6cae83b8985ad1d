// Before a task is removed: what would be lost, in figures and names.
import { For, Show } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Callout, Failed } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { purge } from '../../state/actions';
import { Losses } from './Losses';

const FILES_MAX = 8;

export function PurgeDialog(props: { task: Task; onClose: () => void }) {
  const preview = createAsked(() => api.purgePreview(props.task.task_id));
  const shown = preview;
  const loses = (): boolean => {
    const found = shown();
    return !found || found.uncommitted.length > 0 || found.unpushed > 0 || found.unknown != null;
  };
  const go = (): void => {
    void purge(props.task.task_id, loses());
    props.onClose();
  };
  return (
    <Dialog
      title={t().task.purge.title}
      onClose={props.onClose}
      act={
        <Button look="danger" disabled={preview.loading} onClick={go}>
          {loses() ? t().task.purge.anyway : t().task.purge.confirm}
        </Button>
      }
    >
      <div class="purge">
        <p>
          <b>{props.task.title}</b>
        </p>
        <Show when={!preview.loading} fallback={<p class="faint">{t().task.purge.looking}</p>}>
          <Failed of={preview.error} />
          <Show when={shown()}>
            {(found) => (
              <Show when={loses()} fallback={<Callout tone="success" icon="check">{t().task.purge.clean}</Callout>}>
                <Callout tone="attention">
                  <Show when={found().unknown}>
                    {(why) => (
                      <p>
                        {t().task.purge.unknown}: {why()}
                      </p>
                    )}
                  </Show>
                  <Show when={found().unpushed > 0}>
                    <p>{t().task.purge.unpushed(found().unpushed)}</p>
                  </Show>
                  <Show when={found().uncommitted.length > 0}>
                    <p>{t().task.purge.uncommitted(found().uncommitted.length)}</p>
                    <ul>
                      <For each={found().uncommitted.slice(0, FILES_MAX)}>{(file) => <li class="code">{file}</li>}</For>
                    </ul>
                    <Show when={found().uncommitted.length > FILES_MAX}>
                      <p>{t().task.aside.moreFiles(found().uncommitted.length - FILES_MAX)}</p>
                    </Show>
                  </Show>
                </Callout>
              </Show>
            )}
          </Show>
        </Show>
        <Show when={shown()}>{(found) => <Losses preview={found()} />}</Show>
        <p class="soft">{t().task.purge.kept}</p>
      </div>
    </Dialog>
  );
}
