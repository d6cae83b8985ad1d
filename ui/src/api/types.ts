// The nouns of the wire, as every other file of the client names them: tasks, journal events, commands.
// They say what is always there more closely than the API's document does; `tests/unit/drift.ts` holds
// them against it.
import type { Transition } from './schema';

export type StateName =
  | 'pending' | 'branching' | 'provisioning' | 'starting' | 'running' | 'waiting' | 'asking' | 'has_plan'
  | 'pulling' | 'pushing' | 'stopping' | 'stopped' | 'crashed' | 'purging' | 'failed' | 'purged';
export type Action =
  | 'send' | 'answer' | 'interrupt' | 'stop' | 'revive' | 'sync' | 'commit' | 'purge' | 'restore';
export type PermissionMode = 'full_auto' | 'accept_edits' | 'ask' | 'plan';
export type BoxKind = 'container' | 'worktree';
export type Network = 'bridge' | 'none';
export type ToolKind =
  | 'bash' | 'read' | 'write' | 'edit' | 'glob' | 'grep' | 'web' | 'mcp' | 'subagent' | 'todo' | 'other';
export type TurnOutcome = 'completed' | 'failed' | 'interrupted' | 'run_ended';
export type ErrorClass =
  | 'auth' | 'quota' | 'overload' | 'network' | 'context_too_long' | 'refused' | 'agent'
  | 'unknown_line' | 'setup' | 'git' | 'internal';
export type Phase = 'branching' | 'provisioning' | 'starting';

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
  title?: string;
  repositories: RepositorySpec[];
  harness: string;
  harness_version?: string;
  model?: string;
  effort?: string;
  permission_mode: PermissionMode;
  host: string;
  box: BoxSpec;
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
  cost?: { usd: number; source: 'reported' | 'estimated' };
}

