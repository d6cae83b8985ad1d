// What the server works with, field by field: changed here, checked by the server, saved all or none.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { createStore, reconcile } from 'solid-js/store';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import type { SettingView, SettingsView } from '../../api/types';
import { Failed, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { Words } from '../../components/Words';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { messageOf } from '../../lib/message';
import { toast } from '../../state/toasts';

export function ServerSettings() {
  const asked = createAsked(() => api.settings());
  const [changed, setChanged] = createSignal<SettingsView>();
  const [typed, setTyped] = createStore<Record<string, string>>({});
  const [problems, setProblems] = createStore<Record<string, string>>({});
  const [problem, setProblem] = createSignal<string>();
  const view = (): SettingsView | undefined => changed() ?? asked();
  const drafts = createMemo(() => Object.entries(typed).filter(([key, text]) => text !== valueOf(view(), key)));
  const save = async (set: Record<string, string>, unset: string[] = []): Promise<void> => {
    setProblem(undefined);
    setProblems(reconcile({}));
    try {
      setChanged(await api.changeSettings({ revision: view()?.revision ?? 0, set, unset }));
      setTyped(reconcile({}));
      toast(t().around.settings.saved);
    } catch (error) {
      const fields = error instanceof ApiError ? fieldsOf(error.details) : {};
      setProblems(reconcile(fields));
      if (error instanceof ApiError && error.code === 'conflict') {
        setProblem(t().around.settings.changed);
        setChanged(await api.settings().catch(() => view()));
        return;
      }
      setProblem(Object.keys(fields).some((key) => key !== '') ? t().around.settings.wrong : messageOf(error));
    }
  };
  return (
    <>
      <Failed of={asked.error} />
      <Show when={view()}>
        {(shown) => (
          <form class="serversettings" onSubmit={(event) => (event.preventDefault(), void save(Object.fromEntries(drafts())))}>
            <Show when={shown().file}>
              <p class="faint">
                {t().settings.file} <code>{shown().file}</code>
              </p>
            </Show>
            <For each={shown().settings}>
              {(setting) => (
                <Setting
                  setting={setting}
                  value={typed[setting.key] ?? setting.value ?? ''}
                  problem={problems[setting.key]}
                  onType={(text) => setTyped(setting.key, text)}
                  onReset={() => void save({}, [setting.key])}
                />
              )}
            </For>
            <Problem text={problem()} />
            <Show when={drafts().length > 0}>
              <div class="settingsfoot">
                <Button type="submit" look="main">
                  {t().around.settings.saveAll}
                </Button>
                <Button look="bare" onClick={() => (setTyped(reconcile({})), setProblems(reconcile({})), setProblem(undefined))}>
                  {t().around.settings.discard}
                </Button>
              </div>
            </Show>
          </form>
        )}
      </Show>
    </>
  );
}

function valueOf(view: SettingsView | undefined, key: string): string {
  return view?.settings.find((setting) => setting.key === key)?.value ?? '';
}

/** Why fields are not taken, by key. */
function fieldsOf(details: unknown): Record<string, string> {
  const fields = (details as { fields?: Record<string, string> } | null)?.fields;
  return fields ?? {};
}

function Setting(props: { setting: SettingView; value: string; problem: string | undefined; onType: (text: string) => void; onReset: () => void }) {
  const words = (): ReturnType<typeof t>['around']['settings'] => t().around.settings;
  const overruled = (): boolean => props.setting.saved !== undefined && props.setting.saved !== props.setting.value;
  const notes = (): string[] => [
    props.setting.about,
    props.setting.default === '' ? '' : words().defaultIs(props.setting.default),
    overruled() ? words().goesBefore(props.setting.origin) : '',
    props.setting.waits ? words().waits : '',
    !props.setting.live && props.setting.editable && !props.setting.waits ? words().restart : '',
    props.setting.editable ? '' : words().fixed,
  ].filter((note) => note !== '');
  return (
    <div class="setting">
      <Field label={props.setting.key} hint={<Words text={notes().join(' · ')} />} problem={props.problem}>
        {(ids) => (
          <Input {...ids} class="code" readonly={!props.setting.editable} placeholder={words().notSet} title={props.setting.allowed} value={props.value} onInput={(event) => props.onType(event.currentTarget.value)} />
        )}
      </Field>
      <Show when={props.setting.saved !== undefined}>
        <Button look="bare" aria-label={`${words().reset}: ${props.setting.key}`} onClick={() => props.onReset()}>
          {words().reset}
        </Button>
      </Show>
    </div>
  );
}
