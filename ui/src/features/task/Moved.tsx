// A repository that is not where the task knows it: which, and a form that says where it is now.
import { For, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { t } from '../../i18n';
import { createAttempt } from '../../state/attempt';
import { look } from '../../state/tasks';
import { toast } from '../../state/toasts';

export function Moved(props: { task: Task }) {
  return <For each={props.task.missing ?? []}>{(path) => <One task={props.task.task_id} path={path} />}</For>;
}

function One(props: { task: string; path: string }) {
  const [now, setNow] = createSignal('');
  const telling = createAttempt();
  const tell = async (): Promise<void> => {
    if (await telling.run(() => api.relink(props.task, props.path, now().trim()))) toast(t().box.moved.done);
    look(props.task);
  };
  return (
    <Callout tone="attention">
      <p>{t().box.moved.missing(props.path)}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void tell();
        }}
      >
        <Field label={t().box.moved.where} hint={t().box.moved.hint} problem={telling.problem()}>
          {(ids) => <Input {...ids} value={now()} onInput={(event) => setNow(event.currentTarget.value)} />}
        </Field>
        <div class="lineactions">
          <Button type="submit" disabled={telling.busy() || now().trim() === ''}>
            {t().box.moved.tell}
          </Button>
        </div>
      </form>
    </Callout>
  );
}
