// Tasks that go on otherwise, groups of tasks, and files that go with words.
import type { TaskSpec, TaskSummary } from './task';

/** A file that goes with a message, as its upload said. */
export interface Attachment {
  sha256: string;
  name: string;
  media_type: string;
  size: number;
}

/** What runs one task of a group. */
export interface Contender {
  harness: string;
  harness_version?: string;
  model?: string;
  effort?: string;
}

export interface TaskGroup {
  group_id: string;
  check?: string;
}

export interface OriginSession {
  session_id: string;
  archive: string;
}

/** Where a task came from that was not begun from nothing. */
export interface Origin {
  kind: 'fork' | 'session';
  task_id?: string;
  seq?: number;
  session?: OriginSession;
  brief?: string;
  files?: { repository: string; commit: string }[];
}

export interface TaskRef {
  task_id: string;
  title: string;
}

export interface CheckResult {
  command: string;
  exit_code?: number;
  duration_ms: number;
  output: string;
  finished_at?: string;
}

export interface ForkRequest {
  prompt: string;
  attachments?: Attachment[];
  title?: string;
  uncommitted?: boolean;
  with?: Contender;
  request_key?: string;
}

export interface HandOffRequest {
  to: Contender;
  reason?: string;
}

export interface GroupRequest {
  task: TaskSpec;
  also: Contender[];
  check?: string;
}

export interface GroupMember {
  task: TaskSummary;
  harness: string;
  requested_model?: string;
  requested_effort?: string;
  worked_ms: number;
  tool_calls: number;
  check?: CheckResult;
}

/** One prompt on several agents, side by side. */
export interface GroupView {
  group_id: string;
  title: string;
  check?: string;
  created_at: string;
  winner?: string;
  members: GroupMember[];
}

export interface GroupChecks {
  items: { task_id: string; result?: CheckResult; error?: string }[];
}
