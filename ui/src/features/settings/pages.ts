// The pages of the settings and what stands on each: settings of the server by their keys, in groups, and parts that
// are more than a field. A setting that no page names stands on the page of files, so that none is hidden.
import type { SettingView } from '../../api/types';
import { t } from '../../i18n';
import { wordsOf } from './fields';

type Words = ReturnType<typeof t>['set'];
export type PageName = keyof Words['pages'];
export type GroupName = keyof Words['groups'];
/** A part with a component of its own; Settings.tsx has them. */
export type PartName = 'appearance' | 'notifications' | 'shortcuts' | 'keys' | 'accounts' | 'rules' | 'abilities' | 'kept' | 'session' | 'configuration' | 'about';

export type Section = { group: GroupName; keys: readonly string[] } | { part: PartName };

export const PAGES: readonly { name: PageName; sections: readonly Section[] }[] = [
  { name: 'general', sections: [{ part: 'appearance' }, { part: 'notifications' }] },
  { name: 'shortcuts', sections: [{ part: 'shortcuts' }] },
  {
    name: 'agents',
    sections: [
      { group: 'begin', keys: ['task.harness', 'task.model', 'task.permission_mode'] },
      { group: 'patience', keys: ['limits.resume', 'limits.silent_after_s', 'stop.grace_ms'] },
      { group: 'costs', keys: ['costs.prices'] },
      { group: 'sessions', keys: ['sessions.home'] },
      { part: 'abilities' },
    ],
  },
  { name: 'accounts', sections: [{ part: 'accounts' }, { part: 'keys' }, { group: 'vault', keys: ['vault.kind'] }] },
  { name: 'rules', sections: [{ part: 'rules' }] },
  {
    name: 'boxes',
    sections: [
      { group: 'box', keys: ['box.default_kind', 'box.image', 'box.memory_mib', 'box.cpus', 'box.pids', 'box.network'] },
      { group: 'room', keys: ['limits.parallel_tasks', 'limits.disk_low_mib'] },
      { group: 'engine', keys: ['engine.socket'] },
    ],
  },
  {
    name: 'keeping',
    sections: [
      { group: 'undo', keys: ['purge.window_s', 'trash.keep_days'] },
      { group: 'journals', keys: ['journal.compress_after_h', 'journal.keep_days', 'journal.keep_artifacts_days'] },
      { part: 'kept' },
    ],
  },
  { name: 'git', sections: [{ group: 'sync', keys: ['git.remote'] }, { group: 'scan', keys: ['scan.max_binary_bytes', 'scan.allow'] }] },
  { name: 'network', sections: [{ group: 'server', keys: ['listen'] }, { part: 'session' }] },
  { name: 'files', sections: [{ part: 'configuration' }, { group: 'places', keys: ['data_dir', 'toolbox_dir'] }, { group: 'log', keys: ['log'] }, { group: 'others', keys: [] }] },
  { name: 'about', sections: [{ part: 'about' }] },
];

const NAMED = new Set(PAGES.flatMap(({ sections }) => sections.flatMap((section) => ('keys' in section ? section.keys : []))));

/** The settings of a section, in its order. */
export function settingsOf(section: Section, all: readonly SettingView[]): SettingView[] {
  if (!('keys' in section)) return [];
  if (section.group === 'others') return all.filter(({ key }) => !NAMED.has(key));
  return section.keys.flatMap((key) => all.filter((setting) => setting.key === key));
}

/** The page on which a setting stands. */
export function pageOf(key: string): PageName {
  return PAGES.find(({ sections }) => sections.some((section) => 'keys' in section && section.keys.includes(key)))?.name ?? 'files';
}

/** The heading of a section. */
export function headingOf(section: Section): string {
  if ('group' in section) return t().set.groups[section.group];
  switch (section.part) {
    case 'keys':
      return t().around.vault.title;
    case 'accounts':
      return t().policy.accounts.title;
    case 'rules':
      return t().policy.rules.title;
    case 'abilities':
      return t().offers.abilities.title;
    case 'kept':
      return t().set.groups.now;
    case 'session':
      return t().set.groups.browsers;
    case 'shortcuts':
      return t().keys.title;
    case 'configuration':
      return t().settings.configuration;
    default:
      return t().settings[section.part];
  }
}

/** What a search finds on a page: settings whose words it meets, and parts whose headings it meets. */
export interface Found {
  page: PageName;
  settings: SettingView[];
  parts: Section[];
}

export function find(words: string, all: readonly SettingView[]): Found[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const meets = (...texts: (string | undefined)[]): boolean => {
    const text = texts.join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  return PAGES.map(({ name, sections }) => {
    const page = t().set.pages[name];
    const settings = sections.flatMap((section) =>
      settingsOf(section, all).filter((setting) => meets(page.title, headingOf(section), setting.key, setting.value, wordsOf(setting).label, wordsOf(setting).help)),
    );
    const parts = sections.filter((section) => 'part' in section && meets(page.title, page.about, headingOf(section), t().set.parts[section.part]));
    return { page: name, settings, parts };
  }).filter(({ settings, parts }) => settings.length + parts.length > 0);
}
