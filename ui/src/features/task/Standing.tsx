// What holds a task up although nothing is wrong with it: a usage limit, an agent that has fallen silent.
import { Show } from 'solid-js';
import type { Task } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { locale, t } from '../../i18n';
import { moment } from '../../lib/format';
import { sentences } from '../../lib/message';
import { interrupt, restart, resumeOnLimit } from '../../state/actions';
import { isRetrying } from '../../state/status';
import { retryWords } from '../../state/words';

export function Standing(props: { task: Task }) {
  return (
    <>
      <UsageLimitNote task={props.task} />
      <RetryNote task={props.task} />
      <SilentNote task={props.task} />
    </>
  );
}

function UsageLimitNote(props: { task: Task }) {
  const words = (): ReturnType<typeof t>['policy']['limit'] => t().policy.limit;
  return (
    <Show when={props.task.limit}>
      {(limit) => (
        <Callout tone="attention" icon="clock">
          <b>{words().reached}</b>
          <Show when={limit().name}> ({limit().name})</Show>
          <Show when={limit().resets_at} fallback={<>. {words().unknown}</>}>
            {(at) => <>, {t().task.limit.until(moment(at(), locale()))}.</>}
          </Show>{' '}
          <Show
            when={limit().resume_at}
            fallback={
              <Button look="bare" onClick={() => void resumeOnLimit(props.task.task_id, true)}>
                {words().resume}
              </Button>
            }
          >
            {(at) => (
              <>
                {words().resumes(moment(at(), locale()))}{' '}
                <Button look="bare" onClick={() => void resumeOnLimit(props.task.task_id, false)}>
                  {words().cancel}
                </Button>
              </>
            )}
          </Show>
        </Callout>
      )}
    </Show>
  );
}

/** A request that failed and is made again: gone as soon as the model answers. */
function RetryNote(props: { task: Task }) {
  return (
    <Show when={isRetrying(props.task) && props.task.retry}>
      {(retry) => (
        <Callout tone="attention" icon="clock" role="status">
          <b>{retryWords(retry())}</b>
          <p>{sentences(retry().reason)}</p>
        </Callout>
      )}
    </Show>
  );
}

function SilentNote(props: { task: Task }) {
  return (
    <Show when={props.task.silent_since}>
      {(since) => (
        <Callout tone="attention" icon="clock" role="status">
          <b>{t().policy.silent.title(moment(since(), locale()))}</b>
          <p>{t().policy.silent.hint}</p>
          <Button onClick={() => void interrupt(props.task.task_id)}>{t().task.interrupt}</Button>{' '}
          <Button onClick={() => void restart(props.task.task_id)}>{t().policy.silent.restart}</Button>
        </Callout>
      )}
    </Show>
  );
}
