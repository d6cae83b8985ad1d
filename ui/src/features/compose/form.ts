// The form of a new task and the specification that it stands for. Pure.
import type { BoxKind, Network, PermissionMode, TaskSpec } from '../../api/types';

export interface RepositoryForm {
  path: string;
  base: string;
}

export interface NewTaskForm {
  prompt: string;
  title: string;
  repositories: RepositoryForm[];
  harness: string;
  model: string;
  effort: string;
  permission: PermissionMode;
  box: BoxKind | 'auto';
  image: string;
  network: Network;
  memory: string;
  cpus: string;
}

export const EMPTY_FORM: NewTaskForm = {
  prompt: '',
  title: '',
  repositories: [{ path: '', base: '' }],
  harness: '',
  model: '',
  effort: '',
  permission: 'full_auto',
  box: 'auto',
  image: '',
  network: 'bridge',
  memory: '',
  cpus: '',
};

/** What the form asks for; what was left empty is left out. */
export function specOf(form: NewTaskForm, harness: string): TaskSpec {
  const text = (name: string, value: string): Record<string, string> => (value.trim() === '' ? {} : { [name]: value.trim() });
  const number = (name: string, value: string): Record<string, number> => (value.trim() === '' ? {} : { [name]: Number(value.trim().replace(',', '.')) });
  const fenced = form.box !== 'worktree';
  return {
    prompt: form.prompt,
    ...text('title', form.title),
    repositories: form.repositories
      .filter((one) => one.path.trim() !== '')
      .map((one) => ({ path: one.path.trim(), ...text('base', one.base) })),
    harness,
    ...text('model', form.model),
    ...text('effort', form.effort),
    permission_mode: form.permission,
    host: 'local',
    box: {
      ...(form.box === 'auto' ? {} : { kind: form.box }),
      ...(fenced ? { ...text('image', form.image), ...number('memory_mib', form.memory), ...number('cpus', form.cpus) } : {}),
      ...(fenced && form.network !== 'bridge' ? { network: form.network } : {}),
    },
  };
}

/** The form that would ask for `spec`. */
export function formOf(spec: TaskSpec): NewTaskForm {
  const repositories = spec.repositories.map(({ path, base }) => ({ path, base: base ?? '' }));
  return {
    prompt: spec.prompt,
    title: spec.title ?? '',
    repositories: repositories.length > 0 ? repositories : [{ path: '', base: '' }],
    harness: spec.harness,
    model: spec.model ?? '',
    effort: spec.effort ?? '',
    permission: spec.permission_mode,
    box: spec.box.kind ?? 'auto',
    image: spec.box.image ?? '',
    network: spec.box.network ?? 'bridge',
    memory: spec.box.memory_mib?.toString() ?? '',
    cpus: spec.box.cpus?.toString() ?? '',
  };
}
