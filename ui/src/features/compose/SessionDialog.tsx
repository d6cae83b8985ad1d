// Sessions that the user had with agents outside Paddock: found by repository and by words, one of them to go on with.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { PastSession } from '../../api/types';
import { Ago, Failed } from '../../components/Bits';
import { Dialog } from '../../components/Dialog';
import { Checkbox, Field, Input } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { bytes } from '../../lib/format';
import { harnessTitle } from '../../state/harness';
import './sessions.css';

interface SessionDialogProps {
  /** Where the task is to work, where that is known. */
  repository: string;
  onChoose: (session: PastSession) => void;
  onClose: () => void;
}

export function SessionDialog(props: SessionDialogProps) {
  const words = (): ReturnType<typeof t>['hand']['sessions'] => t().hand.sessions;
  const [filter, setFilter] = createSignal('');
  const [everywhere, setEverywhere] = createSignal(props.repository === '');
  const found = createAsked(
    () => ({ repository: everywhere() ? undefined : props.repository }),
    ({ repository }) => api.agentSessions(repository),
  );
  const shown = createMemo(() => {
    const wanted = filter().trim().toLowerCase();
    const says = (one: PastSession): boolean => [one.title, one.directory ?? '', one.session_id, harnessTitle(one.harness)].some((text) => text.toLowerCase().includes(wanted));
    return (found() ?? []).filter(says);
  });
  return (
    <Dialog title={words().title} wide onClose={props.onClose}>
      <div class="sessions">
        <p class="soft">{words().text}</p>
        <Field label={words().filter}>
          {(ids) => <Input {...ids} autofocus value={filter()} onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()} onInput={(event) => setFilter(event.currentTarget.value)} />}
        </Field>
        <Show when={props.repository !== ''}>
          <Checkbox label={words().everywhere} checked={everywhere()} onChange={setEverywhere} />
        </Show>
        <Failed of={found.error} />
        <Show when={found() !== undefined && shown().length === 0}>
          <p class="faint">{words().none}</p>
        </Show>
        <ul role="list" class="sessionlist" aria-label={words().title}>
          <For each={shown()}>
            {(session) => (
              <li>
                <button type="button" class="sessionrow" onClick={() => props.onChoose(session)}>
                  <span class="sessiontitle truncate">{session.title || session.session_id}</span>
                  <span class="faint numbers">
                    <Show when={session.last_at ?? session.began_at}>{(at) => <Ago at={at()} />}</Show>
                  </span>
                  <span class="faint truncate">{facts(session)}</span>
                  <span class="sessiongo">{words().goOn}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </div>
    </Dialog>
  );
}

/** Whose it is, how long it is, where it worked, and whether a task has it. */
function facts(session: PastSession): string {
  const words = t().hand.sessions;
  const long = session.prompts === undefined ? bytes(session.size) : words.prompts(session.prompts);
  return [harnessTitle(session.harness), long, session.directory, session.task_id && words.taken].filter(Boolean).join(' · ');
}
