// A new task: the prompt first, then where it works and who does it; everything else has a default and
// stays folded away. What was begun survives a reload.
import { useNavigate } from '@solidjs/router';
import { Index, Show, createEffect, createMemo, createSignal, onCleanup, onMount } from 'solid-js';
import { createStore, unwrap } from 'solid-js/store';
import { api } from '../../api/client';
import type { Abilities, BoxKind, Network, PastSession, PermissionMode, TaskSpec } from '../../api/types';
import { Callout } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Field, Input, Segments, Select, Suggesting } from '../../components/Field';
import { Icon } from '../../components/Icon';
import { Words } from '../../components/Words';
import { Unread } from '../../components/Unread';
import { t } from '../../i18n';
import { answered, createAsked } from '../../lib/asked';
import { newInputId } from '../../lib/ids';
import { messageOf } from '../../lib/message';
import { readStored, writeStored } from '../../lib/stored';
import { createAttached } from '../../state/attach';
import { harnessTitle, suggestedModels } from '../../state/harness';
import { takeSpec } from '../../state/specs';
import { put } from '../../state/tasks';
import { toast } from '../../state/toasts';
import { AccountField } from './AccountField';
import { installed } from './AgentFields';
import { HostField } from './HostField';
import { RepositoryField } from './RepositoryField';
import { AlsoFields } from './AlsoFields';
import { SessionBar } from './SessionBar';
import { TemplateBar } from './TemplateBar';
import { EMPTY_FORM, agentOf, alsoOf, formOf, settle, specOf, usualOf, type NewTaskForm, type SettledForm } from './form';
import { Attaching, fitHeight } from './Reply';
import { takesFiles } from './takes';
import './compose.css';

const PROMPT_HEIGHT_MAX = 420;
const KEEP_AFTER_MS = 300;

/** Puts a form back where one is shown. */
let show: ((form: NewTaskForm) => void) | undefined;

function startForm(): NewTaskForm {
  const again = takeSpec();
  const draft = { ...EMPTY_FORM, ...readStored<Partial<NewTaskForm>>('new-task', {}) };
  if (!again) return draft;
  offerBack(draft, again);
  return formOf(again);
}

/** What was written and gives way to another task is had back by a word. */
function offerBack(draft: NewTaskForm, spec: TaskSpec): void {
  if (draft.prompt.trim() === '' || draft.prompt === spec.prompt) return;
  const back = (): void => {
    writeStored('new-task', draft);
    show?.(draft);
  };
  toast(t().compose.replaced, { label: t().app.undo, run: back });
}

