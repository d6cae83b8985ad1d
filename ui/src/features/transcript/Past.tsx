// What was said in the agent's session before the task had it: one line that opens.
import { For, Show } from 'solid-js';
import type { PastMessage, Task } from '../../api/types';
import { Markdown } from '../../components/Markdown';
import { t } from '../../i18n';
import { harnessTitle } from '../../state/harness';
import type { RowOf } from '../../state/rows';
import { Fold } from './Fold';

export function Past(props: { row: RowOf<'past'>; task: Task }) {
  const words = (): ReturnType<typeof t>['hand']['sessions'] => t().hand.sessions;
  const all = (): number => props.row.messages.length + props.row.leftOut;
  return (
    <Fold
      icon="clock"
      quiet
      disabled={props.row.messages.length === 0}
      name={`${props.task.task_id} past`}
      head={
        <>
          <span class="verb">{words().before(harnessTitle(props.row.harness))}</span> <span class="faint">{words().messages(all())}</span>
        </>
      }
    >
      <div class="past">
        <For each={props.row.messages}>
          {(message, nth) => (
            <>
              <One message={message} name={harnessTitle(props.row.harness)} />
              <Show when={nth() === 0 && props.row.leftOut > 0}>
                <p class="faint">{words().leftOut(props.row.leftOut)}</p>
              </Show>
            </>
          )}
        </For>
      </div>
    </Fold>
  );
}

function One(props: { message: PastMessage; name: string }) {
  return (
    <Show when={props.message.by !== 'tool'} fallback={<p class="truncate"><code>{props.message.text}</code></p>}>
      <div>
        <p class="who">
          <b>{props.message.by === 'user' ? t().task.row.you : props.name}</b>
        </p>
        <Markdown text={props.message.text} growing={false} />
      </div>
    </Show>
  );
}
