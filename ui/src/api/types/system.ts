// What is around the tasks: lists, hosts, repositories, harnesses, checks, settings, errors.
import type { ApprovalScope, PermissionMode, StateName } from './names';

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
  orphans: { task_id: string; name: string; advice: string }[];
}

export interface KnownRepository {
  path: string;
  tasks: number;
  last_used_at: string;
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
  images: boolean;
}

export interface HarnessView {
  name: string;
  versions: string[];
  installed: Program[];
  abilities: Abilities;
  provider_set: string[];
}

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  remedy?: string;
}

export interface SettingsView {
  values: Record<string, unknown>;
  file?: string;
}

export type ErrorCode =
  | 'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_now' | 'would_lose'
  | 'conflict' | 'findings' | 'too_large' | 'unsupported_media_type' | 'too_many_attempts' | 'failed'
  | 'internal' | 'overloaded' | 'shutting_down' | 'unknown';

export interface ErrorDetail {
  code: ErrorCode;
  message: string;
  details: unknown;
}
