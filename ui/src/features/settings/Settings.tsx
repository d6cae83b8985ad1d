// The settings, a page for each matter: what is chosen in this browser and what the server was told. A search goes
// over all pages. What was typed for the server is saved from any of them.
import { A, useNavigate } from '@solidjs/router';
import { For, Show, createMemo, createSignal, type Component } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { api } from '../../api/client';
import type { HarnessView, SettingView } from '../../api/types';
import { Empty, Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Input } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { useCommands } from '../../lib/commands';
import { About } from './About';
import { AccountSettings } from './AccountSettings';
import { AgentAbilities } from './AgentAbilities';
import { Appearance, Notifications } from './General';
import { KeptSettings } from './KeptSettings';
import { KeySettings } from './KeySettings';
import { RuleSettings } from './RuleSettings';
import { ServerField } from './ServerField';
import { SessionSettings } from './SessionSettings';
import { VaultSettings } from './VaultSettings';
import { createDrafts, type Drafts } from './drafts';
import { PAGES, find, headingOf, pageOf, settingsOf, type Found, type PageName, type PartName, type Section } from './pages';
import './settings.css';

const PARTS: Record<Exclude<PartName, 'configuration'>, Component> = {
  appearance: Appearance,
  notifications: Notifications,
  shortcuts: KeySettings,
  keys: VaultSettings,
  accounts: AccountSettings,
  rules: RuleSettings,
  abilities: AgentAbilities,
  kept: KeptSettings,
  session: SessionSettings,
  about: About,
};

