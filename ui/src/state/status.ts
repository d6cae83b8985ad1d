// How a task's state is shown, the same everywhere: a group, a tone, a shape. Words are in i18n.
import type { DiffStat, StateName, Task, TaskSummary } from '../api/types';

export type Group = 'needs_you' | 'working' | 'waiting' | 'ended';
export type Tone = 'attention' | 'failure' | 'success' | 'progress' | 'quiet';
export type Shape = 'full' | 'half' | 'ring' | 'check' | 'cross' | 'dash';

export const GROUPS: readonly Group[] = ['needs_you', 'working', 'waiting', 'ended'];

const LOOKS: Record<StateName, { tone: Tone; shape: Shape }> = {
  pending: { tone: 'quiet', shape: 'dash' },
  branching: { tone: 'progress', shape: 'half' },
  provisioning: { tone: 'progress', shape: 'half' },
  starting: { tone: 'progress', shape: 'half' },
  running: { tone: 'progress', shape: 'half' },
  waiting: { tone: 'success', shape: 'check' },
  asking: { tone: 'attention', shape: 'full' },
  has_plan: { tone: 'attention', shape: 'full' },
  pulling: { tone: 'progress', shape: 'half' },
  pushing: { tone: 'progress', shape: 'half' },
  stopping: { tone: 'quiet', shape: 'half' },
  stopped: { tone: 'quiet', shape: 'ring' },
  crashed: { tone: 'failure', shape: 'cross' },
  purging: { tone: 'quiet', shape: 'dash' },
  failed: { tone: 'failure', shape: 'cross' },
  purged: { tone: 'quiet', shape: 'dash' },
};

/** What of a task says how it is shown. */
export type Shown = Pick<TaskSummary, 'state' | 'last_outcome' | 'rate_limit' | 'retry' | 'link' | 'silent_since'>;

/** Tone and shape of a task: a turn that ended badly is no success, one that is held up no progress. */
export function looks(task: Shown): { tone: Tone; shape: Shape } {
  const away = outOfReach(task);
  if (away) return { tone: away === 'lost' ? 'attention' : 'quiet', shape: 'ring' };
  if (isSilent(task)) return { tone: 'attention', shape: 'half' };
  if (isHeldUp(task) || isRetrying(task)) return { tone: 'attention', shape: 'half' };
  if (task.state !== 'waiting') return LOOKS[task.state];
  if (task.last_outcome === 'failed') return { tone: 'failure', shape: 'cross' };
  if (task.last_outcome === 'completed') return LOOKS.waiting;
  return { tone: 'quiet', shape: 'ring' };
}

/** Whether the box of a task that is not over is not reached; a first try that fails is no news. */
export function outOfReach(task: Pick<TaskSummary, 'state' | 'link'>): 'reconnecting' | 'lost' | undefined {
  const { link } = task;
  if (link?.state === 'lost') return 'lost';
  return link?.state === 'reconnecting' && (link.attempt ?? 0) > 0 ? 'reconnecting' : undefined;
}

/** Whether a limit of the provider holds the agent up. */
export function isHeldUp(task: Pick<TaskSummary, 'state' | 'rate_limit'>): boolean {
  return task.state === 'running' && task.rate_limit?.blocked === true;
}

/** Whether a request to the model failed and is made again just now. */
export function isRetrying(task: Pick<TaskSummary, 'state' | 'retry'>): boolean {
  return task.state === 'running' && task.retry != null;
}

/** Whether an agent with work to do gives no sign of life. */
export function isSilent(task: Pick<TaskSummary, 'state' | 'silent_since'>): boolean {
  return task.silent_since != null && isWorking(task.state);
}

/** Since when a task is as it is shown. */
export function sinceOf(task: Pick<TaskSummary, 'state' | 'silent_since' | 'state_changed_at'>): string {
  return (isSilent(task) ? task.silent_since : undefined) ?? task.state_changed_at;
}

/** Where a task stands in lists: whether the user is needed is for the server to say. */
export function groupOf(task: Pick<TaskSummary, 'state' | 'needs_me'>): Group {
  if (task.needs_me) return 'needs_you';
  switch (task.state) {
    case 'asking':
    case 'has_plan':
    case 'crashed':
    case 'waiting':
    case 'stopped':
      return 'waiting';
    case 'pending':
    case 'branching':
    case 'provisioning':
    case 'starting':
    case 'running':
    case 'pulling':
    case 'pushing':
    case 'stopping':
      return 'working';
    case 'failed':
    case 'purging':
    case 'purged':
      return 'ended';
  }
}

/** Whether an agent works, so that time is worth showing. */
export function isWorking(state: StateName): boolean {
  return groupOf({ state, needs_me: false }) === 'working';
}

/** Whether a message can be sent now, and whether it can wait until a turn is over. A state comes with its event and
    what it allows a look later: where nothing works, what may wait may be sent by then. A field that closed in
    between would lose the focus, and what is typed on would be taken for commands. */
export function saying({ state, allowed }: Pick<Task, 'state' | 'allowed'>): { now: boolean; later: boolean } {
  const queues = allowed.includes('queue');
  return { now: allowed.includes('send') || (queues && !isWorking(state)), later: queues && isWorking(state) };
}

/** Whether it is known what of the changes is in commits: while a turn is under way only lines are counted. */
export function isCounted({ turn }: Pick<Task, 'turn'>, diff: DiffStat): boolean {
  return turn === undefined || diff.files.length === 0;
}

/** How badly the user is waited for: 0 an agent that cannot go on, 1 one that broke or hangs, 2 one that is done. */
export function urgency(task: Pick<TaskSummary, 'state' | 'silent_since'>): number {
  if (task.state === 'asking' || task.state === 'has_plan') return 0;
  return task.state === 'crashed' || task.state === 'failed' || isSilent(task) ? 1 : 2;
}
