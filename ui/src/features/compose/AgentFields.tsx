// Which agent: a harness and, where it takes one, a model.
import { Index, Show, type Accessor } from 'solid-js';
import { api } from '../../api/client';
import type { HarnessView } from '../../api/types';
import { Field, Select, Suggesting } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked, type Asked } from '../../lib/asked';
import { harnessTitle, suggestedModels } from '../../state/harness';
import type { AgentForm } from './form';

/** Agents that are installed, and the list that they are from. */
export function useAgents(): { agents: Accessor<HarnessView[]>; asked: Asked<HarnessView[]> } {
  const asked = createAsked(() => api.harnesses());
  return { agents: () => installed(asked()), asked };
}

export function installed(harnesses: readonly HarnessView[] | undefined): HarnessView[] {
  return (harnesses ?? []).filter((one) => one.installed.length > 0);
}

interface AgentFieldsProps {
  agents: HarnessView[];
  value: AgentForm;
  /** What no choice means; one has to be made without. */
  none?: string;
  onChange: (value: AgentForm) => void;
}

export function AgentFields(props: AgentFieldsProps) {
  const chosen = (): HarnessView | undefined => props.agents.find((one) => one.name === props.value.harness);
  return (
    <div class="formgrid">
      <Field label={t().hand.fork.agent}>
        {(ids) => (
          <Select {...ids} value={props.value.harness} onChange={(event) => props.onChange({ harness: event.currentTarget.value, model: '' })}>
            <Show when={props.none}>{(none) => <option value="">{none()}</option>}</Show>
            <Index each={props.agents}>
              {(one) => (
                <option value={one().name} selected={one().name === props.value.harness}>
                  {harnessTitle(one().name)}
                </option>
              )}
            </Index>
          </Select>
        )}
      </Field>
      <Show when={chosen() && chosen()?.abilities.models.choice !== 'fixed'}>
        <Field label={t().hand.handOff.model}>
          {(ids) => (
            <Suggesting {...ids} suggestions={suggestedModels(chosen()?.abilities)} placeholder={t().hand.handOff.modelPlaceholder} value={props.value.model} onInput={(event) => props.onChange({ ...props.value, model: event.currentTarget.value })} />
          )}
        </Field>
      </Show>
    </div>
  );
}