export function NewTask() {
  const navigate = useNavigate();
  const [form, setForm] = createStore<NewTaskForm>(startForm());
  const harnesses = createAsked(() => api.harnesses());
  const known = createAsked(() => api.repos().catch(() => []));
  const settings = createAsked(() => api.settings());
  const [problem, setProblem] = createSignal<string>();
  const [empty, setEmpty] = createSignal(false);
  const [busy, setBusy] = createSignal(false);
  const [session, setSession] = createSignal<PastSession>();
  const attached = createAttached('new-task');
  let area!: HTMLTextAreaElement;
  let tried: { text: string; key: string } | undefined;
  onMount(() => {
    area.focus();
    fitHeight(area, PROMPT_HEIGHT_MAX);
  });
  keepForm(form);
  const fillIn = (whole: NewTaskForm): void => {
    setForm(whole);
    fitHeight(area, PROMPT_HEIGHT_MAX);
  };
  show = fillIn;
  onCleanup(() => show === fillIn && (show = undefined));
  const usual = createMemo(() => usualOf(settings()?.values ?? {}));
  const chosen = createMemo(() => agentOf(form, usual(), harnesses() ?? []));
  const settled = createMemo(() => settle(form, usual(), chosen()));
  // Another agent has not the session of this one.
  createEffect(() => {
    const from = session();
    if (from && chosen() && chosen()!.name !== from.harness) setSession(undefined);
  });
  const goOnWith = (from: PastSession | undefined): void => {
    if (from) {
      setForm({ harness: from.harness, also: [] });
      const around = (known() ?? []).find(({ path }) => from.directory === path || from.directory?.startsWith(`${path}/`));
      const path = around?.path ?? from.directory;
      if (path && form.repositories.length === 1 && form.repositories[0]?.path === '') setForm('repositories', 0, 'path', path);
    }
    setSession(from);
  };
  const start = async (): Promise<void> => {
    if (busy() || attached.busy() > 0) return;
    if (form.prompt.trim() === '') {
      setEmpty(true);
      return area.focus();
    }
    setBusy(true);
    setProblem(undefined);
    try {
      // Until it is known what the settings say, the form does not say what it asks for.
      await Promise.all([answered(settings), answered(harnesses)]);
      const spec: TaskSpec = specOf(settled(), attached.files());
      const also = alsoOf(form);
      // Trying again after an answer that got lost starts no second task.
      const text = JSON.stringify([spec, also, session()?.session_id]);
      if (tried?.text !== text) tried = { text, key: newInputId() };
      const key = tried.key;
      const begun = also.length > 0 ? await together(spec, also, key) : await alone(spec, key);
      tried = undefined;
      attached.clear();
      setSession(undefined);
      setForm({ prompt: '', title: '', also: [] });
      writeStored('new-task', { ...form, prompt: '', title: '', also: [] });
      navigate(begun);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const fillForm = (spec: TaskSpec): void => {
    offerBack(structuredClone(unwrap(form)), spec);
    fillIn(formOf(spec));
    setEmpty(false);
  };
  const alone = async (spec: TaskSpec, key: string): Promise<string> => {
    const from = session();
    const task = await (from ? api.adoptSession(from.session_id, spec, key) : api.create(spec, key));
    put(task);
    return `/tasks/${task.task_id}`;
  };
  const together = async (spec: TaskSpec, also: ReturnType<typeof alsoOf>, key: string): Promise<string> => {
    const check = form.check.trim() === '' ? {} : { check: form.check.trim() };
    const group = await api.createGroup({ task: { ...spec, request_key: key }, also, ...check });
    return `/compare/${group.group_id}`;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void start();
  };
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().compose.title}</h1>
      </div>
      <div class="scroll">
        <form class="newtask" onSubmit={(event) => (event.preventDefault(), void start())} onKeyDown={onKeyDown}>
          <div>
            <div class="promptbox" {...takesFiles(attached)}>
              <textarea
                ref={area}
                aria-label={t().compose.prompt}
                aria-invalid={empty() ? 'true' : undefined}
                placeholder={t().compose.promptPlaceholder}
                value={form.prompt}
                onInput={(event) => {
                  setForm('prompt', event.currentTarget.value);
                  setEmpty(false);
                  fitHeight(event.currentTarget, PROMPT_HEIGHT_MAX);
                }}
              />
              <div class="promptfoot">
                <Attaching attached={attached} />
                <Show when={chosen() && !chosen()!.abilities.images && attached.files().some((one) => one.media_type.startsWith('image/'))}>
                  <span class="faint">{t().hand.imagesAsFiles(harnessTitle(chosen()!.name))}</span>
                </Show>
              </div>
            </div>
            <Show when={empty()}>
              <p class="field">
                <span class="problem" role="alert">
                  {t().compose.needPrompt}
                </span>
              </p>
            </Show>
          </div>
          <div class="morefields">
            <Index each={form.repositories}>
              {(repository, nth) => (
                <RepositoryField
                  value={repository()}
                  known={known() ?? []}
                  onChange={(value) => setForm('repositories', nth, value)}
                  onRemove={form.repositories.length > 1 ? () => setForm('repositories', (all) => all.filter((_, at) => at !== nth)) : undefined}
                />
              )}
            </Index>
            <div>
              <Button class="addrepo" look="bare" icon="plus" onClick={() => setForm('repositories', form.repositories.length, { path: '', base: '' })}>
                {t().compose.addRepository}
              </Button>
            </div>
            <HostField host={form.host} set={(patch) => setForm(patch)} />
          </div>
          <Unread list={harnesses} what={t().hosts.harnesses} />
          <Unread list={settings} what={t().settings.title} />
          <Show when={(harnesses() ?? []).length > 0}>
            <Segments
              label={t().compose.harness}
              options={(harnesses() ?? []).map((one) => ({ value: one.name, label: harnessTitle(one.name) }))}
              value={chosen()?.name ?? ''}
              onChange={(harness) => setForm({ harness, ...(harness === settled().harness ? {} : { model: null }) })}
            />
          </Show>
          <Show when={chosen() && chosen()!.installed.length === 0}>
            <Callout tone="attention">
              {t().compose.install(harnessTitle(chosen()!.name))} <code>paddock harness install {chosen()!.name}</code>
            </Callout>
          </Show>
          <div class="newways">
            <SessionBar harnesses={harnesses() ?? []} repository={form.repositories[0]?.path.trim() ?? ''} chosen={session()} onChoose={goOnWith} />
            <TemplateBar onFill={fillForm} spec={() => specOf(settled())} />
            <Show when={session() === undefined}>
              <AlsoFields form={form} agents={installed(harnesses())} set={(patch) => setForm(patch)} />
            </Show>
          </div>
          <details open={hasChoices(settled())}>
            <summary>
              <Icon name="right" />
              {t().compose.moreOptions}
            </summary>
            <MoreFields form={settled()} abilities={chosen()?.abilities} set={(patch) => setForm(patch)} />
          </details>
          <Show when={problem()}>{(text) => <Callout tone="failure" role="alert"><Words text={text()} /></Callout>}</Show>
          <div class="newfoot">
            <Button type="submit" look="main" keys="mod+enter" disabled={busy()}>
              {busy() ? t().compose.starting : t().compose.start}
            </Button>
          </div>
        </form>
      </div>
    </main>
  );
}

