// Which Paddock this is, and what it tells others: nothing.
import { Show } from 'solid-js';
import { api } from '../../api/client';
import { Failed } from '../../components/Bits';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';

export function About() {
  const version = createAsked(() => api.version());
  return (
    <>
      <Failed of={version.error} what={t().set.noVersion} />
      <Show when={version()}>{(shown) => <p class="soft">{t().settings.version(shown().version, shown().api)}</p>}</Show>
      <p class="faint">{t().settings.privacy}</p>
    </>
  );
}
