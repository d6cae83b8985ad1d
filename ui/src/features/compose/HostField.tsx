// On which machine a new task works, where there is more than one to choose from.
import { For, Show, createMemo } from 'solid-js';
import { api } from '../../api/client';
import { Field, Select } from '../../components/Field';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { LOCAL } from './form';

export function HostField(props: { host: string; set: (patch: { host: string }) => void }) {
  const hosts = createAsked(() => api.hosts());
  const names = createMemo(() => {
    const known = (hosts() ?? []).map((one) => one.name);
    // One that a draft or a template names is shown also while it is away.
    return props.host === '' || known.includes(props.host) ? known : [...known, props.host];
  });
  const told = (name: string): string => {
    const one = (hosts() ?? []).find((host) => host.name === name);
    return one ? `${name} · ${t().hosts.working(one.working, one.parallel_tasks)}` : name;
  };
  const chosen = (): string => (props.host === '' ? LOCAL : props.host);
  return (
    <>
      <Unread list={hosts} what={t().hosts.title} />
      <Show when={names().length > 1}>
        <Field label={t().compose.host}>
          {(ids) => (
            <Select {...ids} onChange={(event) => props.set({ host: event.currentTarget.value === LOCAL ? '' : event.currentTarget.value })}>
              <For each={names()}>{(name) => <option value={name} selected={name === chosen()}>{told(name)}</option>}</For>
            </Select>
          )}
        </Field>
      </Show>
    </>
  );
}