/** Whether anything that is folded away differs from its default. */
function hasChoices(form: SettledForm): boolean {
  return form.permission !== 'full_auto' || form.box !== 'auto' || [form.model, form.effort, form.image, form.memory, form.cpus, form.pids].some((text) => text !== '');
}

/** Keeps the form in this browser, soon after each change. */
function keepForm(form: NewTaskForm): void {
  let last = JSON.stringify(form);
  const timer = setInterval(() => {
    const now = JSON.stringify(form);
    if (now === last) return;
    last = now;
    writeStored('new-task', form);
  }, KEEP_AFTER_MS);
  onCleanup(() => {
    clearInterval(timer);
    writeStored('new-task', form);
  });
}

const PERMISSIONS: readonly PermissionMode[] = ['full_auto', 'accept_edits', 'ask', 'plan'];
const BOXES: readonly (BoxKind | 'auto')[] = ['auto', 'container', 'worktree'];
const NETWORKS: readonly Network[] = ['bridge', 'none'];

/** What is folded away; what the harness cannot do is not offered. */
function MoreFields(props: { form: SettledForm; abilities: Abilities | undefined; set: (patch: Partial<NewTaskForm>) => void }) {
  const modes = (): readonly PermissionMode[] => props.abilities?.permission_modes ?? PERMISSIONS;
  const words = (): ReturnType<typeof t>['compose'] => t().compose;
  return (
    <div class="morefields">
      <div class="formgrid">
        <Show when={props.abilities?.models.choice !== 'fixed'}>
          <Field label={words().model}>
            {(ids) => <Suggesting {...ids} suggestions={suggestedModels(props.abilities)} placeholder={words().modelPlaceholder} value={props.form.model} onInput={(event) => props.set({ model: event.currentTarget.value })} />}
          </Field>
        </Show>
        <Show when={(props.abilities?.efforts ?? []).length > 0}>
          <Field label={words().effort}>
            {(ids) => (
              <Select {...ids} value={props.form.effort} onChange={(event) => props.set({ effort: event.currentTarget.value })}>
                <option value="">{words().effortDefault}</option>
                <Index each={props.abilities?.efforts ?? []}>{(one) => <option value={one()}>{one()}</option>}</Index>
              </Select>
            )}
          </Field>
        </Show>
      </div>
      <Segments
        label={words().permission}
        hint={words().permissionHints[props.form.permission]}
        options={modes().map((value) => ({ value, label: words().permissions[value] }))}
        value={props.form.permission}
        onChange={(permission) => props.set({ permission })}
      />
      <Segments
        label={words().box}
        hint={words().boxHints[props.form.box]}
        options={BOXES.map((value) => ({ value, label: words().boxes[value] }))}
        value={props.form.box}
        onChange={(box) => props.set({ box })}
      />
      <Show when={props.form.box !== 'worktree'}>
        <div class="formgrid">
          <Field label={words().image}>
            {(ids) => <Input {...ids} class="code" placeholder={words().imagePlaceholder} value={props.form.image} onInput={(event) => props.set({ image: event.currentTarget.value })} />}
          </Field>
          <Field label={words().memory}>
            {(ids) => <Input {...ids} inputmode="numeric" placeholder={words().noLimit} value={props.form.memory} onInput={(event) => props.set({ memory: event.currentTarget.value })} />}
          </Field>
          <Field label={words().cpus}>
            {(ids) => <Input {...ids} inputmode="decimal" placeholder={words().noLimit} value={props.form.cpus} onInput={(event) => props.set({ cpus: event.currentTarget.value })} />}
          </Field>
          <Field label={words().pids}>
            {(ids) => <Input {...ids} inputmode="numeric" placeholder={words().noLimit} value={props.form.pids} onInput={(event) => props.set({ pids: event.currentTarget.value })} />}
          </Field>
        </div>
        <Segments label={words().network} options={NETWORKS.map((value) => ({ value, label: words().networks[value] }))} value={props.form.network} onChange={(network) => props.set({ network })} />
      </Show>
      <AccountField harness={props.form.harness} account={props.form.account} resume={props.form.resume} set={props.set} />
      <Field label={words().title_}>
        {(ids) => <Input {...ids} placeholder={words().titlePlaceholder} value={props.form.title} onInput={(event) => props.set({ title: event.currentTarget.value })} />}
      </Field>
    </div>
  );
}
