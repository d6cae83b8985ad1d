// The sessions that a task's agent has in its box, to go on with another of them.
import { For, Show, createMemo } from 'solid-js';
import { api } from '../../api/client';
import type { PastSession, Task } from '../../api/types';
import { Ago, Failed } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { bytes } from '../../lib/format';
import { act } from '../../state/actions';
import './sessions.css';

export default function Sessions(props: { task: Task; onClose: () => void }) {
  const words = (): ReturnType<typeof t>['home']['sessions'] => t().home.sessions;
  const found = createAsked(() => api.taskSessions(props.task.task_id));
  const can = createMemo(() => props.task.allowed.includes('revive'));
  const others = (): boolean => (found() ?? []).some((one) => one.session_id !== props.task.agent_session);
  const goOn = async (session: PastSession): Promise<void> => {
    const id = props.task.task_id;
    if (await act(id, () => api.reviveWith(id, session.session_id), words().goesOn)) props.onClose();
  };
  return (
    <Dialog title={words().title} wide onClose={props.onClose}>
      <Failed of={found.error} />
      <Show when={found() === undefined && found.error === undefined}>
        <p class="faint">{t().app.loading}</p>
      </Show>
      <Show when={found()?.length === 0}>
        <p class="soft">{words().none}</p>
      </Show>
      <Show when={others() && !can()}>
        <p class="soft">{words().stopFirst}</p>
      </Show>
      <ul role="list" class="ownsessions" aria-label={words().title}>
        <For each={found()}>
          {(session) => (
            <li>
              <span class="truncate" title={session.title}>
                {session.title || session.session_id}
              </span>
              <span class="faint">
                {facts(session)}
                <Show when={session.last_at ?? session.began_at}>
                  {(at) => (
                    <>
                      {' · '}
                      <Ago at={at()} />
                    </>
                  )}
                </Show>
              </span>
              <span class="ownsession">
                <Show when={session.session_id !== props.task.agent_session} fallback={<span class="faint">{words().current}</span>}>
                  <Button disabled={!can()} onClick={() => void goOn(session)}>
                    {t().hand.sessions.goOn}
                  </Button>
                </Show>
              </span>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  );
}

function facts(session: PastSession): string {
  return session.prompts === undefined ? bytes(session.size) : t().hand.sessions.prompts(session.prompts);
}
