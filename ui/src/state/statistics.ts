// What boxes use: the latest look at each, and a short history of those that were looked at closely. Comes over
// the stream of all tasks; who shows a history asks for what was before.
import { createStore } from 'solid-js/store';
import { api } from '../api/client';
import type { BoxLimits, Statistics, TaskStatistics } from '../api/types';
import { within } from '../lib/clock';

/** Looks that are kept of one box: ten minutes. */
export const HISTORY_MAX = 120;
/** After this long without a look a box is not running any more, or not reached. */
export const FRESH_MS = 20_000;

export interface BoxUse {
  latest: Statistics;
  limits?: BoxLimits;
  history: Statistics[];
}

const [uses, setUses] = createStore<Record<string, BoxUse>>({});

/** What is known of a task's box; nothing before the first look. */
export function useOf(task: string): BoxUse | undefined {
  return uses[task];
}

/** The latest look, where it is of now. */
export function freshUse(task: string): Statistics | undefined {
  const latest = uses[task]?.latest;
  return latest && within(latest.sampled_at, FRESH_MS) ? latest : undefined;
}

/** Takes in one look, as the stream tells it. */
export function noteStatistics({ task_id, limits, ...latest }: Statistics & { task_id: string; limits?: BoxLimits }): void {
  const known = uses[task_id];
  const history = appended(known?.history ?? [], latest);
  const now = limits ?? known?.limits;
  setUses(task_id, { latest, history, ...(now ? { limits: now } : {}) });
}

/** A history with one more look; one that it has already changes nothing. */
export function appended(history: Statistics[], next: Statistics): Statistics[] {
  const last = history[history.length - 1];
  if (last && last.sampled_at >= next.sampled_at) return history;
  return [...history, next].slice(-HISTORY_MAX);
}

function take({ task_id, latest, limits, history }: TaskStatistics): void {
  if (!latest) return;
  const known = uses[task_id];
  // The stream may have told of a later look while this answer was on its way.
  const all = (known?.history ?? []).reduce(appended, history ?? (known ? [] : [latest]));
  const newest = known && known.latest.sampled_at > latest.sampled_at ? known.latest : latest;
  setUses(task_id, { latest: newest, history: all, ...(limits ? { limits } : {}) });
}

/** Asks for the latest look at every box. A server without statistics has none. */
export async function loadStatistics(): Promise<void> {
  const all = await api.allStatistics().catch(() => []);
  for (const one of all) take(one);
}

/** Asks for the history of one box. */
export async function loadHistory(task: string): Promise<void> {
  const one = await api.statistics(task).catch(() => undefined);
  if (one) take(one);
}
