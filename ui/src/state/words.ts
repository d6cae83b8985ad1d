// The word for a task's state: one place, so that it is the same everywhere.
import { t } from '../i18n';
import { isHeldUp, isSilent, outOfReach, type Shown } from './status';

export function wordOf(task: Shown): string {
  const away = outOfReach(task);
  if (away) return t().box.link[away];
  const words = t().state;
  if (isSilent(task)) return words.silent;
  if (isHeldUp(task)) return words.heldUp;
  if (task.state !== 'waiting') return words[task.state];
  if (task.last_outcome === 'completed') return words.waiting;
  if (task.last_outcome === 'failed') return words.waitingFailed;
  return task.last_outcome === 'interrupted' ? words.waitingInterrupted : words.waitingIdle;
}
