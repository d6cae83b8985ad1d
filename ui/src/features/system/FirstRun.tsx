// The first page of all: what Paddock is, what it found, agents to install and give a key, and the one next step.
import { A } from '@solidjs/router';
import { Show, createMemo } from 'solid-js';
import { api } from '../../api/client';
import type { HarnessView } from '../../api/types';
import { Kbd } from '../../components/Kbd';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { keysById } from '../../lib/commands';
import { harnessTitle } from '../../state/harness';
import { Agents } from './Agents';
import { Checks } from './Checks';
import './system.css';

export function FirstRun() {
  const checks = createAsked(() => api.doctor());
  const harnesses = createAsked(() => api.harnesses());
  const again = (): void => {
    checks.again();
    harnesses.again();
  };
  const next = createMemo(() => nextStep(harnesses() ?? []));
  const isReady = (): boolean => (harnesses() ?? []).some((one) => one.installed.length > 0 && one.provider_set.length > 0);
  return (
    <div class="firstrun">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h2>{t().first.title}</h2>
      <p>{t().first.text}</p>
      <Unread list={checks} what={t().hosts.checks} />
      <Show when={(checks() ?? []).length > 0}>
        <Checks checks={checks() ?? []} />
      </Show>
      <h3>{t().first.agents}</h3>
      <p class="soft">{t().first.agentsText}</p>
      <Agents harnesses={harnesses} onChange={again} />
      <Show when={harnesses()}>
        <p class="soft" role="status">
          {next()}
        </p>
      </Show>
      <A href="/new" class="button" data-look={isReady() || harnesses.error ? 'main' : undefined}>
        {t().inbox.firstTitle}
        <Kbd keys={keysById('new') ?? ''} />
      </A>
    </div>
  );
}

/** What is still to be done before an agent can work, in words. */
function nextStep(harnesses: readonly HarnessView[]): string {
  const installed = harnesses.filter((one) => one.installed.length > 0);
  const ready = installed.find((one) => one.provider_set.length > 0);
  if (ready) return t().first.readyWith(harnessTitle(ready.name));
  const [one] = installed;
  return one ? t().first.needsKey(harnessTitle(one.name)) : t().first.needsAgent;
}
