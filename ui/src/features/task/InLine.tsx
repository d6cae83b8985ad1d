// A task that waits for a place on its host: where it stands in the line, and who holds the places.
import { Show } from 'solid-js';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Mentions } from '../../components/Mentions';
import { t } from '../../i18n';
import { moveInLine } from '../../state/actions';
import { summary } from '../../state/tasks';

export function InLine(props: { task: Task }) {
  const place = () => (props.task.state === 'pending' ? summary(props.task.task_id)?.place : undefined);
  return (
    <Show when={place()}>
      {(now) => (
        <Callout tone="quiet" icon="clock">
          <p title={now().reason}>
            <b class="numbers">{t().box.place.line(now().position, now().of)}</b> · {t().box.place.taken(now().held, now().limit)}{' '}
            <Mentions list={now().held_by} />
          </p>
          <Show when={now().of > 1}>
            <div class="lineactions">
              <Button disabled={now().position === 1} onClick={() => void moveInLine(props.task.task_id, 'front')}>
                {t().box.place.front}
              </Button>
              <Button disabled={now().position === now().of} onClick={() => void moveInLine(props.task.task_id, 'back')}>
                {t().box.place.back}
              </Button>
            </div>
          </Show>
        </Callout>
      )}
    </Show>
  );
}
