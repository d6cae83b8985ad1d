// What each harness can do is asked for until it is known.
import { createEffect, createRoot } from 'solid-js';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../src/api/client';
import type { HarnessView } from '../../src/api/types';
import { harnessOf } from '../../src/state/harnesses';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('is asked for again, ever less often, while nobody answers', async () => {
  vi.useFakeTimers();
  const ask = vi.spyOn(api, 'harnesses').mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away')).mockResolvedValue([{ name: 'pi' } as HarnessView]);
  const seen: (string | undefined)[] = [];
  const end = createRoot((dispose) => {
    createEffect(() => seen.push(harnessOf('pi')?.name));
    return dispose;
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect([ask.mock.calls.length, seen]).toEqual([2, [undefined]]);
  await vi.advanceTimersByTimeAsync(1999);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect([ask.mock.calls.length, seen]).toEqual([3, [undefined, 'pi']]);
  end();
});
