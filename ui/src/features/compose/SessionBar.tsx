// In the composer: a session of the user's own that the new task goes on with.
import { Show, createSignal } from 'solid-js';
import type { HarnessView, PastSession } from '../../api/types';
import { Button, IconButton } from '../../components/Button';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import { harnessTitle } from '../../state/harness';
import { SessionDialog } from './SessionDialog';
import './sessions.css';

interface SessionBarProps {
  harnesses: HarnessView[];
  /** Where the task is to work, where that is known. */
  repository: string;
  chosen: PastSession | undefined;
  onChoose: (session: PastSession | undefined) => void;
}

export function SessionBar(props: SessionBarProps) {
  const words = (): ReturnType<typeof t>['hand']['sessions'] => t().hand.sessions;
  const [open, setOpen] = createSignal(false);
  const choose = (session: PastSession): void => {
    props.onChoose(session);
    setOpen(false);
  };
  return (
    <Show when={props.harnesses.some((one) => one.abilities.adopt)}>
      <Show
        when={props.chosen}
        fallback={
          <div>
            <Button class="addrepo" look="bare" icon="clock" onClick={() => setOpen(true)}>
              {words().action}
            </Button>
          </div>
        }
      >
        {(session) => (
          <div class="chosensession" role="status">
            <Icon name="clock" />
            <span class="truncate">
              {words().chosen(harnessTitle(session().harness))} <b>{session().title || session().session_id}</b>
            </span>
            <IconButton icon="cross" label={words().without} onClick={() => props.onChoose(undefined)} />
          </div>
        )}
      </Show>
      <Show when={open()}>
        <SessionDialog repository={props.repository} onChoose={choose} onClose={() => setOpen(false)} />
      </Show>
    </Show>
  );
}
