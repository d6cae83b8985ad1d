// What can be chosen in this browser, and what the server was told.
import { For, Show, createSignal, type Component } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { api } from '../../api/client';
import { Checkbox, Segments } from '../../components/Field';
import { LANGUAGES, language, t, useLanguage } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { notifyWanted, setNotifyWanted } from '../../state/notify';
import { setTheme, theme, type Theme } from '../../state/theme';
import { AccountSettings } from './AccountSettings';
import { KeptSettings } from './KeptSettings';
import { KeySettings } from './KeySettings';
import { RuleSettings } from './RuleSettings';
import { ServerSettings } from './ServerSettings';
import { SessionSettings } from './SessionSettings';
import { VaultSettings } from './VaultSettings';
import './settings.css';

const SECTIONS = ['appearance', 'notifications', 'shortcuts', 'keys', 'accounts', 'rules', 'kept', 'server', 'session', 'about'] as const;
type SectionName = (typeof SECTIONS)[number];

const PARTS: Record<SectionName, Component> = {
  appearance: Appearance,
  notifications: Notifications,
  shortcuts: KeySettings,
  keys: VaultSettings,
  accounts: AccountSettings,
  rules: RuleSettings,
  kept: KeptSettings,
  server: ServerSettings,
  session: SessionSettings,
  about: About,
};

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function Settings() {
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().settings.title}</h1>
      </div>
      <div class="scroll">
        <div class="settingspage">
          <nav class="settingsnav" aria-label={t().settings.parts}>
            <For each={SECTIONS}>
              {(name) => (
                <button type="button" onClick={() => show(name)}>
                  {titleOf(name)}
                </button>
              )}
            </For>
          </nav>
          <div class="sheetpage">
            <For each={SECTIONS}>
              {(name) => (
                <section id={`settings-${name}`}>
                  <h2 tabindex="-1">{titleOf(name)}</h2>
                  <Dynamic component={PARTS[name]} />
                </section>
              )}
            </For>
          </div>
        </div>
      </div>
    </main>
  );
}

function titleOf(name: SectionName): string {
  if (name === 'keys') return t().around.vault.title;
  if (name === 'accounts') return t().policy.accounts.title;
  if (name === 'kept') return t().journal.kept.title;
  return name === 'rules' ? t().policy.rules.title : t().settings[name];
}

/** Goes to a section, the keyboard too. */
function show(name: SectionName): void {
  const section = document.getElementById(`settings-${name}`);
  section?.scrollIntoView();
  section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

function Appearance() {
  return (
    <>
      <Segments label={t().settings.theme} options={THEMES.map((value) => ({ value, label: t().settings.themes[value] }))} value={theme()} onChange={setTheme} />
      <Segments label={t().settings.language} options={LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))} value={language()} onChange={(value) => void useLanguage(value)} />
    </>
  );
}

function Notifications() {
  const [denied, setDenied] = createSignal(false);
  const choose = async (wanted: boolean): Promise<void> => {
    if (!wanted) return setNotifyWanted(false);
    const answer = typeof Notification === 'undefined' ? 'denied' : await Notification.requestPermission();
    setDenied(answer !== 'granted');
    setNotifyWanted(answer === 'granted');
  };
  return (
    <>
      <Checkbox label={t().settings.notify} checked={notifyWanted()} onChange={(wanted) => void choose(wanted)} />
      <p class="faint">{denied() ? t().settings.notifyDenied : t().settings.notifyHint}</p>
    </>
  );
}

function About() {
  const version = createAsked(() => api.version().catch(() => undefined));
  return (
    <>
      <Show when={version()}>{(shown) => <p class="soft">{t().settings.version(shown().version, shown().api)}</p>}</Show>
      <p class="faint">{t().settings.privacy}</p>
    </>
  );
}
