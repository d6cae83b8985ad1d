// Many tasks into the archive at once: a few at a time, and one sentence for all that went wrong.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../src/api/client';
import { archive, unarchive } from '../../src/state/actions';
import { dropToast, toasts } from '../../src/state/toasts';

const tasks = Array.from({ length: 10 }, (_, nth) => ({ task_id: `t-${nth}`, title: `Task ${nth}` }));
const said = (): string[] => toasts().map((one) => one.text);

/** A server that refuses some; how many calls were under way at the same time at most. */
function server(refuses: (id: string) => boolean): { most: () => number; calls: string[] } {
  let under = 0;
  let most = 0;
  const calls: string[] = [];
  vi.spyOn(api, 'task').mockReturnValue(new Promise(() => undefined));
  vi.spyOn(api, 'setArchived').mockImplementation(async (id: string) => {
    calls.push(id);
    most = Math.max(most, (under += 1));
    await new Promise((resolve) => setTimeout(resolve));
    under -= 1;
    if (refuses(id)) throw new Error('the agent works');
    return undefined as never;
  });
  return { most: () => most, calls };
}
afterEach(() => {
  for (const one of toasts()) dropToast(one.id);
  vi.restoreAllMocks();
});

describe('many tasks', () => {
  it('go into the archive at most four at a time, and each once', async () => {
    const { most, calls } = server(() => false);
    await archive(tasks);
    expect([most(), [...calls].sort()]).toEqual([4, tasks.map((one) => one.task_id)]);
    expect(said()).toEqual(['10 tasks: in the archive']);
  });
  it('that stay are told in one sentence, on the way in and out', async () => {
    server((id) => Number(id.slice(2)) >= 7);
    await archive(tasks);
    expect(said()).toEqual(['3 of 10 tasks stay where they are: the agent works', '7 tasks: in the archive']);
    await unarchive(['t-8', 't-9', 't-1']);
    expect(said().at(-1)).toBe('2 of 3 tasks stay where they are: the agent works');
    await unarchive(['t-8']);
    expect(said().at(-1)).toBe('The agent works');
  });
});
