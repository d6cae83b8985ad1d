// The word for a task's state: one place, so that it is the same everywhere.
import type { TaskSummary } from '../api/types';
import { t } from '../i18n';
import { isHeldUp } from './status';

export function wordOf(task: Pick<TaskSummary, 'state' | 'last_outcome' | 'rate_limit'>): string {
  const words = t().state;
  if (isHeldUp(task)) return words.heldUp;
  if (task.state !== 'waiting') return words[task.state];
  if (task.last_outcome === 'completed') return words.waiting;
  if (task.last_outcome === 'failed') return words.waitingFailed;
  return task.last_outcome === 'interrupted' ? words.waitingInterrupted : words.waitingIdle;
}
