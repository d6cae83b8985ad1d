// Templates in the composer: begin from one, its gaps filled in here; save what is written as one.
import { useSearchParams } from '@solidjs/router';
import { For, Show, createEffect, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { TaskSpec, TemplateView } from '../../api/types';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input, Select } from '../../components/Field';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { useCommands } from '../../lib/commands';
import { createAttempt } from '../../state/attempt';
import { toast } from '../../state/toasts';

interface TemplateBarProps {
  /** Puts a task into the form. */
  onFill: (spec: TaskSpec) => void;
  /** What the form asks for now. */
  spec: () => TaskSpec;
}

export function TemplateBar(props: TemplateBarProps) {
  const templates = createAsked(() => api.templates());
  const [chosen, setChosen] = createSignal<TemplateView>();
  const [values, setValues] = createSignal<Record<string, string>>({});
  const [saving, setSaving] = createSignal<string>();
  const tried = createAttempt();
  const named = (): string => (saving() ?? '').trim();
  const words = (): ReturnType<typeof t>['around']['templates'] => t().around.templates;
  const fill = (template: TemplateView): Promise<boolean> => tried.run(async () => props.onFill(await api.fillTemplate(template.name, values())));
  const choose = (name: string): void => {
    const template = (templates() ?? []).find((one) => one.name === name);
    setChosen(template);
    setValues({});
    if (template && template.variables.length === 0) void fill(template);
  };
  const save = (name: string): Promise<boolean> =>
    tried.run(async () => {
      const saved = await api.saveTemplate(name, props.spec());
      setSaving(undefined);
      templates.again();
      toast(words().saved(saved.name));
    });
  const remove = (template: TemplateView): Promise<boolean> =>
    tried.run(async () => {
      await api.removeTemplate(template.name);
      setChosen(undefined);
      templates.again();
      toast(words().removed(template.name));
    });
  useCommands(() => [
    { id: 'template-save', title: words().save, group: t().compose.title, run: () => void setSaving('') },
    ...(templates() ?? []).map((one) => ({ id: `template ${one.name}`, title: words().from(one.name), group: t().compose.title, run: () => choose(one.name) })),
  ]);
  const [query, setQuery] = useSearchParams<{ template?: string }>();
  // One that is named elsewhere is chosen as soon as it is there.
  createEffect(() => {
    const name = query.template;
    if (name === undefined || templates() === undefined) return;
    setQuery({ template: undefined }, { replace: true });
    choose(name);
  });
  return (
    <div class="templates">
      <Unread list={templates} what={words().title} />
      <Show when={(templates() ?? []).length > 0}>
        <Field label={words().choose}>
          {(ids) => (
            <Select {...ids} value={chosen()?.name ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">{words().none}</option>
              <For each={templates()}>{(one) => <option value={one.name}>{one.name}</option>}</For>
            </Select>
          )}
        </Field>
      </Show>
      <Show when={chosen()}>
        {(template) => (
          <>
            <For each={template().variables}>
              {(variable) => (
                <Field label={variable}>{(ids) => <Input {...ids} value={values()[variable] ?? ''} onKeyDown={onEnter(() => fill(template()))} onInput={(event) => setValues({ ...values(), [variable]: event.currentTarget.value })} />}</Field>
              )}
            </For>
            <div>
              <Show when={template().variables.length > 0}>
                <Button onClick={() => void fill(template())}>{words().fill}</Button>
              </Show>
              <Button look="bare" onClick={() => void remove(template())}>
                {words().remove}
              </Button>
            </div>
          </>
        )}
      </Show>
      <Show
        when={saving() !== undefined}
        fallback={
          <div>
            <Button class="addrepo" look="bare" icon="plus" onClick={() => setSaving('')}>
              {words().save}
            </Button>
          </div>
        }
      >
        <Field label={words().name} hint={words().nameHint}>
          {(ids) => (
            <Input {...ids} ref={(element: HTMLInputElement) => queueMicrotask(() => element.focus())} value={saving() ?? ''} onKeyDown={onEnter(() => named() !== '' && save(named()))} onInput={(event) => setSaving(event.currentTarget.value)} />
          )}
        </Field>
        <div>
          <Button disabled={named() === ''} onClick={() => void save(named())}>
            {words().save}
          </Button>
          <Button look="bare" onClick={() => setSaving(undefined)}>
            {t().app.cancel}
          </Button>
        </div>
      </Show>
      <Problem text={tried.problem()} />
    </div>
  );
}

/** What Enter does in a field that stands in the form of another thing, which it would send. */
function onEnter(run: () => unknown): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    run();
  };
}
