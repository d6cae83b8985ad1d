// Keys in the vault, by name: which vault it is and why is said openly; values go in and never come back.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { KeyView, SecretList, SecretView } from '../../api/types';
import { Callout, Failed, Problem } from '../../components/Bits';
import { Button, IconButton } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { Words } from '../../components/Words';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { createAttempt } from '../../state/attempt';
import { harnessTitle } from '../../state/harness';

export function VaultSettings() {
  const secrets = createAsked(() => api.secrets());
  const harnesses = createAsked(() => api.harnesses());
  const changing = createAttempt();
  const [name, setName] = createSignal('');
  const [value, setValue] = createSignal('');
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    const done = await changing.run(work);
    if (done) {
      secrets.again();
      harnesses.again();
    }
    return done;
  };
  const keep = async (): Promise<void> => {
    const kept = value();
    setValue('');
    if (await change(() => api.keepSecret(name().trim(), kept))) setName('');
  };
  const words = (): ReturnType<typeof t>['around']['vault'] => t().around.vault;
  const elsewhere = (): { harness: string; key: KeyView }[] =>
    (harnesses() ?? []).flatMap((one) => (one.keys ?? []).filter((key) => key.source === 'environment').map((key) => ({ harness: one.name, key })));
  return (
    <>
      <Failed of={secrets.error} />
      <Show when={secrets()}>
        {(shown) => (
          <>
            <Show when={shown().vault.kind} fallback={<Callout tone="failure">{`${words().closed}: ${shown().vault.why}`}</Callout>}>
              {(kind) => (
                <>
                  <p class="faint">{words().kinds[kind()]}.</p>
                  <details class="faint">
                    <summary>{words().why}</summary>
                    <p>
                      <Words text={shown().vault.why} />
                    </p>
                  </details>
                </>
              )}
            </Show>
            <Show when={own(shown()).length > 0} fallback={<p class="soft">{words().none}</p>}>
              <table class="keylist">
                <tbody>
                  <For each={own(shown())}>
                    {(secret) => (
                      <tr>
                        <th scope="row">
                          <code>{secret.name}</code>
                        </th>
                        <td class="soft">
                          {secret.used_by.length > 0 ? `${words().givenTo} ${secret.used_by.map(harnessTitle).join(', ')} ` : `${words().nobody} `}
                          <IconButton icon="cross" label={`${words().forget}: ${secret.name}`} onClick={() => void change(() => api.forgetSecret(secret.name))} />
                        </td>
                      </tr>
                    )}
                  </For>
                </tbody>
              </table>
            </Show>
            <For each={elsewhere()}>
              {({ harness, key }) => (
                <p class="faint">
                  {harnessTitle(harness)}: <code>{key.variable}</code> {key.used ? words().fromEnvironment : words().passedOver}
                </p>
              )}
            </For>
          </>
        )}
      </Show>
      <form class="formgrid" onSubmit={(event) => (event.preventDefault(), void keep())}>
        <Field label={words().name} hint={words().nameHint}>
          {(ids) => <Input {...ids} class="code" placeholder="ANTHROPIC_API_KEY" value={name()} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <Field label={words().value} hint={words().valueHint}>
          {(ids) => <Input {...ids} type="password" value={value()} onInput={(event) => setValue(event.currentTarget.value)} />}
        </Field>
        <div>
          <Button type="submit" icon="plus" disabled={name().trim() === '' || value() === ''}>
            {words().keep}
          </Button>
        </div>
      </form>
      <Problem text={changing.problem()} />
    </>
  );
}

/** Keys that are kept by themselves; those of accounts stand with their accounts. */
function own({ items }: SecretList): SecretView[] {
  return items.filter(({ name }) => !name.startsWith('account.'));
}
