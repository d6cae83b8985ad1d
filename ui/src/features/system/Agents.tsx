// The agent programs on this machine: each is installed and given a key here, one step after the other.
import { For, Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { HarnessView } from '../../api/types';
import { Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { Dot } from '../../components/Status';
import { t } from '../../i18n';
import type { Asked } from '../../lib/asked';
import { createAttempt } from '../../state/attempt';
import { harnessTitle, keyVariable } from '../../state/harness';
import { toast } from '../../state/toasts';
import { Install } from './Install';

interface AgentsProps {
  harnesses: Asked<HarnessView[]>;
  /** Something was installed, or a key was kept. */
  onChange: () => void;
}

export function Agents(props: AgentsProps) {
  return (
    <>
      <Failed of={props.harnesses.error} />
      <ul role="list" class="checks">
        {/* By their names: a new look at all of them leaves what is typed for one where it is. */}
        <For each={(props.harnesses() ?? []).map((one) => one.name)}>
          {(name) => <Show when={props.harnesses()?.find((one) => one.name === name)}>{(one) => <Agent harness={one()} onChange={() => props.onChange()} />}</Show>}
        </For>
      </ul>
    </>
  );
}

function Agent(props: { harness: HarnessView; onChange: () => void }) {
  const [asking, setAsking] = createSignal(false);
  const name = (): string => props.harness.name;
  const isThere = (): boolean => props.harness.installed.length > 0;
  const hasKey = (): boolean => props.harness.provider_set.length > 0;
  return (
    <li class="harness">
      <Dot tone={isThere() ? 'success' : 'quiet'} shape={isThere() ? 'check' : 'ring'} label={isThere() ? t().hosts.installed : t().hosts.notInstalled} />
      <div>
        <p>
          <b>{harnessTitle(name())}</b> <span class="soft">{props.harness.installed.map((program) => program.version).join(', ') || t().hosts.notInstalled}</span>
        </p>
        <p class="faint">{hasKey() ? `${t().hosts.keys}: ${props.harness.provider_set.join(', ')}` : t().hosts.noKeys}</p>
        <Show when={asking()}>
          <KeyForm
            harness={name()}
            onClose={() => setAsking(false)}
            onKept={() => {
              setAsking(false);
              props.onChange();
            }}
          />
        </Show>
      </div>
      <span class="agentways">
        <Show when={!hasKey() && !asking() && keyVariable(name()) !== ''}>
          <Button look={isThere() ? undefined : 'bare'} aria-label={`${t().first.setKey}: ${harnessTitle(name())}`} onClick={() => setAsking(true)}>
            {t().first.setKey}
          </Button>
        </Show>
        <Show when={!isThere()}>
          <Install harness={name()} onDone={() => props.onChange()} />
        </Show>
      </span>
    </li>
  );
}

/** A key for one agent alone; it goes into the vault and never comes back. */
function KeyForm(props: { harness: string; onKept: () => void; onClose: () => void }) {
  const [value, setValue] = createSignal('');
  const keeping = createAttempt();
  const variable = (): string => keyVariable(props.harness);
  const keep = async (): Promise<void> => {
    const kept = value().trim();
    if (kept === '') return;
    if (!(await keeping.run(() => api.keepSecret(`provider.${props.harness}.${variable()}`, kept)))) return;
    setValue('');
    toast(t().first.kept(variable()));
    props.onKept();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    props.onClose();
  };
  return (
    <form class="keyform" onSubmit={(event) => (event.preventDefault(), void keep())} onKeyDown={onKeyDown}>
      <Field label={variable()} hint={t().first.keyHint(harnessTitle(props.harness))}>
        {(ids) => <Input {...ids} ref={(element: HTMLInputElement) => queueMicrotask(() => element.focus())} type="password" value={value()} onInput={(event) => setValue(event.currentTarget.value)} />}
      </Field>
      <div>
        <Button type="submit" look="main" disabled={value().trim() === ''}>
          {t().around.vault.keep}
        </Button>{' '}
        <Button look="bare" onClick={() => props.onClose()}>
          {t().app.cancel}
        </Button>
      </div>
      <Problem text={keeping.problem()} />
    </form>
  );
}
