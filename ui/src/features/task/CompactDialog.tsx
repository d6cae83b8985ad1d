// Has the agent shorten its context, and says what it is to keep in mind.
import { createSignal } from 'solid-js';
import type { Task } from '../../api/types';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { t } from '../../i18n';
import { compact } from '../../state/actions';

export function CompactDialog(props: { task: Task; onClose: () => void }) {
  const [about, setAbout] = createSignal('');
  const words = (): ReturnType<typeof t>['policy']['tune'] => t().policy.tune;
  const send = (): void => {
    void compact(props.task.task_id, about().trim());
    props.onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <Dialog
      title={words().compact}
      onClose={props.onClose}
      act={
        <Button look="main" keys="mod+enter" onClick={send}>
          {words().compactNow}
        </Button>
      }
    >
      <Field label={words().keep} hint={words().keepHint}>
        {(ids) => (
          <textarea
            {...ids}
            class="input"
            rows="3"
            ref={(element) => queueMicrotask(() => element.focus())}
            value={about()}
            onInput={(event) => setAbout(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
    </Dialog>
  );
}
