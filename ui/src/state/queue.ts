// Messages for after the turn: how the journal changes them, and what the user does to them. The rules are the
// server's: the first goes out when a turn ends plainly, and all of them wait when it did not.
import { api } from '../api/client';
import type { FollowUp, Hold, JournalEvent } from '../api/types';
import { act } from './actions';

/** What is queued after `event`; the same list where it changes nothing. */
export function followUpsAfter(list: FollowUp[], event: JournalEvent): FollowUp[] {
  switch (event.type) {
    case 'follow_up_queued':
      if (list.some((one) => one.input_id === event.input_id)) return list;
      return [...list, { input_id: event.input_id, content: event.content, queued_at: event.ts }];
    case 'follow_up_edited':
      return list.map((one) => (one.input_id === event.input_id ? { ...one, content: event.content, edited_at: event.ts } : one));
    case 'follow_up_removed':
    case 'user_message':
      return list.some((one) => one.input_id === event.input_id) ? list.filter((one) => one.input_id !== event.input_id) : list;
    case 'follow_ups_ordered':
      return ordered(list, event.input_ids);
    default:
      return list;
  }
}

/** Whether, and why, the queue is on hold after `event`. */
export function holdAfter(hold: Hold | undefined, event: JournalEvent): Hold | undefined {
  if (event.type === 'user_message') return undefined;
  if (event.type === 'run_ended') return 'run_ended';
  if (event.type !== 'turn_finished') return hold;
  return event.outcome === 'completed' ? undefined : event.outcome;
}

function ordered(list: FollowUp[], ids: readonly string[]): FollowUp[] {
  const place = (one: FollowUp): number => {
    const at = ids.indexOf(one.input_id);
    return at === -1 ? ids.length : at;
  };
  // Copies: the store takes a new list in place by place, and would read what it has just written over.
  return [...list].sort((a, b) => place(a) - place(b)).map((one) => ({ ...one }));
}

/** The order of ids when the one at `from` goes `by` places; nothing where it cannot. */
export function movedIds(list: readonly FollowUp[], from: number, by: number): string[] | undefined {
  const to = from + by;
  if (from < 0 || from >= list.length || to < 0 || to >= list.length) return undefined;
  const ids = list.map((one) => one.input_id);
  const [moved] = ids.splice(from, 1);
  if (moved !== undefined) ids.splice(to, 0, moved);
  return ids;
}

export const editQueued = (task: string, input: string, text: string): Promise<boolean> => act(task, () => api.editQueued(task, input, text));
export const removeQueued = (task: string, input: string): Promise<boolean> => act(task, () => api.removeQueued(task, input));
export const orderQueue = (task: string, ids: string[]): Promise<boolean> => act(task, () => api.orderQueue(task, ids));
export const sendQueued = (task: string, input: string): Promise<boolean> => act(task, () => api.sendQueued(task, input));
