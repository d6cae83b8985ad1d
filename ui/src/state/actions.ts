// What a user does to a task, said in words: each call tells what it does, and what went wrong.
import { api } from '../api/client';
import type { TaskSummary } from '../api/types';
import { t } from '../i18n';
import { firstLine } from '../lib/format';
import { causeOf, messageOf, sentences } from '../lib/message';
import { toast, toastFailure } from './toasts';
import { expect, look, reload } from './tasks';

/** Tasks that go into the archive, or out of it, at the same time. */
const SHELVED_AT_ONCE = 4;

/** Does something, says `done`, and says what went wrong; whether it went well. */
export async function act(task: string, work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done) toast(done);
    return true;
  } catch (error) {
    toastFailure(messageOf(error));
    return false;
  } finally {
    look(task);
  }
}

export const interrupt = (id: string): Promise<boolean> => act(id, () => api.interrupt(id), t().task.interrupted);
export const stop = (id: string): Promise<boolean> => act(id, () => api.stop(id), t().task.stopping);
export const revive = (id: string): Promise<boolean> => act(id, () => api.revive(id), t().task.reviving);
export const restore = (id: string): Promise<boolean> => act(id, () => api.restore(id), t().task.restored);

export const restart = (id: string): Promise<boolean> => act(id, () => api.restart(id), t().policy.silent.restarted);
export const compact = (id: string, about: string): Promise<boolean> => act(id, () => api.compact(id, about), t().policy.tune.compacted);
export const clear = (id: string): Promise<boolean> => act(id, () => api.clear(id), t().policy.tune.cleared);
export const resumeOnLimit = (id: string, resume: boolean): Promise<boolean> => act(id, () => api.resumeOnLimit(id, resume));

/** Puts aside what a task calls for, as far as the user knows of it; a word takes it up again. */
export async function putAside(one: Pick<TaskSummary, 'task_id' | 'title' | 'last_seq'>): Promise<void> {
  const { task_id: id, title, last_seq } = one;
  expect(id, { needs_me: false });
  if (!(await act(id, () => api.putAside(id, { up_to_seq: last_seq })))) return;
  toast(`${firstLine(title, 60)}: ${t().home.aside.done}`, { label: t().app.undo, run: () => void takeUp(id) });
}

export const takeUp = (id: string): Promise<boolean> => act(id, () => api.putAside(id, { aside: false }));

/** What is looked at is seen. What comes of it is told by the stream; where it is not heard, the next look says it again. */
export function see(one: Pick<TaskSummary, 'task_id' | 'last_seq'>): void {
  api.putAside(one.task_id, { up_to_seq: one.last_seq, seen: true }).catch(() => undefined);
}

/** Puts tasks into the archive; a word takes out again those that went in. */
export async function archive(tasks: readonly Pick<TaskSummary, 'task_id' | 'title'>[]): Promise<void> {
  const now = new Date().toISOString();
  for (const one of tasks) expect(one.task_id, { archived_at: now });
  const inside = await shelve(tasks.map((one) => one.task_id), true);
  if (inside.length === 0) return;
  const what = inside.length === 1 ? firstLine(tasks.find((one) => one.task_id === inside[0])?.title ?? '', 60) : t().tasks.count(inside.length);
  toast(`${what}: ${t().home.archive.done}`, { label: t().app.undo, run: () => void unarchive(inside) });
}

export async function unarchive(ids: readonly string[]): Promise<void> {
  await shelve(ids, false);
}

/** Puts tasks into the archive or takes them out, a few at once; those that went. What went wrong is said once for all. */
async function shelve(ids: readonly string[], archived: boolean): Promise<string[]> {
  const left = ids.values();
  const went: string[] = [];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (const id of left) {
      try {
        await api.setArchived(id, archived);
        went.push(id);
      } catch (error) {
        problems.push(causeOf(error));
      }
      look(id);
    }
  };
  await Promise.all(Array.from({ length: SHELVED_AT_ONCE }, work));
  const [first] = problems;
  if (first !== undefined) toastFailure(ids.length === 1 ? sentences(first) : t().home.archive.refused(problems.length, ids.length, first));
  return went;
}

/** Moves a task that waits to an end of its host's line. */
export async function moveInLine(id: string, to: 'front' | 'back'): Promise<void> {
  if (await act(id, () => api.move(id, to), t().box.place.moved)) await reload();
}

/** Marks a task for removal; a word brings it back. */
export async function purge(id: string, force: boolean): Promise<boolean> {
  if (!(await act(id, () => api.purge(id, force)))) return false;
  toast(t().task.purged, { label: t().app.undo, run: () => void restore(id) });
  return true;
}
