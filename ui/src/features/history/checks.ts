// Checks of many journals, one after the other: how far they are, what each came to, and a way to stop.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { createStore } from 'solid-js/store';
import { api } from '../../api/client';
import { messageOf } from '../../lib/message';

/** What a check came to: findings, or why there was none. */
export type Outcome = { at: 'under' } | { at: 'done'; findings: number } | { at: 'failed'; why: string };

export interface Checks {
  of: (id: string) => Outcome | undefined;
  /** How many are read and how many were wanted, while they are. */
  under: Accessor<{ read: number; of: number } | undefined>;
  run: (ids: readonly string[]) => Promise<void>;
  stop: () => void;
  outcomes: () => { well: number; wrong: number };
}

export function createChecks(): Checks {
  const [known, setKnown] = createStore<Record<string, Outcome>>({});
  const [under, setUnder] = createSignal<{ read: number; of: number }>();
  let wanted = true;
  onCleanup(() => (wanted = false));
  const check = async (id: string): Promise<void> => {
    setKnown(id, { at: 'under' });
    const outcome = await api.checkJournal(id).then(
      ({ findings }): Outcome => ({ at: 'done', findings: findings.length }),
      (error: unknown): Outcome => ({ at: 'failed', why: messageOf(error) }),
    );
    setKnown(id, outcome);
  };
  const run = async (ids: readonly string[]): Promise<void> => {
    if (under()) return;
    wanted = true;
    for (const [nth, id] of ids.entries()) {
      if (!wanted) break;
      setUnder({ read: nth + 1, of: ids.length });
      await check(id);
    }
    setUnder(undefined);
  };
  const outcomes = (): { well: number; wrong: number } => {
    const all = Object.values(known);
    const well = all.filter((one) => one.at === 'done' && one.findings === 0).length;
    return { well, wrong: all.filter(({ at }) => at !== 'under').length - well };
  };
  return { of: (id) => known[id], under, run, stop: () => (wanted = false), outcomes };
}
