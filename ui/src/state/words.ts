// The word for a task's state: one place, so that it is the same everywhere.
import type { Retry } from '../api/types';
import { locale, t } from '../i18n';
import { clockTime } from '../lib/format';
import { isHeldUp, isRetrying, isSilent, outOfReach, type Shown } from './status';

export function wordOf(task: Shown): string {
  const away = outOfReach(task);
  if (away) return t().box.link[away];
  const words = t().state;
  if (isSilent(task)) return words.silent;
  if (isHeldUp(task)) return words.heldUp;
  if (isRetrying(task)) return words.retrying;
  if (task.state !== 'waiting') return words[task.state];
  if (task.last_outcome === 'completed') return words.waiting;
  if (task.last_outcome === 'failed') return words.waitingFailed;
  return task.last_outcome === 'interrupted' ? words.waitingInterrupted : words.waitingIdle;
}

/** A failed request that is made again: what failed, which attempt it is, when the next comes. */
export function retryWords(retry: Retry & { next_at?: string }): string {
  const words = t().task.retry;
  const { class: kind, attempt, attempts_max: max } = retry;
  const failed = kind === 'quota' || kind === 'overload' || kind === 'network' || kind === 'auth' ? words.failed[kind] : words.failed.other;
  const nth = attempt == null ? undefined : max == null ? words.attempt(attempt) : words.attemptOf(attempt, max);
  const next = retry.next_at === undefined ? '' : ` ${words.next(clockTime(retry.next_at, locale()))}`;
  return `${failed}: ${words.again}${next}${nth === undefined ? '' : ` (${nth})`}`;
}
