// A task: what was asked for, what became of it, what it waits for; whole, and as lists show it.
import type { Link } from './box';
import type { Attachment, CheckResult, Origin, TaskGroup, TaskRef } from './hand';
import type { RuleOffer, UsageLimit } from './policy';
import type { FollowUp, Hold, Place } from './queue';
import type { Action, ApprovalScope, BoxKind, ErrorClass, Network, PermissionMode, StateName, ToolKind, TurnOutcome } from './names';

export interface RepositorySpec {
  path: string;
  base?: string;
  branch?: string;
}

export interface BoxSpec {
  kind?: BoxKind;
  image?: string;
  network?: Network;
  memory_mib?: number;
  cpus?: number;
  pids?: number;
}

export interface TaskSpec {
  prompt: string;
  attachments?: Attachment[];
  title?: string;
  repositories: RepositorySpec[];
  harness: string;
  harness_version?: string;
  model?: string;
  effort?: string;
  account?: string;
  resume_on_limit?: boolean;
  permission_mode: PermissionMode;
  host: string;
  box: BoxSpec;
  /** The same key twice is the same task. */
  request_key?: string;
  group?: TaskGroup;
  /** Written by the server. */
  origin?: Origin;
}

export interface FileStat {
  path: string;
  renamed_from?: string;
  added: number;
  removed: number;
  binary?: boolean;
}

export interface DiffStat {
  files: FileStat[];
  more_files?: number;
  added: number;
  removed: number;
  commits: number;
  uncommitted: number;
}

export interface RepositoryView {
  path: string;
  branch?: string;
  base?: string;
  base_commit?: string;
  diff: DiffStat;
  pushed?: string;
}

export type RunExit =
  | { how: 'code'; code: number }
  | { how: 'signal'; signal: number }
  | { how: 'not_started' }
  | { how: 'lost' };

export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  context_used?: number;
  context_limit?: number;
  cost?: Cost;
}

/** In US dollars. */
export interface Cost {
  usd: number;
  source: 'reported' | 'estimated';
  /** Some tokens of it have no price and are left out. */
  partial?: boolean;
}

export interface RateLimit {
  name: string;
  used?: number;
  resets_at?: string;
  blocked: boolean;
}

/** A request to the model that failed and that the agent program makes again. */
export interface Retry {
  attempt?: number;
  attempts_max?: number;
  class?: ErrorClass;
  reason: string;
  delay_ms?: number;
}

export interface RetryUnderWay extends Retry {
  since_at: string;
  next_at?: string;
}

export interface Choice {
  label: string;
  description?: string;
}

export interface Question {
  question_id: string;
  header?: string;
  text: string;
  choices?: Choice[];
  multiple: boolean;
}

export interface Answer {
  choices?: string[];
  text?: string;
}

export interface Approval {
  approval_id: string;
  tool_call_id?: string;
  tool: ToolKind;
  tool_name: string;
  summary: string;
  reason?: string;
  input?: unknown;
  scopes: ApprovalScope[];
  /** Rules that would cover it, narrowest first. */
  offers?: RuleOffer[];
}

export type Decision =
  | { verdict: 'allow'; scope: ApprovalScope; input?: unknown }
  | { verdict: 'deny'; message?: string; interrupt?: boolean };

export interface Plan {
  plan_id: string;
  text: string;
}

export type PlanDecision = { verdict: 'approve'; text?: string } | { verdict: 'reject'; comment?: string };

export interface TodoItem {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

export interface Failure {
  class: ErrorClass;
  message: string;
}

export interface Task {
  task_id: string;
  title: string;
  spec: TaskSpec;
  state: StateName;
  allowed: Action[];
  /** Whether it waits for the user, who has not put it aside. */
  needs_me: boolean;
  /** The last event that called for the user, and the last that they have put aside. */
  called_seq?: number;
  aside_seq?: number;
  /** Since when it is in the archive. */
  archived_at?: string;
  created_at: string;
  state_changed_at: string;
  updated_at: string;
  last_seq: number;
  repositories: RepositoryView[];
  box_kind?: BoxKind;
  box_name?: string;
  run?: { run_id: string; version: string; started_at: string; exit?: RunExit; account?: string };
  agent_session?: string;
  /** The event in which its program last said what it offers. */
  offers_seq?: number;
  model?: string;
  /** How hard the agent says that it thinks. */
  effort?: string;
  turn?: { turn_id: string; started_at: string };
  last_outcome?: TurnOutcome;
  questions: Question[];
  approvals: Approval[];
  plan?: Plan;
  todos: TodoItem[];
  usage: Usage;
  /** The first of `rate_limits`: the one that binds. */
  rate_limit?: RateLimit;
  rate_limits?: RateLimit[];
  retry?: RetryUnderWay;
  limit?: UsageLimit;
  resumes?: number;
  /** Since when the agent has a turn to do, and says and does nothing. */
  silent_since?: string;
  turns: number;
  tool_calls: number;
  failure?: Failure;
  /** Whether the box is reached. */
  link?: Link;
  /** Repositories that are not where the task knows them. */
  missing?: string[];
  forks?: TaskRef[];
  worked_ms?: number;
  check?: CheckResult;
  winner?: string;
  taken_over_from?: string;
  origin_spent?: boolean;
  follow_ups?: FollowUp[];
  follow_ups_hold?: Hold;
  rank?: number;
}

export interface RepositorySummary {
  path: string;
  branch?: string;
  base?: string;
  files: number;
  added: number;
  removed: number;
  commits: number;
  uncommitted: number;
}

/** A task as lists show it. */
export interface TaskSummary {
  task_id: string;
  title: string;
  state: StateName;
  allowed: Action[];
  /** Whether it waits for the user, who has not put it aside. */
  needs_me: boolean;
  /** Since when it is in the archive. */
  archived_at?: string;
  harness: string;
  host: string;
  box_kind?: BoxKind;
  model?: string;
  repositories: RepositorySummary[];
  turn?: { turn_id: string; started_at: string };
  last_outcome?: TurnOutcome;
  open_requests: number;
  usage: Usage;
  rate_limit?: RateLimit;
  retry?: RetryUnderWay;
  limit?: UsageLimit;
  silent_since?: string;
  turns: number;
  failure?: Failure;
  link?: Link;
  /** How many messages wait for the end of the turn. */
  follow_ups?: number;
  follow_ups_hold?: Hold;
  /** Where it stands in its host's line, while it waits in it. */
  place?: Place;
  forked_from?: string;
  group_id?: string;
  winner?: string;
  created_at: string;
  state_changed_at: string;
  updated_at: string;
  last_seq: number;
}
