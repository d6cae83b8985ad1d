// The clock of the page: it goes off when words stop being true, and never for nobody.
import { createEffect, createRoot } from 'solid-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { now, since, startClock, within } from '../../src/lib/clock';

const START = Date.parse('2026-01-01T12:00:00.250Z');
const ago = (ms: number): string => new Date(START - ms).toISOString();
let visibility: DocumentVisibilityState = 'visible';
let dispose = (): void => undefined;

/** Reads with `read` as a component does; gives what it was told, one after the other. */
function reading<T>(read: () => T): T[] {
  const told: T[] = [];
  createRoot((end) => {
    const before = dispose;
    dispose = () => (before(), end());
    createEffect(() => void told.push(read()));
  });
  return told;
}

function see(state: DocumentVisibilityState): void {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

startClock();
beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  dispose();
  dispose = () => undefined;
  see('hidden');
  see('visible');
  vi.useRealTimers();
});

describe('the clock', () => {
  it('tells the time at every full second while somebody reads it', () => {
    const told = reading(now);
    vi.advanceTimersByTime(2000);
    expect(told).toEqual([START, START + 750, START + 1750]);
  });

  it('rests when nobody reads it any more', () => {
    reading(now);
    vi.advanceTimersByTime(1000);
    dispose();
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has no timer for who only asks once', () => {
    expect([now(), since(ago(5)), within(ago(5), 10)]).toEqual([START, 5, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([['a minute', 30_000, 30_000], ['an hour', 3_600_000 * 2 + 1000, 3_599_000], ['a day', 86_400_000 * 20, 86_400_000]])('tells an age anew when another word is due, within %s', (_, age, left) => {
    const told = reading(() => since(ago(age)));
    vi.advanceTimersByTime(left - 1);
    expect(told).toEqual([age]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([age, age + left]);
  });

  it('goes off for the one who is due first', () => {
    const slow = reading(() => since(ago(30_000)));
    const fast = reading(now);
    vi.advanceTimersByTime(750);
    expect([slow.length, fast.length]).toEqual([2, 2]);
  });

  it('tells once that something is not within its time any more, and rests then', () => {
    const told = reading(() => within(ago(4000), 5000));
    vi.advanceTimersByTime(1000);
    expect([told, vi.getTimerCount()]).toEqual([[true, false], 0]);
  });

  it('stands still while the page is hidden, and is right when it is seen again', () => {
    const told = reading(now);
    see('hidden');
    vi.advanceTimersByTime(60_000);
    expect([told, vi.getTimerCount()]).toEqual([[START], 0]);
    see('visible');
    expect(told).toEqual([START, START + 60_000]);
    vi.advanceTimersByTime(750);
    expect(told).toHaveLength(3);
  });
});
