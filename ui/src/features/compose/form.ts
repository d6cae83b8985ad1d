// The form of a new task and the specification that it stands for. Pure.
import type { Attachment, BoxKind, Contender, HarnessView, Network, PermissionMode, TaskSpec } from '../../api/types';

export interface RepositoryForm {
  path: string;
  base: string;
}

/** An agent by its harness and, where one is named, its model. */
export interface AgentForm {
  harness: string;
  model: string;
}

/** What somebody chose here, or the form was filled with: it is taken at their word. */
export interface NewTaskForm {
  prompt: string;
  title: string;
  repositories: RepositoryForm[];
  /** The one of the settings when empty. */
  harness: string;
  /** That of the settings when nothing; none when empty. */
  model: string | null;
  effort: string;
  /** That of the settings when nothing. */
  permission: PermissionMode | null;
  /** Where; the first of the hosts when empty. */
  host: string;
  box: BoxKind | 'auto';
  image: string;
  network: Network;
  memory: string;
  cpus: string;
  pids: string;
  /** Whose key; the default one when empty. */
  account: string;
  /** Go on by itself when a usage limit is lifted. */
  resume: boolean;
  /** Other agents that get the same. */
  also: AgentForm[];
  /** What tells good work from bad. */
  check: string;
}

/** The form with nothing left to choose. */
export type SettledForm = NewTaskForm & { model: string; permission: PermissionMode };

/** What the settings say of a task that does not say. */
export interface Usual {
  harness: string;
  model: string;
  permission: PermissionMode;
}

/** The machine that Paddock itself runs on. */
export const LOCAL = 'local';

export const EMPTY_FORM: NewTaskForm = {
  prompt: '',
  title: '',
  repositories: [{ path: '', base: '' }],
  harness: '',
  model: null,
  effort: '',
  permission: null,
  host: '',
  box: 'auto',
  image: '',
  network: 'bridge',
  memory: '',
  cpus: '',
  pids: '',
  account: '',
  resume: false,
  also: [],
  check: '',
};

/** What the settings say, as far as they are known. */
export function usualOf(values: Record<string, unknown>): Usual {
  const text = (key: string): string => (typeof values[key] === 'string' ? values[key] : '');
  return { harness: text('task.harness'), model: text('task.model'), permission: (text('task.permission_mode') || 'full_auto') as PermissionMode };
}

/** Who works: whom somebody named here, whom the settings name where it can work, or the first that can. */
export function agentOf(form: NewTaskForm, usual: Usual, all: readonly HarnessView[]): HarnessView | undefined {
  const named = all.find((one) => one.name === form.harness);
  if (named) return named;
  const able = all.filter((one) => one.installed.length > 0);
  return able.find((one) => one.name === usual.harness) ?? able[0] ?? all.find((one) => one.name === usual.harness) ?? all[0];
}

/** The form with what the settings say where nobody chose here; nothing is asked of `agent` that it cannot do. */
export function settle(form: NewTaskForm, usual: Usual, agent: HarnessView | undefined): SettledForm {
  const can = agent?.abilities;
  const harness = agent?.name ?? (form.harness || usual.harness || 'claude');
  // The usual model is one of the usual agent.
  const model = form.model ?? (harness === usual.harness ? usual.model : '');
  const permission = form.permission ?? usual.permission;
  const modes = can?.permission_modes ?? [permission];
  return {
    ...form,
    harness,
    model: can?.models.choice === 'fixed' ? '' : model,
    effort: can && !can.efforts.includes(form.effort) ? '' : form.effort,
    permission: modes.includes(permission) ? permission : (modes[0] ?? permission),
  };
}

/** What the form asks for; what was left empty is left out. */
export function specOf(form: SettledForm, files: readonly Attachment[] = []): TaskSpec {
  const text = (name: string, value: string): Record<string, string> => (value.trim() === '' ? {} : { [name]: value.trim() });
  const number = (name: string, value: string): Record<string, number> => (value.trim() === '' ? {} : { [name]: Number(value.trim().replace(',', '.')) });
  const fenced = form.box !== 'worktree';
  return {
    prompt: form.prompt,
    ...(files.length > 0 ? { attachments: [...files] } : {}),
    ...text('title', form.title),
    repositories: form.repositories
      .filter((one) => one.path.trim() !== '')
      .map((one) => ({ path: one.path.trim(), ...text('base', one.base) })),
    harness: form.harness,
    ...text('model', form.model),
    ...text('effort', form.effort),
    ...text('account', form.account),
    ...(form.resume ? { resume_on_limit: true } : {}),
    permission_mode: form.permission,
    host: form.host === '' ? LOCAL : form.host,
    box: {
      ...(form.box === 'auto' ? {} : { kind: form.box }),
      ...(fenced ? { ...text('image', form.image), ...number('memory_mib', form.memory), ...number('cpus', form.cpus), ...number('pids', form.pids) } : {}),
      ...(fenced && form.network !== 'bridge' ? { network: form.network } : {}),
    },
  };
}

export function contenderOf({ harness, model }: AgentForm): Contender {
  return model.trim() === '' ? { harness } : { harness, model: model.trim() };
}

/** The other agents that are to do the same. */
export function alsoOf(form: NewTaskForm): Contender[] {
  return form.also.filter((one) => one.harness !== '').map(contenderOf);
}

/** The form that would ask for `spec`. */
export function formOf(spec: TaskSpec): SettledForm {
  const repositories = spec.repositories.map(({ path, base }) => ({ path, base: base ?? '' }));
  return {
    prompt: spec.prompt,
    title: spec.title ?? '',
    repositories: repositories.length > 0 ? repositories : [{ path: '', base: '' }],
    harness: spec.harness,
    model: spec.model ?? '',
    effort: spec.effort ?? '',
    permission: spec.permission_mode,
    host: spec.host === LOCAL ? '' : spec.host,
    box: spec.box.kind ?? 'auto',
    image: spec.box.image ?? '',
    network: spec.box.network ?? 'bridge',
    memory: spec.box.memory_mib?.toString() ?? '',
    cpus: spec.box.cpus?.toString() ?? '',
    pids: spec.box.pids?.toString() ?? '',
    account: spec.account ?? '',
    resume: spec.resume_on_limit ?? false,
    also: [],
    check: '',
  };
}
