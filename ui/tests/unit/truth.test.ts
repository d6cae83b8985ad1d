// What is told of tokens, limits and retries: how it follows from events, and how it is said.
import { createEffect, createRoot } from 'solid-js';
import { describe, expect, it, vi } from 'vitest';
import type { Body, JournalEvent, RateLimit, Task, TaskSummary } from '../../src/api/types';
import { limitsOf } from '../../src/features/task/Limits';
import { costText, costTitle } from '../../src/state/cost';
import { retryAfter } from '../../src/state/retry';
import { looks } from '../../src/state/status';
import { patchSummary, patchTask } from '../../src/state/summary';
import { told } from '../../src/state/told';
import { retryWords, wordOf } from '../../src/state/words';

const event = (seq: number, body: Body): JournalEvent => ({ event_id: `e${seq}`, ts: '2026-11-21T12:00:00.000Z', seq, task_id: 't', ...body });
const usage = { input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
const task = { last_seq: 1, updated_at: '', state: 'running', follow_ups: [], usage } as unknown as Task & TaskSummary;
const retrying: Body = { type: 'retrying', attempt: 2, attempts_max: 10, class: 'overload', reason: 'overloaded (529)', delay_ms: 1500 };

describe('a retry', () => {
  it('lasts until the model answers', () => {
    const retry = retryAfter(undefined, event(2, retrying));
    expect(retry).toMatchObject({ attempt: 2, attempts_max: 10, class: 'overload', next_at: '2026-11-21T12:00:01.500Z' });
    expect(retryAfter(retry, event(3, { type: 'notice', level: 'info', text: 'x' }))).toBe(retry);
    for (const over of [{ type: 'retry_ended' }, { type: 'turn_finished', outcome: 'failed' }, { type: 'assistant_message', blocks: [] }] satisfies Body[]) {
      expect(retryAfter(retry, event(3, over))).toBeUndefined();
    }
  });

  it('is what a task is shown as while it lasts', () => {
    const held = patchSummary(task, event(2, retrying));
    expect([wordOf(held), looks(held).tone]).toEqual(['trying again', 'attention']);
    const again = patchSummary(held, event(3, { type: 'retry_ended' }));
    expect([wordOf(again), looks(again).tone]).toEqual(['working', 'progress']);
  });

  it('is said with its cause and which it is', () => {
    expect(retryWords({ reason: 'x', class: 'overload', attempt: 2, attempts_max: 10 })).toBe('The provider is overloaded: trying again (attempt 2 of 10)');
    expect(retryWords({ reason: 'x' })).toBe('A request to the model failed: trying again');
  });
});

describe('figures', () => {
  it('tell how full the context is while a turn goes on', () => {
    const now = patchTask(task, event(2, { type: 'context_measured', used: 5000, limit: 200_000 }));
    expect(now.usage).toMatchObject({ context_used: 5000, context_limit: 200_000 });
    const later = patchTask(now, event(3, { type: 'context_measured', used: 9000 }));
    expect(later.usage).toMatchObject({ context_used: 9000, context_limit: 200_000 });
  });

  it('say that an estimate is one', () => {
    expect(costText({ usd: 1.5, source: 'estimated' })).toBe('≈ $1.50');
    expect(costText({ usd: 1.5, source: 'reported' })).toBe('$1.50');
  });

  it('say that a sum leaves out what has no price', () => {
    const part = { usd: 1.5, source: 'estimated', partial: true } as const;
    expect(costText(part)).toBe('≈ at least $1.50');
    expect(costTitle(part)).toContain('no price');
    expect(costText({ ...part, source: 'reported' })).toBe('at least $1.50');
  });

  it('say what was asked for only where it is something else', () => {
    expect(told('gpt-5.5', 'openai/GPT-5.5')).toEqual({ used: 'gpt-5.5' });
    expect(told('claude-sonnet-5', 'opus')).toEqual({ used: 'claude-sonnet-5', asked: 'opus' });
    expect(told(undefined, 'opus')).toEqual({ used: 'opus' });
    expect(told(undefined, undefined)).toBeUndefined();
  });
});

describe('limits', () => {
  it('are all shown in their order, without those whose time has come', () => {
    const limit = (name: string, resets_at: string, blocked = false): RateLimit => ({ name, used: 0.5, resets_at, blocked });
    const rate_limits = [limit('seven_day', '2026-11-22T00:00:00.000Z'), limit('five_hour', '2026-11-21T11:00:00.000Z'), limit('opus', '2026-11-21T11:00:00.000Z', true)];
    vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z') });
    const names = limitsOf({ ...task, rate_limits }).map((one) => one.name);
    expect(names).toEqual(['seven_day', 'opus']);
    vi.useRealTimers();
  });

  it('wake the page only when the time of one has come', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z') });
    const seen: number[] = [];
    const dispose = createRoot((end) => {
      createEffect(() => seen.push(limitsOf(task).length));
      createEffect(() => seen.push(limitsOf({ ...task, rate_limits: [{ name: 'five_hour', used: 0.5, resets_at: '2026-11-21T12:01:00.000Z', blocked: false }] }).length));
      return end;
    });
    vi.advanceTimersByTime(59_000);
    expect(seen).toEqual([0, 1]);
    vi.advanceTimersByTime(2_000);
    expect(seen).toEqual([0, 1, 0]);
    dispose();
    vi.useRealTimers();
  });
});
