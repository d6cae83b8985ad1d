// What a user does to a task, said in words: each call tells what it does, and what went wrong.
import { api } from '../api/client';
import { t } from '../i18n';
import { messageOf } from '../lib/message';
import { toast, toastFailure } from './toasts';
import { look, reload } from './tasks';

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
