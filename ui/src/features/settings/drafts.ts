// What was typed and is not saved: it stays while one looks at other pages. Saved all or none; what the server does
// not take is said at its field.
import { createMemo, createRoot, createSignal, type Accessor } from 'solid-js';
import { createStore, reconcile } from 'solid-js/store';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import type { SettingView, SettingsView } from '../../api/types';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { messageOf } from '../../lib/message';
import { toast } from '../../state/toasts';
import { sentOf, typedOf } from './fields';

export interface Drafts {
  view: Accessor<SettingsView | undefined>;
  /** Why there is none. */
  error: () => unknown;
  all: () => readonly SettingView[];
  /** What stands in a field. */
  typed: (setting: SettingView) => string;
  type: (setting: SettingView, text: string) => void;
  /** Why the server does not take what was typed. */
  problemOf: (key: string) => string | undefined;
  /** Keys whose values were not taken. */
  refused: () => string[];
  problem: Accessor<string | undefined>;
  busy: Accessor<boolean>;
  /** Keys whose values are not saved. */
  changed: Accessor<string[]>;
  save: () => Promise<void>;
  discard: () => void;
  /** Takes back what was set here. */
  reset: (key: string) => Promise<void>;
}

const [typed, setTyped] = createRoot(() => createStore<Record<string, string>>({}));

export function createDrafts(): Drafts {
  const asked = createAsked(() => api.settings());
  const [answered, setAnswered] = createSignal<SettingsView>();
  const [problems, setProblems] = createStore<Record<string, string>>({});
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const view = (): SettingsView | undefined => answered() ?? asked();
  const all = (): readonly SettingView[] => view()?.settings ?? [];
  const now = (setting: SettingView): string => typedOf(setting.key, setting.value ?? '');
  const changed = createMemo(() => all().filter((setting) => setting.key in typed && sentOf(setting.key, typed[setting.key] ?? '') !== sentOf(setting.key, now(setting))).map(({ key }) => key));
  const change = async (set: Record<string, string>, unset: string[]): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProblems(reconcile({}));
    const sent = { ...typed };
    try {
      setAnswered(await api.changeSettings({ revision: view()?.revision ?? 0, set, unset }));
      // What was typed since is not saved.
      for (const key of [...Object.keys(set), ...unset]) if (typed[key] === sent[key]) setTyped(key, undefined!);
      toast(t().set.saved);
    } catch (error) {
      await refused(error);
    }
    setBusy(false);
  };
  const refused = async (error: unknown): Promise<void> => {
    const fields = error instanceof ApiError ? fieldsOf(error.details) : {};
    setProblems(reconcile(fields));
    if (error instanceof ApiError && error.code === 'conflict') {
      setProblem(t().set.changed);
      setAnswered(await api.settings().catch(() => view()));
      return;
    }
    setProblem(Object.keys(fields).some((key) => key !== '') ? t().set.wrong : messageOf(error));
  };
  const save = (): Promise<void> => {
    const texts = changed().map((key): [string, string] => [key, sentOf(key, typed[key] ?? '')]);
    // A field that was emptied is one that is no longer set, where it was set here.
    const emptied = texts.filter(([key, text]) => text === '' && all().some((one) => one.key === key && one.saved !== undefined)).map(([key]) => key);
    return change(Object.fromEntries(texts.filter(([key]) => !emptied.includes(key))), emptied);
  };
  return {
    view,
    error: () => asked.error,
    all,
    typed: (setting) => typed[setting.key] ?? now(setting),
    type: (setting, text) => setTyped(setting.key, text),
    problemOf: (key) => problems[key],
    refused: () => Object.keys(problems).filter((key) => problems[key] !== undefined && key !== ''),
    problem,
    busy,
    changed,
    save,
    discard: () => (setTyped(reconcile({})), setProblems(reconcile({})), setProblem(undefined)),
    reset: (key) => change({}, [key]),
  };
}

/** Why fields are not taken, by key. */
function fieldsOf(details: unknown): Record<string, string> {
  return (details as { fields?: Record<string, string> } | null)?.fields ?? {};
}
