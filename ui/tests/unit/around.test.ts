// What is around a task: its queue, its box's figures and processes, the line of tasks, one stream for all tabs.
import { createStore, reconcile } from 'solid-js/store';
import { describe, expect, it, vi } from 'vitest';
import type { FollowUp, JournalEvent, Statistics, TaskSummary } from '../../src/api/types';
import type { Follow } from '../../src/api/stream';
import { Switchboard, type Told } from '../../src/api/switchboard';
import { sparkPath } from '../../src/components/Sparkline';
import { cpu } from '../../src/lib/format';
import { nested } from '../../src/lib/processes';
import { followUpsAfter, holdAfter, movedIds } from '../../src/state/queue';
import { HISTORY_MAX, appended } from '../../src/state/statistics';
import { looks, outOfReach } from '../../src/state/status';

const event = (body: object): JournalEvent => ({ event_id: 'e', ts: 'now', seq: 9, task_id: 't', ...body }) as JournalEvent;
const one = (input_id: string): FollowUp => ({ input_id, content: input_id.toUpperCase(), queued_at: 'then' });
const ids = (list: FollowUp[]): string => list.map((item) => item.input_id).join('');

describe('follow-ups', () => {
  const list = ['a', 'b', 'c'].map(one);
  it('are queued once, edited, ordered, removed, and gone when they are sent', () => {
    const more = followUpsAfter(list, event({ type: 'follow_up_queued', input_id: 'd', content: 'D' }));
    expect(ids(more)).toBe('abcd');
    expect(followUpsAfter(more, event({ type: 'follow_up_queued', input_id: 'd', content: 'D' }))).toBe(more);
    expect(followUpsAfter(list, event({ type: 'follow_up_edited', input_id: 'b', content: 'new' }))[1]).toMatchObject({ content: 'new', edited_at: 'now' });
    expect(ids(followUpsAfter(list, event({ type: 'follow_ups_ordered', input_ids: ['c', 'a', 'b'] })))).toBe('cab');
    expect(ids(followUpsAfter(list, event({ type: 'follow_up_removed', input_id: 'a' })))).toBe('bc');
    expect(ids(followUpsAfter(list, event({ type: 'user_message', input_id: 'b', content: 'B' })))).toBe('ac');
    expect(followUpsAfter(list, event({ type: 'user_message', input_id: 'x', content: '' }))).toBe(list);
  });
  it('are each there once in the store after they were ordered', () => {
    const [store, set] = createStore({ list: ['a', 'b', 'c'].map(one) });
    set('list', reconcile(followUpsAfter(store.list, event({ type: 'follow_ups_ordered', input_ids: ['c', 'a', 'b'] })), { merge: true }));
    expect(ids(store.list)).toBe('cab');
  });
  it('wait after a turn that did not end plainly, until somebody speaks', () => {
    expect(holdAfter(undefined, event({ type: 'turn_finished', outcome: 'failed' }))).toBe('failed');
    expect(holdAfter('failed', event({ type: 'notice' }))).toBe('failed');
    expect(holdAfter('failed', event({ type: 'user_message', input_id: 'x' }))).toBeUndefined();
    expect(holdAfter('failed', event({ type: 'turn_finished', outcome: 'completed' }))).toBeUndefined();
    expect(holdAfter(undefined, event({ type: 'run_ended' }))).toBe('run_ended');
  });
  it('are moved within their bounds', () => {
    expect(movedIds(list, 2, -1)).toEqual(['a', 'c', 'b']);
    expect(movedIds(list, 0, -1)).toBeUndefined();
    expect(movedIds(list, 2, 1)).toBeUndefined();
    expect(movedIds(list, -1, 1)).toBeUndefined();
  });
});

