// With whose key a new task works, and what it does when that is used up.
import { For, Show, createMemo } from 'solid-js';
import { api } from '../../api/client';
import { Checkbox, Field, Select } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';

interface AccountFieldProps {
  harness: string;
  account: string;
  resume: boolean;
  set: (patch: { account?: string; resume?: boolean }) => void;
}

export function AccountField(props: AccountFieldProps) {
  const accounts = createAsked(() => api.accounts());
  const own = createMemo(() => (accounts() ?? []).filter((one) => one.harness === props.harness));
  const byDefault = (): string => own().find((one) => one.is_default)?.name ?? '';
  return (
    <>
      <Show when={own().length > 0}>
        <Field label={t().policy.accounts.account}>
          {(ids) => (
            <Select {...ids} value={props.account} onChange={(event) => props.set({ account: event.currentTarget.value })}>
              <option value="">{`${t().policy.accounts.byDefault}: ${byDefault()}`}</option>
              <For each={own()}>{(one) => <option value={one.name}>{one.name}</option>}</For>
            </Select>
          )}
        </Field>
      </Show>
      <Checkbox label={t().policy.limit.opt} checked={props.resume} onChange={(resume) => props.set({ resume })} />
    </>
  );
}
