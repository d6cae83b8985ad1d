// What is around the tasks: lists, hosts, repositories, harnesses, checks, settings, errors.
import type { ApprovalScope, BoxKind, PermissionMode, StateName } from './names';
import type { TaskMention } from './queue';
import type { SettingView } from './search';

export interface Page<T> {
  items: T[];
  next_cursor?: string;
}

export interface Accepted {
  task_id: string;
  state: StateName;
  seq: number;
}

export interface VersionInfo {
  version: string;
  api: string;
}

export interface HostView {
  name: string;
  parallel_tasks: number;
  working: number;
  pending: number;
  orphans: Orphan[];
  /** Tasks that hold a place, and those that wait for one, in order. */
  at_work: TaskMention[];
  line: TaskMention[];
}

/** A box that belongs to no task. */
export interface Orphan {
  task_id: string;
  name: string;
  advice: string;
  /** Whether it can be made a task again. */
  adoptable?: boolean;
  kind?: BoxKind;
  repositories?: string[];
  state?: string;
}

export type PhaseState = 'loading' | 'done';

export interface DiskState {
  state: 'ok' | 'low' | 'full';
  free_bytes?: number;
  low_water_bytes: number;
  message?: string;
}

export interface Health {
  status: string;
  /** Whether it still reads what was there before it started. */
  loading: boolean;
  phases?: { journals: PhaseState; repositories: PhaseState; hosts: PhaseState };
  disk: DiskState;
}

export interface KnownRepository {
  path: string;
  tasks: number;
  last_used_at: string;
  /** Why it could not be worked on when Paddock started. */
  problem?: string;
}

export interface RepositoryInfo {
  path: string;
  /** The branch that is checked out; absent when it is detached or bare. */
  branch?: string;
  default_branch?: string;
  remotes: string[];
  /** Whether there are changes that no commit holds. */
  dirty: boolean;
  shallow: boolean;
  /** The latest of its branches. */
  branches?: string[];
  /** What a user should know before a task begins here. */
  notices: string[];
}

export interface Program {
  harness: string;
  version: string;
  dir: string;
  program: string;
  node?: string;
  sha256: string;
}

export type ModelChoice = { choice: 'fixed' } | { choice: 'free'; suggestions: string[] };

/** What a harness can do. */
export interface Abilities {
  resume: boolean;
  interrupt: boolean;
  steer: boolean;
  approvals: ApprovalScope[];
  permission_modes: PermissionMode[];
  questions: boolean;
  models: ModelChoice;
  model_switch: boolean;
  efforts: string[];
  effort_switch?: boolean;
  mode_switch?: boolean;
  compact?: boolean;
  clear?: boolean;
  edited_input?: boolean;
  adopt?: boolean;
  images: boolean;
}

export interface HarnessView {
  name: string;
  versions: string[];
  installed: Program[];
  abilities: Abilities;
  provider_set: string[];
  /** Where each comes from, and what is passed over for it. */
  keys?: KeyView[];
}

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  remedy?: string;
}

export interface KeyView {
  variable: string;
  source: 'vault' | 'settings' | 'environment';
  used: boolean;
}

export interface SettingsView {
  values: Record<string, unknown>;
  file?: string;
  revision: number;
  settings: SettingView[];
}

export type ErrorCode =
  | 'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_now' | 'would_lose'
  | 'conflict' | 'findings' | 'too_large' | 'unsupported_media_type' | 'too_many_attempts' | 'failed'
  | 'internal' | 'overloaded' | 'shutting_down' | 'disk_full' | 'unknown';

export interface ErrorDetail {
  code: ErrorCode;
  message: string;
  details: unknown;
}
