// "Run the same with…": other agents that get the same prompt, and the check that tells their work apart.
import { useSearchParams } from '@solidjs/router';
import { Index, Show, createEffect, untrack } from 'solid-js';
import type { HarnessView } from '../../api/types';
import { Button, IconButton } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { harnessTitle } from '../../state/harness';
import { AgentFields } from './AgentFields';
import type { AgentForm, NewTaskForm } from './form';
import './hand.css';

/** As many as one group has, without the first. */
const ALSO_MAX = 11;

interface AlsoProps {
  form: NewTaskForm;
  /** Agents that are installed. */
  agents: HarnessView[];
  set: (patch: Partial<NewTaskForm>) => void;
}

export function AlsoFields(props: AlsoProps) {
  const words = (): ReturnType<typeof t>['hand']['group'] => t().hand.group;
  const change = (nth: number, value: AgentForm): void => props.set({ also: props.form.also.map((one, at) => (at === nth ? value : one)) });
  const add = (): void => props.set({ also: [...props.form.also, { harness: props.agents[0]?.name ?? '', model: '' }] });
  useCommands(() => (props.agents.length > 0 && props.form.also.length < ALSO_MAX ? [{ id: 'also', title: words().also, group: t().compose.title, run: add }] : []));
  const [query, setQuery] = useSearchParams<{ also?: string }>();
  // Asked for from elsewhere: once, as soon as it is known which agents there are.
  createEffect(() => {
    if (query.also === undefined || props.agents.length === 0) return;
    setQuery({ also: undefined }, { replace: true });
    if (untrack(() => props.form.also.length) === 0) add();
  });
  return (
    <Show when={props.agents.length > 0}>
      <section class="contenders" aria-label={words().also}>
        <Index each={props.form.also}>
          {(one, nth) => (
            <div class="contender">
              <AgentFields agents={props.agents} value={one()} onChange={(value) => change(nth, value)} />
              <IconButton icon="cross" label={words().removeAgent(harnessTitle(one().harness))} onClick={() => props.set({ also: props.form.also.filter((_, at) => at !== nth) })} />
            </div>
          )}
        </Index>
        <Show when={props.form.also.length > 0}>
          <Field label={words().check} hint={words().checkHint}>
            {(ids) => <Input {...ids} class="code" placeholder={words().checkPlaceholder} value={props.form.check} onInput={(event) => props.set({ check: event.currentTarget.value })} />}
          </Field>
        </Show>
        <div>
          <Button class="addrepo" look="bare" icon="plus" title={words().alsoHint} disabled={props.form.also.length >= ALSO_MAX} onClick={add}>
            {props.form.also.length === 0 ? words().also : words().add}
          </Button>
        </div>
      </section>
    </Show>
  );
}
