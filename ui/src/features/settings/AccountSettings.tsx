// Accounts: logins and keys by name. Values go in and never come back.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Account, AccountRequest } from '../../api/types';
import { Failed, Problem } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Field, Input, Select } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { createAttempt } from '../../state/attempt';
import { harnessTitle, keyVariable } from '../../state/harness';

export function AccountSettings() {
  const accounts = createAsked(() => api.accounts());
  const harnesses = createAsked(() => api.harnesses());
  const changing = createAttempt();
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    const done = await changing.run(work);
    if (done) accounts.again();
    return done;
  };
  const remove = (account: Account): void => {
    const users = account.in_use_by.length;
    if (users > 0 && !confirm(t().policy.accounts.removeAnyway(users))) return;
    void change(() => api.removeAccount(account.harness, account.name, users > 0));
  };
  return (
    <>
      <p class="faint">{t().policy.accounts.hint}</p>
      <Failed of={accounts.error} />
      <Show when={(accounts() ?? []).length > 0} fallback={<p class="soft">{accounts() && t().policy.accounts.none}</p>}>
        <table class="keylist">
          <tbody>
            <For each={accounts()}>
              {(account) => (
                <tr>
                  <th scope="row">
                    {harnessTitle(account.harness)} <b>{account.name}</b> <code class="soft">{account.variables.join(' ')}</code>
                  </th>
                  <td class="soft">
                    <Show when={account.in_use_by.length > 0}>{t().policy.accounts.inUse(account.in_use_by.length)} · </Show>
                    <Show when={!account.is_default} fallback={<span class="faint">{t().policy.accounts.isDefault} </span>}>
                      <Button look="bare" onClick={() => void change(() => api.useAccount(account.harness, account.name))}>
                        {t().policy.accounts.makeDefault}
                      </Button>
                    </Show>
                    <IconButton icon="cross" label={`${t().policy.accounts.remove}: ${account.name}`} onClick={() => remove(account)} />
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
      <AddAccount harnesses={(harnesses() ?? []).map((one) => one.name)} onAdd={(request) => change(() => api.keepAccount(request))} />
      <Problem text={changing.problem()} />
    </>
  );
}

function AddAccount(props: { harnesses: string[]; onAdd: (request: AccountRequest) => Promise<boolean> }) {
  const [harness, setHarness] = createSignal('claude');
  const [name, setName] = createSignal('');
  const [typed, setTyped] = createSignal('');
  const [value, setValue] = createSignal('');
  const [url, setUrl] = createSignal('');
  const variable = createMemo(() => (typed().trim() === '' ? keyVariable(harness()) : typed().trim()));
  const add = async (): Promise<void> => {
    const address = url().trim();
    const request: AccountRequest = { harness: harness(), name: name().trim(), values: { [variable()]: value() }, ...(address === '' ? {} : { base_url: address }) };
    setValue('');
    if (await props.onAdd(request)) setName('');
  };
  const words = (): ReturnType<typeof t>['policy']['accounts'] => t().policy.accounts;
  return (
    <form class="formgrid" onSubmit={(event) => (event.preventDefault(), void add())}>
      <Field label={words().harness}>
        {(ids) => (
          <Select {...ids} value={harness()} onChange={(event) => setHarness(event.currentTarget.value)}>
            <For each={props.harnesses}>{(one) => <option value={one}>{harnessTitle(one)}</option>}</For>
          </Select>
        )}
      </Field>
      <Field label={words().name}>{(ids) => <Input {...ids} placeholder="work" value={name()} onInput={(event) => setName(event.currentTarget.value)} />}</Field>
      <Field label={words().variable}>{(ids) => <Input {...ids} class="code" placeholder={variable()} value={typed()} onInput={(event) => setTyped(event.currentTarget.value)} />}</Field>
      <Field label={words().value}>{(ids) => <Input {...ids} type="password" value={value()} onInput={(event) => setValue(event.currentTarget.value)} />}</Field>
      <Field label={words().baseUrl}>{(ids) => <Input {...ids} class="code" placeholder="https://…" value={url()} onInput={(event) => setUrl(event.currentTarget.value)} />}</Field>
      <div>
        <Button type="submit" icon="plus" disabled={name().trim() === '' || value() === '' || variable() === ''}>
          {words().add}
        </Button>
      </div>
    </form>
  );
}
