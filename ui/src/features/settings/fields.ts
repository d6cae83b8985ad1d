// What a setting of the server is for a person: what it is called, how it is given, in which unit, who chose it.
// A key that is not known here is shown by its name, as text.
import type { SettingView } from '../../api/types';
import { t } from '../../i18n';
import type { SettingWords } from '../../i18n/en/settings';
import { figure, span, tenths } from '../../lib/format';

export type Unit = keyof ReturnType<typeof t>['set']['units'];

export type Kind =
  | { as: 'number'; unit: Unit }
  | { as: 'switch' }
  | { as: 'choice'; options: () => { value: string; label: string }[] }
  | { as: 'agent' }
  | { as: 'lines' }
  | { as: 'text'; long?: boolean; suggestions?: readonly string[] };

const options = (values: readonly string[], words: () => Record<string, string>) => () => values.map((value) => ({ value, label: words()[value === '' ? 'auto' : value] ?? value }));
const number = (unit: Unit): Kind => ({ as: 'number', unit });

const KINDS: Record<string, Kind> = {
  'task.harness': { as: 'agent' },
  'task.model': { as: 'text' },
  'task.permission_mode': { as: 'choice', options: options(['full_auto', 'accept_edits', 'ask', 'plan'], () => t().compose.permissions) },
  'limits.resume': { as: 'switch' },
  'limits.silent_after_s': number('s'),
  'stop.grace_ms': number('ms'),
  'sessions.home': { as: 'text', long: true },
  'costs.prices': { as: 'lines' },
  'vault.kind': { as: 'choice', options: options(['auto', 'file'], () => t().set.vaults) },
  'box.default_kind': { as: 'choice', options: options(['', 'container', 'worktree'], () => t().compose.boxes) },
  'box.image': { as: 'text', long: true },
  'box.memory_mib': number('mib'),
  'box.cpus': number('cpus'),
  'box.pids': number('processes'),
  'box.network': { as: 'choice', options: options(['bridge', 'none'], () => t().compose.networks) },
  'engine.socket': { as: 'text', long: true },
  'limits.parallel_tasks': number('tasks'),
  'limits.disk_low_mib': number('mib'),
  'purge.window_s': number('s'),
  'trash.keep_days': number('days'),
  'journal.compress_after_h': number('h'),
  'journal.keep_days': number('days'),
  'journal.keep_artifacts_days': number('days'),
  'git.remote': { as: 'text' },
  'scan.max_binary_bytes': number('bytes'),
  'scan.allow': { as: 'lines' },
  listen: { as: 'text' },
  data_dir: { as: 'text', long: true },
  toolbox_dir: { as: 'text', long: true },
  log: { as: 'text', suggestions: ['info', 'debug', 'warn', 'error', 'trace'] },
};

export function kindOf(key: string): Kind {
  return KINDS[key] ?? { as: 'text', long: true };
}

/** What a setting is called and does; of one that is not known here, what the server says. */
export function wordsOf(setting: SettingView): SettingWords {
  return t().set.keys[setting.key] ?? { label: setting.key, help: setting.about };
}

/** What is typed for a value, and what is sent for what was typed: lists stand a line each, figures as the language
    writes them. */
export function typedOf(key: string, value: string): string {
  if (kindOf(key).as === 'number') return figure(value);
  if (kindOf(key).as !== 'lines') return value;
  try {
    return (JSON.parse(value) as string[]).join('\n');
  } catch {
    return value;
  }
}

export function sentOf(key: string, typed: string): string {
  if (kindOf(key).as === 'number') return typed.trim().replace(',', '.');
  if (kindOf(key).as !== 'lines') return typed.trim();
  return typed.split('\n').map((line) => line.trim()).filter((line) => line !== '').join(',');
}

/** A value in words: choices by their name, numbers with their unit. */
export function shownOf(key: string, value: string): string {
  const kind = kindOf(key);
  if (kind.as === 'number') return `${figure(value)} ${t().set.units[kind.unit]}`;
  if (kind.as === 'choice') return kind.options().find((one) => one.value === value)?.label ?? value;
  if (kind.as === 'lines') return typedOf(key, value).replaceAll('\n', ', ');
  return value;
}

const KIB = 1024;
const IN_MS: Partial<Record<Unit, number>> = { ms: 1, s: 1000, h: 3_600_000 };

/** A number as people say it, where that is not the number itself: 3600 seconds are `1 h`. */
export function readable(unit: Unit, typed: string): string | undefined {
  const value = Number(typed.trim().replace(',', '.'));
  if (typed.trim() === '' || !Number.isFinite(value) || value <= 0) return undefined;
  const ms = IN_MS[unit];
  const said = ms === undefined ? room(unit, value) : span(value * ms);
  return said === undefined || said.startsWith(`${figure(value)} `) ? undefined : said;
}

function room(unit: Unit, value: number): string | undefined {
  if (unit === 'mib') return value >= KIB * KIB ? `${tenths(value / KIB / KIB)} TiB` : value >= KIB ? `${tenths(value / KIB)} GiB` : undefined;
  if (unit !== 'bytes' || value < 1000) return undefined;
  return value >= 1e9 ? `${tenths(value / 1e9)} GB` : value >= 1e6 ? `${tenths(value / 1e6)} MB` : `${tenths(value / 1e3)} KB`;
}

export type Source = { is: 'default' | 'saved' | 'flag' } | { is: 'environment'; variable: string } | { is: 'file'; place: string };

/** Who chose a setting, from what the server says of it: `default`, `set in Paddock (…)`, ``environment variable `X` ``,
    ``flag for `x` ``, or a place in the file. */
export function sourceOf({ origin }: Pick<SettingView, 'origin'>): Source {
  if (origin === 'default') return { is: 'default' };
  if (origin.startsWith('set in Paddock')) return { is: 'saved' };
  if (origin.startsWith('flag for ')) return { is: 'flag' };
  const variable = /^environment variable `(.+)`$/.exec(origin)?.[1];
  return variable === undefined ? { is: 'file', place: origin } : { is: 'environment', variable };
}

export function sourceText(source: Source): string {
  const words = t().set.source;
  if (source.is === 'environment') return words.environment(source.variable);
  if (source.is === 'file') return words.file(source.place);
  return words[source.is];
}