/** `page` is the name in the address; without one a wide window shows the first page, a narrow one the list of them. */
export function Settings(props: { page: string | undefined }) {
  const drafts = createDrafts();
  const harnesses = createAsked(() => api.harnesses());
  const [words, setWords] = createSignal('');
  const current = createMemo((): PageName => PAGES.find(({ name }) => name === props.page)?.name ?? 'general');
  const sections = createMemo(() => PAGES.find(({ name }) => name === current())!.sections);
  const found = createMemo(() => (words().trim() === '' ? undefined : find(words(), drafts.all())));
  const navigate = useNavigate();
  let input!: HTMLInputElement;
  /** What is not taken is shown where it was typed: the first of it takes the focus. */
  const save = async (): Promise<void> => {
    await drafts.save();
    const refused = drafts.refused();
    if (refused.length === 0) return;
    const page = refused.map(pageOf).includes(current()) ? current() : pageOf(refused[0]!);
    if (!found() && page !== current()) navigate(`/settings/${page}`);
  };
  useCommands(() => [{ id: 'settings-search', title: t().set.search, group: t().settings.title, run: () => input.focus() }]);
  return (
    <main id="main" class="main settings" tabindex="-1" data-page={props.page} data-found={found() ? '' : undefined}>
      <div class="pagehead">
        <A href="/settings" class="button settingsback" data-look="bare" data-icon="" aria-label={t().app.back} onClick={() => setWords('')}>
          <Icon name="left" />
        </A>
        <h1>{t().settings.title}</h1>
        <span class="spring" />
        <Input ref={input} type="search" class="settingssearch" aria-label={t().set.search} placeholder={t().set.search} value={words()} onInput={(event) => setWords(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Escape' && (setWords(''), input.blur())} />
      </div>
      <div class="scroll settingsbody">
        <nav class="settingsnav" aria-label={t().settings.parts}>
          <For each={PAGES}>
            {({ name }) => (
              <A href={`/settings/${name}`} aria-current={!found() && name === current() ? 'page' : undefined} onClick={() => setWords('')}>
                <span>{t().set.pages[name].title}</span>
                <span class="about">{t().set.pages[name].about}</span>
              </A>
            )}
          </For>
        </nav>
        <div class="settingspage">
          <Failed of={drafts.error()} />
          <Show when={found()} fallback={<Page name={current()} sections={sections()} drafts={drafts} harnesses={harnesses() ?? []} />}>
            {(all) => <Results found={all()} drafts={drafts} harnesses={harnesses() ?? []} onGo={() => setWords('')} />}
          </Show>
        </div>
      </div>
      <Show when={drafts.changed().length > 0 || drafts.problem()}>
        <div class="settingsfoot" role="region" aria-label={t().set.unsaved(drafts.changed().length)}>
          <Problem text={drafts.problem()} />
          <span role="status">{t().set.unsaved(drafts.changed().length)}</span>
          <span class="spring" />
          <Button look="bare" onClick={() => drafts.discard()}>
            {t().set.discard}
          </Button>
          <Button look="main" disabled={drafts.busy()} onClick={() => void save()}>
            {t().set.save}
          </Button>
        </div>
      </Show>
    </main>
  );
}

interface Shared {
  drafts: Drafts;
  harnesses: readonly HarnessView[];
}

function Page(props: Shared & { name: PageName; sections: readonly Section[] }) {
  return (
    <>
      <header>
        <h2>{t().set.pages[props.name].title}</h2>
        <p class="soft">{t().set.pages[props.name].about}</p>
      </header>
      <For each={props.sections}>
        {(section) => {
          const settings = createMemo(() => settingsOf(section, props.drafts.all()));
          const alone = (): boolean => headingOf(section) === t().set.pages[props.name].title;
          return (
            <Show when={'part' in section || settings().length > 0}>
              <section class="settingsection" data-part={'part' in section ? section.part : section.group}>
                <h3 classList={{ unseen: alone() }}>{headingOf(section)}</h3>
                <Show when={'part' in section && section} fallback={<Fields {...props} settings={settings()} />}>
                  {(part) => <Part name={part().part} drafts={props.drafts} />}
                </Show>
              </section>
            </Show>
          );
        }}
      </For>
    </>
  );
}

function Part(props: { name: PartName; drafts: Drafts }) {
  return (
    <Show when={props.name !== 'configuration' && PARTS[props.name]} fallback={<Configuration drafts={props.drafts} />}>
      {(part) => <Dynamic component={part()} />}
    </Show>
  );
}

/** The file that the user writes. */
function Configuration(props: { drafts: Drafts }) {
  return (
    <Show when={props.drafts.view()?.file}>
      {(file) => (
        <>
          <p>
            <code class="path">{file()}</code>
          </p>
          <p class="faint">{t().set.fileText}</p>
        </>
      )}
    </Show>
  );
}

function Fields(props: Shared & { settings: readonly SettingView[] }) {
  return (
    <div class="serversettings">
      {/* By key: a field that is typed in stays when the server answers. */}
      <For each={props.settings.map(({ key }) => key)}>
        {(key) => <Show when={props.settings.find((one) => one.key === key)}>{(setting) => <ServerField setting={setting()} drafts={props.drafts} harnesses={props.harnesses} />}</Show>}
      </For>
    </div>
  );
}

function Results(props: Shared & { found: Found[]; onGo: () => void }) {
  const count = (): number => props.found.reduce((sum, { settings, parts }) => sum + settings.length + parts.length, 0);
  return (
    <Show when={count() > 0} fallback={<Empty title={t().set.noneFound} text={t().set.noneFoundText} />}>
      <p class="faint" role="status">
        {t().set.found(count())}
      </p>
      <For each={props.found}>
        {(one) => (
          <section class="settingsection" aria-label={t().set.pages[one.page].title}>
            <h2>
              <A href={`/settings/${one.page}`} onClick={() => props.onGo()} title={t().set.goTo(t().set.pages[one.page].title)}>
                {t().set.pages[one.page].title}
              </A>
            </h2>
            <Show when={one.parts.length > 0}>
              <ul role="list">
                <For each={one.parts}>
                  {(part) => (
                    <li>
                      <A class="foundpart" href={`/settings/${one.page}`} onClick={() => props.onGo()}>
                        {headingOf(part)} <Icon name="right" />
                      </A>
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <Fields {...props} settings={one.settings} />
          </section>
        )}
      </For>
    </Show>
  );
}
