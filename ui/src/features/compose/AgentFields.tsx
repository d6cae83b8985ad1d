// Which agent: a harness and, where it takes one, a model.
import { Index, Show, type Accessor } from 'solid-js';
import { api } from '../../api/client';
import type { Contender, HarnessView } from '../../api/types';
import { Field, Input, Select } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { newElementId } from '../../lib/ids';
import { harnessTitle } from '../../state/harness';

export interface AgentForm {
  harness: string;
  model: string;
}

/** Agents that are installed. */
export function useAgents(): Accessor<HarnessView[]> {
  const asked = createAsked(() => api.harnesses().catch(() => []));
  return () => (asked() ?? []).filter((one) => one.installed.length > 0);
}

export function contenderOf(form: AgentForm): Contender {
  return form.model.trim() === '' ? { harness: form.harness } : { harness: form.harness, model: form.model.trim() };
}

interface AgentFieldsProps {
  agents: HarnessView[];
  value: AgentForm;
  /** What no choice means; one has to be made without. */
  none?: string;
  onChange: (value: AgentForm) => void;
}

export function AgentFields(props: AgentFieldsProps) {
  const models = newElementId('models');
  const chosen = (): HarnessView | undefined => props.agents.find((one) => one.name === props.value.harness);
  const suggestions = (): string[] => {
    const choice = chosen()?.abilities.models;
    return choice?.choice === 'free' ? choice.suggestions : [];
  };
  return (
    <div class="formgrid">
      <Field label={t().hand.fork.agent}>
        {(ids) => (
          <Select {...ids} value={props.value.harness} onChange={(event) => props.onChange({ harness: event.currentTarget.value, model: '' })}>
            <Show when={props.none}>{(none) => <option value="">{none()}</option>}</Show>
            <Index each={props.agents}>{(one) => <option value={one().name}>{harnessTitle(one().name)}</option>}</Index>
          </Select>
        )}
      </Field>
      <Show when={chosen() && chosen()?.abilities.models.choice !== 'fixed'}>
        <Field label={t().hand.handOff.model}>
          {(ids) => <Input {...ids} list={models} placeholder={t().hand.handOff.modelPlaceholder} value={props.value.model} onInput={(event) => props.onChange({ ...props.value, model: event.currentTarget.value })} />}
        </Field>
      </Show>
      <datalist id={models}>
        <Index each={suggestions()}>{(one) => <option value={one()} />}</Index>
      </datalist>
    </div>
  );
}
