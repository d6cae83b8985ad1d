// What the user knows of: for each task the change of state that was seen, kept in this browser. A task
// whose last change was not seen is in the inbox.
import type { TaskSummary } from '../api/types';
import { createStored } from '../lib/stored';

const REMEMBERED = 500;
const [marks, setMarks] = createStored<Record<string, string>>('seen', {});

type Change = Pick<TaskSummary, 'task_id' | 'state_changed_at'>;

export function isSeen(task: Change): boolean {
  return marks()[task.task_id] === task.state_changed_at;
}

export function markSeen(task: Change): void {
  if (isSeen(task)) return;
  const entries = Object.entries({ ...marks(), [task.task_id]: task.state_changed_at });
  setMarks(Object.fromEntries(entries.slice(-REMEMBERED)));
}

export function markUnseen(task: Change): void {
  const { [task.task_id]: _, ...rest } = marks();
  setMarks(rest);
}
