// What was looked at on the machine, what is missing, and what to do about it.
import { For, Show } from 'solid-js';
import type { Check } from '../../api/types';
import { Dot } from '../../components/Status';
import { Words } from '../../components/Words';
import { t } from '../../i18n';
import { sentences } from '../../lib/message';
import './system.css';

export function Checks(props: { checks: Check[] }) {
  const sorted = (): Check[] => [...props.checks].sort((a, b) => Number(a.ok) - Number(b.ok));
  return (
    <ul role="list" class="checks">
      <For each={sorted()}>
        {(check) => (
          <li>
            <Dot tone={check.ok ? 'success' : 'attention'} shape={check.ok ? 'check' : 'full'} label={check.ok ? t().doctor.fine : t().doctor.wanting} />
            <div>
              <p>
                <b>{t().doctor.said(check.name)}</b> <span class="soft"><Words text={t().doctor.said(check.detail)} /></span>
              </p>
              <Show when={!check.ok && check.remedy}>{(remedy) => <p class="remedy"><Words text={sentences(t().doctor.said(remedy()))} /></p>}</Show>
            </div>
          </li>
        )}
      </For>
    </ul>
  );
}
