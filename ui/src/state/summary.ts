// A task as lists show it: made from the whole task, and kept fresh by events between two looks at the
// server. What follows from rules (what is allowed) is never guessed here: `needsLook` says when to ask.
import type { Transition } from '../api/schema';
import type { EventType, FollowUp, JournalEvent, RetryUnderWay, Task, TaskSummary, Usage } from '../api/types';
import { followUpsAfter, holdAfter } from './queue';
import { retryAfter } from './retry';
import type { Changes } from './rows';
import { isWorking } from './status';

/** Events after which the server is asked for the task again. */
const STRUCTURAL: ReadonlySet<EventType> = new Set<EventType>([
  'session_started', 'state_changed', 'question_asked', 'question_answered', 'approval_requested', 'approval_resolved',
  'plan_proposed', 'plan_resolved', 'turn_finished', 'run_started', 'run_ended', 'branch_claimed', 'box_created',
  'todo_updated', 'error', 'branch_pushed', 'rate_limited', 'follow_up_queued', 'follow_up_removed', 'place_moved',
  'put_aside', 'taken_up', 'archived', 'unarchived', 'repository_relinked', 'provider_switched', 'check_finished', 'winner_picked',
  'resume_scheduled', 'resume_cancelled', 'agent_silent', 'agent_stirred', 'agent_tuned', 'agent_offers',
]);

export function needsLook(event: JournalEvent): boolean {
  return STRUCTURAL.has(event.type);
}

export function summaryOf(task: Task): TaskSummary {
  const { state, follow_ups: waiting, ...rest } = task;
  return {
    ...rest,
    ...(waiting && waiting.length > 0 ? { follow_ups: waiting.length } : {}),
    state,
    harness: task.spec.harness,
    ...(task.spec.origin?.task_id ? { forked_from: task.spec.origin.task_id } : {}),
    ...(task.spec.group ? { group_id: task.spec.group.group_id } : {}),
    host: task.spec.host,
    repositories: task.repositories.map(({ path, branch, base, diff }) => ({
      path,
      ...(branch === undefined ? {} : { branch }),
      ...(base === undefined ? {} : { base }),
      files: diff.files.length + (diff.more_files ?? 0),
      added: diff.added,
      removed: diff.removed,
      commits: diff.commits,
      uncommitted: diff.uncommitted,
    })),
    open_requests: task.questions.length + task.approvals.length + (task.plan ? 1 : 0),
  };
}

/** What changed in all repositories of a task together. */
export function changesOf({ repositories }: Pick<TaskSummary, 'repositories'>): Changes {
  return repositories.reduce(
    (sum, one) => ({ files: sum.files + one.files, added: sum.added + one.added, removed: sum.removed + one.removed }),
    { files: 0, added: 0, removed: 0 },
  );
}

/** The task after `event`, as far as the event alone tells; the same object where it tells nothing. */
export function patchSummary(task: TaskSummary, event: JournalEvent): TaskSummary {
  if (event.seq <= task.last_seq) return task;
  const base = { ...task, ...happened(task, event), ...retryOf(task, event) };
  switch (event.type) {
    case 'state_changed':
      // Until the server says who is needed, a task that comes to rest stays where it will be.
      return { ...base, state: event.to, state_changed_at: event.ts, needs_me: !isWorking(event.to) && (comesToRest(event.on) || task.needs_me) };
    case 'archived':
      return { ...base, archived_at: event.ts, needs_me: false };
    case 'usage_updated':
      return { ...base, usage: event };
    case 'context_measured':
      return { ...base, usage: measured(base.usage, event) };
    case 'agent_silent':
      return { ...base, silent_since: event.since_at, needs_me: true };
    case 'agent_stirred': {
      const { silent_since: _, ...rest } = base;
      return { ...rest, needs_me: false };
    }
    case 'model_selected':
      return { ...base, model: event.model };
    case 'user_message':
      return base.turn || !event.turn_id ? base : { ...base, turn: { turn_id: event.turn_id, started_at: event.ts } };
    case 'turn_finished': {
      const { turn: _, ...rest } = base;
      return { ...rest, last_outcome: event.outcome, turns: base.turns + 1 };
    }
    case 'diff_stat':
      return {
        ...base,
        repositories: base.repositories.map((one) =>
          one.path === event.repository
            ? {
                ...one,
                files: event.stat.files.length + (event.stat.more_files ?? 0),
                added: event.stat.added,
                removed: event.stat.removed,
                commits: event.stat.commits,
                uncommitted: event.stat.uncommitted,
              }
            : one,
        ),
      };
    default:
      return base;
  }
}

/** The whole task after `event`, for the figures that the page shows live. */
export function patchTask(task: Task, event: JournalEvent): Task {
  if (event.seq <= task.last_seq) return task;
  const base = { ...task, ...happened(task, event), ...queueOf(task, event), ...retryOf(task, event) };
  if (event.type === 'usage_updated') return { ...base, usage: event };
  if (event.type === 'context_measured') return { ...base, usage: measured(base.usage, event) };
  if (event.type === 'model_selected') return { ...base, model: event.model, effort: event.reasoning_effort as string };
  if (event.type === 'todo_updated') return { ...base, todos: event.items };
  if (event.type === 'state_changed') return { ...base, state: event.to, state_changed_at: event.ts };
  if (event.type !== 'diff_stat') return base;
  const repositories = base.repositories.map((one) => (one.path === event.repository ? { ...one, diff: event.stat } : one));
  return { ...base, repositories };
}

/** That a user keeps a task otherwise in their lists is nothing that happened to it. */
const MARKS: ReadonlySet<EventType> = new Set<EventType>(['put_aside', 'taken_up', 'archived', 'unarchived']);

function happened(task: { updated_at: string }, event: JournalEvent): { last_seq: number; updated_at: string } {
  return { last_seq: event.seq, updated_at: MARKS.has(event.type) ? task.updated_at : event.ts };
}

function measured(usage: Usage, { used, limit }: { used: number; limit?: number }): Usage {
  return { ...usage, context_used: used, ...(limit == null ? {} : { context_limit: limit }) };
}

function retryOf(task: { retry?: RetryUnderWay }, event: JournalEvent): { retry: RetryUnderWay } | Record<string, never> {
  const retry = retryAfter(task.retry, event);
  return retry === task.retry ? {} : { retry: retry as RetryUnderWay };
}

function comesToRest(on: Transition): boolean {
  return typeof on === 'object' || on === 'resumed' || on === 'crashed' || on === 'failed';
}

function queueOf(task: Task, event: JournalEvent): { follow_ups: FollowUp[] } | Record<string, never> {
  const follow_ups = followUpsAfter(task.follow_ups ?? [], event);
  const hold = holdAfter(task.follow_ups_hold, event);
  if (follow_ups === task.follow_ups && hold === task.follow_ups_hold) return {};
  return { follow_ups, ...(hold === undefined ? { follow_ups_hold: undefined as never } : { follow_ups_hold: hold }) };
}
