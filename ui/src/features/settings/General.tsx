// What is chosen in this browser: how the page looks, in which language it speaks, whether it calls.
import { createSignal } from 'solid-js';
import { Checkbox, Segments } from '../../components/Field';
import { LANGUAGES, language, t, useLanguage } from '../../i18n';
import { inShell } from '../../platform/shell';
import { notifyWanted, setNotifyWanted } from '../../state/notify';
import { setTheme, theme, type Theme } from '../../state/theme';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function Appearance() {
  return (
    <>
      <Segments label={t().settings.theme} options={THEMES.map((value) => ({ value, label: t().settings.themes[value] }))} value={theme()} onChange={setTheme} />
      <Segments label={t().settings.language} options={LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))} value={language()} onChange={(value) => void useLanguage(value)} />
    </>
  );
}

/** The window's own notifications come from the system: only a browser asks. */
export function Notifications() {
  const [denied, setDenied] = createSignal(false);
  const choose = async (wanted: boolean): Promise<void> => {
    if (!wanted) return setNotifyWanted(false);
    const answer = typeof Notification === 'undefined' ? 'denied' : await Notification.requestPermission();
    setDenied(answer !== 'granted');
    setNotifyWanted(answer === 'granted');
  };
  if (inShell()) return <p class="soft">{t().settings.notifyShell}</p>;
  return (
    <>
      <Checkbox label={t().settings.notify} checked={notifyWanted()} onChange={(wanted) => void choose(wanted)} />
      <p class="faint">{denied() ? t().settings.notifyDenied : t().settings.notifyHint}</p>
    </>
  );
}
