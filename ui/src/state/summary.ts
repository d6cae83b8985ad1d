// A task as lists show it: made from the whole task, and kept fresh by events between two looks at the
// server. What follows from rules (what is allowed) is never guessed here: `needsLook` says when to ask.
import type { EventType, FollowUp, JournalEvent, Task, TaskSummary } from '../api/types';
import { followUpsAfter, holdAfter } from './queue';
import type { Changes } from './rows';
import { isSilent } from './status';

/** Events after which the server is asked for the task again. */
const STRUCTURAL: ReadonlySet<EventType> = new Set<EventType>([
  'session_started', 'state_changed', 'question_asked', 'question_answered', 'approval_requested', 'approval_resolved',
  'plan_proposed', 'plan_resolved', 'turn_finished', 'run_started', 'run_ended', 'branch_claimed', 'box_created',
  'todo_updated', 'error', 'branch_pushed', 'rate_limited', 'follow_up_queued', 'follow_up_removed', 'place_moved',
  'repository_relinked', 'provider_switched', 'check_finished', 'winner_picked',
  'resume_scheduled', 'resume_cancelled', 'agent_silent', 'agent_stirred', 'agent_tuned',
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
    needs_me: isSilent(task) || ['waiting', 'asking', 'has_plan', 'crashed', 'failed'].includes(state),
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
  const base = { ...task, last_seq: event.seq, updated_at: event.ts };
  switch (event.type) {
    case 'state_changed':
      return { ...base, state: event.to, state_changed_at: event.ts };
    case 'usage_updated':
      return { ...base, usage: event };
    case 'agent_silent':
      return { ...base, silent_since: event.since_at };
    case 'agent_stirred': {
      const { silent_since: _, ...rest } = base;
      return rest;
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
  const base = { ...task, last_seq: event.seq, updated_at: event.ts, ...queueOf(task, event) };
  if (event.type === 'usage_updated') return { ...base, usage: event };
  if (event.type === 'todo_updated') return { ...base, todos: event.items };
  if (event.type === 'state_changed') return { ...base, state: event.to, state_changed_at: event.ts };
  if (event.type !== 'diff_stat') return base;
  const repositories = base.repositories.map((one) => (one.path === event.repository ? { ...one, diff: event.stat } : one));
  return { ...base, repositories };
}

function queueOf(task: Task, event: JournalEvent): { follow_ups: FollowUp[] } | Record<string, never> {
  const follow_ups = followUpsAfter(task.follow_ups ?? [], event);
  const hold = holdAfter(task.follow_ups_hold, event);
  if (follow_ups === task.follow_ups && hold === task.follow_ups_hold) return {};
  return { follow_ups, ...(hold === undefined ? { follow_ups_hold: undefined as never } : { follow_ups_hold: hold }) };
}
