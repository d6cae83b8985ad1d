// What happened: one line of a journal, by type; and pieces of messages under way.
import type { Attachment, CheckResult } from './hand';
import type { Transition } from '../schema';
import type { Offers } from './offers';
import type { PastMessage } from './session';
import type { Rule } from './policy';
import type { BoxKind, CondensePolicy, ErrorClass, PermissionMode, Phase, StateName, ToolKind, TurnOutcome } from './names';
import type { Answer, Approval, Decision, DiffStat, Plan, PlanDecision, Question, RateLimit, Retry, RunExit, TaskSpec, TodoItem, Usage } from './task';

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
  images?: Attachment[];
  parent_tool_call_id?: string;
}

export interface Block {
  kind: 'text' | 'refusal';
  content: string;
}

export type Body =
  | { type: 'session_started'; task_description: string; project_path?: string; coding_provider: string; spec: TaskSpec }
  | { type: 'model_selected'; provider: string; model: string; reasoning_effort?: string }
  | { type: 'provider_switched'; from_provider: string; to_provider: string; from_model?: string; to_model?: string; to_version?: string; to_effort?: string; reason: string }
  | { type: 'user_message'; input_id: string; content: string; during_turn?: boolean; attachments?: Attachment[] }
  | { type: 'assistant_message'; blocks: Block[]; parent_tool_call_id?: string }
  | { type: 'thinking'; text: string; parent_tool_call_id?: string }
  | { type: 'tool_declared'; name: string; args_schema?: unknown; version?: string }
  | ({ type: 'tool_call_started' } & ToolCallStarted)
  | ({ type: 'tool_call_finished' } & ToolCallFinished)
  | { type: 'verification_attempt'; attempt_number: number; tool_call_refs: string[]; passed: boolean; summary: string; issues: string[] }
  | { type: 'context_condensed'; policy: CondensePolicy; tokens_before?: number; tokens_after?: number; summary_text?: string }
  | { type: 'terminal_output'; data: string }
  | { type: 'session_ended'; success: boolean; reason: string; total_tool_calls: number; total_turns: number }
  | { type: 'state_changed'; from: StateName; to: StateName; on: Transition; cause?: string }
  | { type: 'branch_claimed'; repository: string; branch: string; base: string; base_commit: string; adopted: boolean }
  | { type: 'box_created'; kind: BoxKind; name: string; image?: string }
  | { type: 'run_started'; harness: string; version: string; resumed: boolean; account?: string; asks_as?: PermissionMode }
  | { type: 'agent_session_named'; session_id: string }
  | { type: 'session_adopted'; harness: string; session_id: string; directory?: string; messages: PastMessage[]; left_out?: number }
  | { type: 'run_ended'; exit: RunExit; stderr_tail?: string; unheard_since?: number | null }
  | { type: 'turn_finished'; outcome: TurnOutcome; duration_ms?: number }
  | ({ type: 'question_asked' } & Question)
  | { type: 'question_answered'; question_id: string; answer: Answer | null }
  | ({ type: 'approval_requested' } & Approval)
  | { type: 'approval_resolved'; approval_id: string; decision: Decision | null; rules?: Rule[]; by_rule?: boolean }
  | { type: 'resume_scheduled'; resume_at: string; attempt: number }
  | { type: 'resume_cancelled' }
  | { type: 'agent_silent'; since_at: string }
  | { type: 'agent_stirred' }
  | ({ type: 'agent_offers' } & Offers)
  | { type: 'agent_tuned'; model?: string; effort?: string; permission_mode?: PermissionMode; account?: string }
  | { type: 'condensing_wished'; what: 'compact' | 'clear'; about?: string }
  | { type: 'wish_failed'; wish: string; why: string }
  | ({ type: 'plan_proposed' } & Plan)
  | { type: 'plan_resolved'; plan_id: string; decision: PlanDecision | null }
  | { type: 'todo_updated'; items: TodoItem[] }
  | { type: 'subagent_started'; tool_call_id: string; name: string; prompt: string }
  | { type: 'subagent_finished'; tool_call_id: string; is_error: boolean }
  | ({ type: 'usage_updated' } & Usage)
  | { type: 'context_measured'; used: number; limit?: number }
  | ({ type: 'rate_limited' } & RateLimit)
  | ({ type: 'retrying' } & Retry)
  | { type: 'retry_ended' }
  | { type: 'diff_stat'; repository: string; stat: DiffStat }
  | { type: 'commit_made'; repository: string; commit: string; subject: string }
  | { type: 'repository_relinked'; repository: string; path: string }
  | ({ type: 'check_finished' } & CheckResult)
  | { type: 'winner_picked'; group_id: string; winner: string }
  | { type: 'branch_pushed'; repository: string; remote: string; branch: string; commit: string; squashed: boolean }
  | { type: 'follow_up_queued'; input_id: string; content: string; attachments?: Attachment[] }
  | { type: 'follow_up_edited'; input_id: string; content: string }
  | { type: 'follow_up_removed'; input_id: string }
  | { type: 'follow_ups_ordered'; input_ids: string[] }
  | { type: 'place_moved'; rank: number }
  | { type: 'put_aside'; up_to_seq: number }
  | { type: 'taken_up' }
  | { type: 'archived' }
  | { type: 'unarchived' }
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
  /** The call of the sub-agent that says it. */
  parent_tool_call_id?: string;
}
