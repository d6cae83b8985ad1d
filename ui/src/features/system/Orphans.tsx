// Boxes that belong to no task: what each is, and what can be done with it. Nothing is done by itself.
import { useNavigate } from '@solidjs/router';
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import type { Orphan } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Dot } from '../../components/Status';
import { Words } from '../../components/Words';
import { t } from '../../i18n';
import { basename } from '../../lib/format';
import { messageOf } from '../../lib/message';
import { put } from '../../state/tasks';
import { toast, toastFailure } from '../../state/toasts';

export function Orphans(props: { host: string; orphans: Orphan[]; onChange: () => void }) {
  const navigate = useNavigate();
  const [removing, setRemoving] = createSignal<Orphan>();
  const adopt = async (orphan: Orphan): Promise<void> => {
    try {
      const task = await api.adoptOrphan(props.host, orphan);
      put(task);
      toast(t().box.orphan.adopted);
      navigate(`/tasks/${task.task_id}`);
    } catch (error) {
      toastFailure(messageOf(error));
    }
  };
  return (
    <Show when={props.orphans.length > 0}>
      <h3>{t().hosts.orphans}</h3>
      <p class="soft">{t().box.orphan.text}</p>
      <ul role="list" class="checks">
        <For each={props.orphans}>
          {(orphan) => (
            <li>
              <Dot tone="attention" shape="ring" label={t().doctor.wanting} />
              <div>
                <p>
                  <b title={orphan.name}>{basename(orphan.name)}</b> <span class="soft">{facts(orphan)}</span>
                </p>
                <p class="soft">
                  <Words text={orphan.advice} />
                </p>
                <div class="orphanactions">
                  <Show when={orphan.adoptable}>
                    <Button onClick={() => void adopt(orphan)}>{t().box.orphan.adopt}</Button>
                  </Show>
                  <Button look={orphan.adoptable ? 'bare' : undefined} onClick={() => setRemoving(orphan)}>
                    {t().box.orphan.remove}
                  </Button>
                </div>
              </div>
            </li>
          )}
        </For>
      </ul>
      <Show when={removing()}>{(orphan) => <RemoveDialog host={props.host} orphan={orphan()} onClose={() => setRemoving(undefined)} onDone={props.onChange} />}</Show>
    </Show>
  );
}

function facts({ kind, state, repositories }: Orphan): string {
  return [kind && t().compose.boxes[kind], state, repositories?.map(basename).join(', ')].filter(Boolean).join(' · ');
}

function RemoveDialog(props: { host: string; orphan: Orphan; onClose: () => void; onDone: () => void }) {
  const [problem, setProblem] = createSignal<string>();
  const [loses, setLoses] = createSignal(false);
  const go = async (): Promise<void> => {
    try {
      await api.removeOrphan(props.host, props.orphan, loses());
      toast(t().box.orphan.removed);
      props.onClose();
      props.onDone();
    } catch (error) {
      setLoses(error instanceof ApiError && error.code === 'would_lose');
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog
      title={t().box.orphan.removeTitle}
      onClose={props.onClose}
      act={
        <Button look="danger" onClick={() => void go()}>
          {loses() ? t().box.orphan.removeAnyway : t().box.orphan.removeDo}
        </Button>
      }
    >
      <div class="dialogform">
        <p>
          <b>{props.orphan.name}</b>
        </p>
        <p class="soft">{t().box.orphan.removeText}</p>
        <Show when={problem()}>{(text) => <Callout tone={loses() ? 'attention' : 'failure'} role="alert">{text()}</Callout>}</Show>
      </div>
    </Dialog>
  );
}
