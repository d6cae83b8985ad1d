// What can be chosen in this browser, and what the server was told.
import { Show, createSignal } from 'solid-js';
import { api } from '../../api/client';
import { Button } from '../../components/Button';
import { Checkbox, Segments } from '../../components/Field';
import { LANGUAGES, language, t, useLanguage } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { setSignedIn } from '../../state/link';
import { notifyWanted, setNotifyWanted } from '../../state/notify';
import { setTheme, theme, type Theme } from '../../state/theme';
import { AccountSettings } from './AccountSettings';
import { KeySettings } from './KeySettings';
import { RuleSettings } from './RuleSettings';
import { ServerSettings } from './ServerSettings';
import { VaultSettings } from './VaultSettings';
import './settings.css';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function Settings() {
  const version = createAsked(() => api.version().catch(() => undefined));
  const [denied, setDenied] = createSignal(false);
  const choose = async (wanted: boolean): Promise<void> => {
    if (!wanted) return setNotifyWanted(false);
    const answer = typeof Notification === 'undefined' ? 'denied' : await Notification.requestPermission();
    setDenied(answer !== 'granted');
    setNotifyWanted(answer === 'granted');
  };
  const signOut = async (): Promise<void> => {
    await api.signOut().catch(() => undefined);
    setSignedIn(false);
  };
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().settings.title}</h1>
      </div>
      <div class="scroll">
        <div class="sheetpage">
          <section>
            <h2>{t().settings.appearance}</h2>
            <Segments label={t().settings.theme} options={THEMES.map((value) => ({ value, label: t().settings.themes[value] }))} value={theme()} onChange={setTheme} />
            <Segments label={t().settings.language} options={LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))} value={language()} onChange={(value) => void useLanguage(value)} />
          </section>
          <section>
            <h2>{t().settings.notifications}</h2>
            <Checkbox label={t().settings.notify} checked={notifyWanted()} onChange={(wanted) => void choose(wanted)} />
            <p class="faint">{denied() ? t().settings.notifyDenied : t().settings.notifyHint}</p>
          </section>
          <section>
            <h2>{t().settings.shortcuts}</h2>
            <KeySettings />
          </section>
          <section>
            <h2>{t().around.vault.title}</h2>
            <VaultSettings />
          </section>
          <section>
            <h2>{t().policy.accounts.title}</h2>
            <AccountSettings />
          </section>
          <section>
            <h2>{t().policy.rules.title}</h2>
            <RuleSettings />
          </section>
          <section>
            <h2>{t().settings.server}</h2>
            <ServerSettings />
          </section>
          <section>
            <h2>{t().settings.session}</h2>
            <div>
              <Button onClick={() => void signOut()}>{t().session.signOut}</Button>
            </div>
          </section>
          <section>
            <h2>{t().settings.about}</h2>
            <Show when={version()}>{(shown) => <p class="soft">{t().settings.version(shown().version, shown().api)}</p>}</Show>
            <p class="faint">{t().settings.privacy}</p>
          </section>
        </div>
      </div>
    </main>
  );
}
