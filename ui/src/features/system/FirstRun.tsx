// The first page of all: what Paddock is, what it found, and the one next step.
import { A } from '@solidjs/router';
import { Show } from 'solid-js';
import { api } from '../../api/client';
import { Kbd } from '../../components/Kbd';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { keysById } from '../../lib/commands';
import { Checks } from './Checks';
import './system.css';

export function FirstRun() {
  const checks = createAsked(() => api.doctor().catch(() => []));
  return (
    <div class="firstrun">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h2>{t().first.title}</h2>
      <p>{t().first.text}</p>
      <Show when={(checks() ?? []).length > 0}>
        <Checks checks={checks() ?? []} />
      </Show>
      <Show when={checks()}>{(all) => <p class="soft">{all().every((check) => check.ok) ? t().first.ready : t().first.notReady}</p>}</Show>
      <A href="/new" class="button" data-look="main">
        {t().inbox.firstTitle}
        <Kbd keys={keysById('new') ?? ''} />
      </A>
    </div>
  );
}
