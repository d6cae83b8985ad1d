// The provider's limits, each as it was last told: the one that binds first.
import { For, Show } from 'solid-js';
import type { RateLimit, Task } from '../../api/types';
import { Meter } from '../../components/Bits';
import { locale, t } from '../../i18n';
import { within } from '../../lib/clock';
import { moment, percent } from '../../lib/format';

/** Those that still count: one that holds nothing up is over when its time has come. */
export function limitsOf(task: Task): RateLimit[] {
  const limits = task.rate_limits ?? (task.rate_limit ? [task.rate_limit] : []);
  return limits.filter((one) => one.blocked || one.resets_at == null || within(one.resets_at, 0));
}

export function Limits(props: { task: Task }) {
  const words = (): ReturnType<typeof t>['task']['aside'] => t().task.aside;
  return (
    <Show when={limitsOf(props.task).length > 0}>
      <section class="part">
        <h2>{words().limits}</h2>
        <For each={limitsOf(props.task)}>
          {(limit) => (
            <div>
              <p class="numbers">
                {limit.name} <Show when={limit.used != null}>{percent(limit.used ?? 0)}</Show>
                <Show when={limit.blocked}> · {words().blocked}</Show>
                <Show when={limit.resets_at}>{(at) => <span class="faint"> {words().until(moment(at(), locale()))}</span>}</Show>
              </p>
              <Show when={limit.used != null}>
                <Meter share={limit.used ?? 0} label={limit.name} />
              </Show>
            </div>
          )}
        </For>
      </section>
    </Show>
  );
}