describe('figures of a box', () => {
  const look = (nth: number): Statistics => ({ sampled_at: new Date(nth * 5000).toISOString(), cpu_percent: nth, cpu_share: 0, memory_bytes: 1, memory_peak_bytes: 1, processes: 1 });
  it('are kept for ten minutes, each once', () => {
    let history: Statistics[] = [];
    for (let nth = 0; nth < 200; nth += 1) history = appended(appended(history, look(nth)), look(nth));
    expect(history).toHaveLength(HISTORY_MAX);
    expect(history.at(-1)?.cpu_percent).toBe(199);
  });
  it('are drawn with gaps where they are not known', () => {
    const { line, fill } = sparkPath([1, 2, undefined, 4], 4, 4);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(fill.match(/Z/g)).toHaveLength(2);
    expect(sparkPath([], 100, 60)).toEqual({ line: '', fill: '' });
    expect(sparkPath([0, 0], 0, 2).line).not.toMatch(/NaN|Infinity/);
  });
  it('say shares of processors', () => expect([cpu(0), cpu(3.14), cpu(12.4), cpu(153.2)]).toEqual(['0 %', '3.1 %', '12 %', '153 %']));
});

describe('processes', () => {
  const process = (pid: number, parent_pid: number) => ({ pid, parent_pid });
  it('stand below who began them, each once', () => {
    expect(nested([process(9, 4), process(4, 1), process(1, 0), process(5, 1)]).map(({ process: { pid }, depth }) => [pid, depth])).toEqual([[1, 0], [4, 1], [9, 2], [5, 1]]);
  });
  it('survive rings and parents that are not listed', () => {
    expect(nested([process(2, 3), process(3, 2), process(7, 99), process(8, 8)]).map(({ process: { pid } }) => pid).sort()).toEqual([2, 3, 7, 8]);
  });
});

describe('a box out of reach', () => {
  const task = (link: TaskSummary['link']): TaskSummary => ({ state: 'running', link }) as TaskSummary;
  it('is shown from the second try on', () => {
    expect(outOfReach(task({ state: 'reconnecting', since_at: 'x' }))).toBeUndefined();
    expect(outOfReach(task({ state: 'reconnecting', since_at: 'x', attempt: 1 }))).toBe('reconnecting');
    expect(outOfReach(task({ state: 'lost', since_at: 'x' }))).toBe('lost');
    expect(outOfReach(task(undefined))).toBeUndefined();
    expect(looks(task({ state: 'lost', since_at: 'x' }))).toEqual({ tone: 'attention', shape: 'ring' });
  });
});

describe('one stream for all tabs', () => {
  function board() {
    const follows: Follow[] = [];
    let end = (): void => undefined;
    const follow = vi.fn((options: Follow) => {
      follows.push(options);
      return new Promise<void>((resolve) => (end = resolve));
    });
    const tab = () => {
      const heard: Told[] = [];
      return { heard, postMessage: (told: Told) => void heard.push(told) };
    };
    return { board: new Switchboard('/events', follow), follow, follows, tab, end: () => end() };
  }

  it('is opened once, and tells a tab that joins where it stands', () => {
    const { board: switchboard, follow, follows, tab } = board();
    const [first, second] = [tab(), tab()];
    switchboard.join(first);
    follows[0]?.onState({ at: 'open' });
    switchboard.join(second);
    follows[0]?.onEvents([{ name: 'ping', data: '{}', id: undefined }]);
    expect(follow).toHaveBeenCalledTimes(1);
    expect(second.heard).toEqual([{ state: { at: 'open' } }, { events: [{ name: 'ping', data: '{}', id: undefined }] }]);
    expect(first.heard).toHaveLength(2);
  });

  it('ends with its last tab, and begins anew with the next', async () => {
    const { board: switchboard, follow, follows, tab, end } = board();
    const [first, second] = [tab(), tab()];
    switchboard.join(first);
    switchboard.join(second);
    switchboard.leave(first);
    expect(follows[0]?.signal.aborted).toBe(false);
    switchboard.leave(second);
    expect(follows[0]?.signal.aborted).toBe(true);
    switchboard.join(second);
    expect(follow).toHaveBeenCalledTimes(2);
    follows[0]?.onState({ at: 'signed_out' });
    expect(second.heard).toEqual([{ state: { at: 'connecting' } }]);
    follows[1]?.onState({ at: 'signed_out' });
    end();
    await Promise.resolve();
    switchboard.join(first);
    expect(follow).toHaveBeenCalledTimes(3);
  });
});