export interface RateLimit {
  name: string;
  used?: number;
  resets_at?: string;
  blocked: boolean;
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

export type ApprovalScope = 'once' | 'task' | 'repository';

export interface Approval {
  approval_id: string;
  tool_call_id?: string;
  tool: ToolKind;
  tool_name: string;
  summary: string;
  reason?: string;
  input?: unknown;
  scopes: ApprovalScope[];
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
  created_at: string;
  state_changed_at: string;
  updated_at: string;
  last_seq: number;
  repositories: RepositoryView[];
  box_kind?: BoxKind;
  box_name?: string;
  run?: { run_id: string; version: string; started_at: string; exit?: RunExit };
  agent_session?: string;
  model?: string;
  turn?: { turn_id: string; started_at: string };
  last_outcome?: TurnOutcome;
  questions: Question[];
  approvals: Approval[];
  plan?: Plan;
  todos: TodoItem[];
  usage: Usage;
  rate_limit?: RateLimit;
  turns: number;
  tool_calls: number;
  failure?: Failure;
}

export interface ArtifactRef {
  path: string;
  sha256: string;
  size: number;
}

export interface ToolCallStarted {
  tool_call_id: string;
  tool: ToolKind;
  tool_name: string;
  command?: string;
  path?: string;
  cwd?: string;
  server?: string;
  timeout_s?: number;
  args?: unknown;
  args_ref?: ArtifactRef;
  parent_tool_call_id?: string;
}

export interface ToolCallFinished {
  tool_call_id: string;
  is_error: boolean;
  exit_code?: number;
  duration_ms?: number;
  output?: string;
  stdout_ref?: ArtifactRef;
  patch?: string;
  patch_ref?: ArtifactRef;
  parent_tool_call_id?: string;
}

export interface Block {
  kind: 'text' | 'refusal';
  content: string;
}

export type Body =
  | { type: 'session_started'; task_description: string; project_path?: string; coding_provider: string; spec: TaskSpec }
  | { type: 'model_selected'; provider: string; model: string; reasoning_effort?: string }
  | { type: 'provider_switched'; from_provider: string; to_provider: string; from_model?: string; to_model?: string; reason: string }
  | { type: 'user_message'; input_id: string; content: string; during_turn?: boolean }
  | { type: 'assistant_message'; blocks: Block[]; parent_tool_call_id?: string }
  | { type: 'thinking'; text: string; parent_tool_call_id?: string }
  | { type: 'tool_declared'; name: string; args_schema?: unknown; version?: string }
  | ({ type: 'tool_call_started' } & ToolCallStarted)
  | ({ type: 'tool_call_finished' } & ToolCallFinished)
  | { type: 'verification_attempt'; attempt_number: number; tool_call_refs: string[]; passed: boolean; summary: string; issues: string[] }
  | { type: 'context_condensed'; policy: 'rolling_window' | 'requested' | 'cleared' | 'provider_handoff'; tokens_before?: number; tokens_after?: number; summary_text?: string }
  | { type: 'terminal_output'; data: string }
  | { type: 'session_ended'; success: boolean; reason: string; total_tool_calls: number; total_turns: number }
  | { type: 'state_changed'; from: StateName; to: StateName; on: Transition; cause?: string }
  | { type: 'branch_claimed'; repository: string; branch: string; base: string; base_commit: string; adopted: boolean }
  | { type: 'box_created'; kind: BoxKind; name: string; image?: string }
  | { type: 'run_started'; harness: string; version: string; resumed: boolean }
  | { type: 'agent_session_named'; session_id: string }
  | { type: 'run_ended'; exit: RunExit; stderr_tail?: string }
  | { type: 'turn_finished'; outcome: TurnOutcome; duration_ms?: number }
  | ({ type: 'question_asked' } & Question)
  | { type: 'question_answered'; question_id: string; answer: Answer | null }
  | ({ type: 'approval_requested' } & Approval)
  | { type: 'approval_resolved'; approval_id: string; decision: Decision | null }
  | ({ type: 'plan_proposed' } & Plan)
  | { type: 'plan_resolved'; plan_id: string; decision: PlanDecision | null }
  | { type: 'todo_updated'; items: TodoItem[] }
  | { type: 'subagent_started'; tool_call_id: string; name: string; prompt: string }
  | { type: 'subagent_finished'; tool_call_id: string; is_error: boolean }
  | ({ type: 'usage_updated' } & Usage)
  | ({ type: 'rate_limited' } & RateLimit)
  | { type: 'diff_stat'; repository: string; stat: DiffStat }
  | { type: 'commit_made'; repository: string; commit: string; subject: string }
  | { type: 'branch_pushed'; repository: string; remote: string; branch: string; commit: string; squashed: boolean }
  | { type: 'error'; class: ErrorClass; message: string; raw?: string; raw_ref?: ArtifactRef }
  | { type: 'notice'; level: 'info' | 'warning'; phase?: Phase; text: string };

/** One line of a journal: the common fields and, beside them, what happened. */
export type JournalEvent = {
  event_id: string;
  ts: string;
  seq: number;
  task_id: string;
  run_id?: string;
  turn_id?: string;
} & Body;

export type EventType = Body['type'];

/** A piece of a message under way; never journalled. */
export interface Delta {
  kind: 'text' | 'thinking' | 'tool_output';
  key: string;
  text: string;
}

export interface Message {
  input_id?: string;
  text: string;
}

export interface PurgePreview {
  uncommitted: string[];
  unpushed: number;
  unknown: string | null;
}

export interface SyncRequest {
  target: 'branch' | 'default' | 'local';
  remote?: string;
  allow: string[];
  message?: string;
}

export interface SyncReport {
  repositories: {
    path: string;
    branch: string;
    commit: string;
    brought_out: number;
    pushed_to: string | null;
    note: string | null;
  }[];
}

export interface RepositoryFinding {
  repository: string;
  id: string;
  rule: string;
  path: string;
  line: number | null;
  excerpt: string;
}

export interface SquashPreview {
  repository: string;
  onto: string;
  conflicts: string[];
}

export interface CommitPreview {
  repository: string;
  files: FileStat[];
  /** Paths that would not go in. */
  left_out: string[];
  findings: RepositoryFinding[];
  token: string;
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
  needs_me: boolean;
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
  turns: number;
  failure?: Failure;
  created_at: string;
  state_changed_at: string;
  updated_at: string;
  last_seq: number;
}

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
