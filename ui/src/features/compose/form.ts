// The form of a new task and the specification that it stands for. Pure.
import type { Attachment, BoxKind, Contender, Network, PermissionMode, TaskSpec } from '../../api/types';

export interface RepositoryForm {
  path: string;
  base: string;
}

/** An agent by its harness and, where one is named, its model. */
export interface AgentForm {
  harness: string;
  model: string;
}

export interface NewTaskForm {
  prompt: string;
  title: string;
  repositories: RepositoryForm[];
  harness: string;
  /** Somebody named the harness here, or what the form was filled with: it is taken at their word. */
  named: boolean;
  model: string;
  effort: string;
  permission: PermissionMode;
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

/** The machine that Paddock itself runs on. */
export const LOCAL = 'local';

export const EMPTY_FORM: NewTaskForm = {
  prompt: '',
  title: '',
  repositories: [{ path: '', base: '' }],
  harness: '',
  named: false,
  model: '',
  effort: '',
  permission: 'full_auto',
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

/** The form with what the settings say of a task that does not say; what was chosen stays. */
export function usualOf(form: NewTaskForm, values: Record<string, unknown>): Partial<NewTaskForm> {
  const text = (key: string): string => (typeof values[key] === 'string' ? values[key] : '');
  if (form.harness !== '') return {};
  const permission = text('task.permission_mode') as PermissionMode | '';
  return {
    harness: text('task.harness'),
    ...(form.model === '' ? { model: text('task.model') } : {}),
    ...(permission !== '' && form.permission === EMPTY_FORM.permission ? { permission } : {}),
  };
}

/** What the form asks for; what was left empty is left out. */
export function specOf(form: NewTaskForm, harness: string, files: readonly Attachment[] = []): TaskSpec {
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
    harness,
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
export function formOf(spec: TaskSpec): NewTaskForm {
  const repositories = spec.repositories.map(({ path, base }) => ({ path, base: base ?? '' }));
  return {
    prompt: spec.prompt,
    title: spec.title ?? '',
    repositories: repositories.length > 0 ? repositories : [{ path: '', base: '' }],
    harness: spec.harness,
    named: spec.harness !== '',
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
