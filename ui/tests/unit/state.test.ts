// What lists show: groups, words, summaries kept fresh by events; the form of a new task.
import { describe, expect, it } from 'vitest';
import type { JournalEvent, StateName, Task } from '../../src/api/types';
import { EMPTY_FORM, formOf, settle, specOf, usualOf } from '../../src/features/compose/form';
import { messageOfComments } from '../../src/features/review/comments';
import { groupOf, looks, saying, sinceOf, urgency } from '../../src/state/status';
import { patchSummary, summaryOf } from '../../src/state/summary';
import { takeAll } from '../../src/state/take';
import { EMPTY } from '../../src/state/fold';

const task: Task = {
  task_id: 't', title: 'T', state: 'running', allowed: ['send'], needs_me: false, created_at: 'c', state_changed_at: 's', updated_at: 'u', last_seq: 5,
  spec: { prompt: 'p', repositories: [{ path: '/r' }], harness: 'claude', permission_mode: 'full_auto', host: 'local', box: {} },
  repositories: [{ path: '/r', branch: 'paddock-1', diff: { files: [{ path: 'a', added: 1, removed: 2 }], more_files: 3, added: 9, removed: 8, commits: 1, uncommitted: 4 } }],
  questions: [], approvals: [], plan: { plan_id: 'p', text: 'x' }, todos: [], turns: 0, tool_calls: 0,
  usage: { input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
};
const event = (seq: number, body: object): JournalEvent => ({ event_id: `e${seq}`, ts: 'now', seq, task_id: 't', ...body }) as JournalEvent;

describe('summaries', () => {
  it('count files, changes and open requests', () => {
    expect(summaryOf(task)).toMatchObject({ harness: 'claude', open_requests: 1, repositories: [{ path: '/r', files: 4, added: 9, removed: 8, commits: 1, uncommitted: 4 }] });
  });

  it('follow events and pass over those they know', () => {
    const now = summaryOf(task);
    expect(patchSummary(now, event(5, { type: 'state_changed', to: 'stopped', on: 'ended' }))).toBe(now);
    expect(patchSummary(now, event(6, { type: 'state_changed', to: 'asking', on: { rested: 'answers' } }))).toMatchObject({ state: 'asking', state_changed_at: 'now', last_seq: 6 });
    const turn = { ...now, turn: { turn_id: 'x', started_at: 'y' } };
    expect(patchSummary(turn, event(6, { type: 'turn_finished', outcome: 'failed' }))).not.toHaveProperty('turn');
  });
});

describe('states', () => {
  const group = (state: StateName, needs_me = false): string => groupOf({ state, needs_me });
  it('stand in the group of what they need, as the server says', () => {
    expect([group('asking', true), group('asking'), group('waiting', true), group('waiting'), group('running'), group('failed', true), group('failed'), group('stopped'), group('purged')]).toEqual([
      'needs_you', 'waiting', 'needs_you', 'waiting', 'working', 'needs_you', 'ended', 'waiting', 'ended',
    ]);
  });
  it('go where they will be when they come to rest, before the server has said so', () => {
    const busy = summaryOf(task);
    const rests = patchSummary(busy, event(6, { type: 'state_changed', to: 'waiting', on: { rested: 'prompt' } }));
    const aside = { ...rests, needs_me: false };
    const synced = patchSummary(patchSummary(aside, event(7, { type: 'state_changed', to: 'pulling', on: 'pull_started' })), event(8, { type: 'state_changed', to: 'waiting', on: 'synced' }));
    expect([rests, patchSummary(rests, event(7, { type: 'state_changed', to: 'running', on: 'engaged' })), synced].map(groupOf)).toEqual(['needs_you', 'working', 'waiting']);
  });
  it('are as old as what happened last, which no mark is', () => {
    const marked = patchSummary(summaryOf(task), event(6, { type: 'put_aside', up_to_seq: 5 }));
    expect([marked.updated_at, marked.last_seq]).toEqual(['u', 6]);
  });
  it('need the user while their agent is silent', () => {
    const busy = summaryOf(task);
    const silent = patchSummary(busy, event(6, { type: 'agent_silent', since_at: '2026-11-22T12:00:00Z' }));
    expect([groupOf(busy), groupOf(silent), looks(silent).tone, urgency(silent) < urgency({ state: 'waiting' })]).toEqual(['working', 'needs_you', 'attention', true]);
    expect([sinceOf(busy), sinceOf(silent)]).toEqual(['s', '2026-11-22T12:00:00Z']);
    expect(groupOf(patchSummary(silent, event(7, { type: 'agent_stirred' })))).toBe('working');
  });
  it('show a turn that failed as no success', () => {
    expect(looks({ state: 'waiting', last_outcome: 'completed' }).tone).toBe('success');
    expect(looks({ state: 'waiting', last_outcome: 'failed' }).tone).toBe('failure');
  });
  it('take messages now or later, also while it is not known yet what a new state allows', () => {
    const ways = (state: StateName, ...allowed: Task['allowed']): string => Object.entries(saying({ state, allowed })).filter(([, is]) => is).map(([way]) => way).join();
    expect([ways('running', 'send', 'queue'), ways('starting', 'queue'), ways('waiting', 'send', 'queue'), ways('failed'), ways('purging')]).toEqual(['now,later', 'later', 'now', '', '']);
    // Of before: the agent is there, and what it allowed while it started is still shown.
    expect(ways('waiting', 'queue')).toBe('now');
  });
});

describe('a new task', () => {
  const nothing = usualOf({});
  const empty = settle({ ...EMPTY_FORM, prompt: 'x' }, nothing, undefined);
  it('leaves out what was left empty', () => {
    expect(specOf(empty)).toEqual({ prompt: 'x', repositories: [], harness: 'claude', permission_mode: 'full_auto', host: 'local', box: {} });
  });
  it('asks again for what was asked for', () => {
    const spec = specOf({ ...empty, title: 't', repositories: [{ path: '/r', base: 'dev' }], harness: 'codex', model: 'm', effort: 'high', permission: 'plan', box: 'container', image: 'i', network: 'none', memory: '512', cpus: '1,5' });
    expect(spec.box).toEqual({ kind: 'container', image: 'i', network: 'none', memory_mib: 512, cpus: 1.5 });
    expect(specOf(formOf(spec))).toEqual(spec);
  });
  it('asks no container figures of a worktree', () => {
    expect(specOf({ ...empty, box: 'worktree', image: 'i', memory: '5' }).box).toEqual({ kind: 'worktree' });
  });
});

describe('review comments', () => {
  it('are one message, in the order of files and lines', () => {
    const text = messageOfComments([
      { path: 'b.rs', side: 'new', line: 2, code: ' x ', text: 'two' },
      { path: 'a.rs', side: 'old', line: 9, code: 'y', text: 'one' },
    ], 'Comments:');
    expect(text).toBe('Comments:\n\na.rs (line 9 before the change)\n`y`\none\n\nb.rs:2\n`x`\ntwo');
  });
});

describe('stream events', () => {
  it('show an event that they cannot read as it is, and the others as ever', () => {
    const broken = { name: 'event', data: JSON.stringify(event(2, { type: 'assistant_message', blocks: 7 })), id: '2' };
    const fine = (seq: number) => ({ name: 'event', data: JSON.stringify(event(seq, { type: 'notice', level: 'info', text: `n${seq}` })), id: String(seq) });
    const future = { name: 'event', data: JSON.stringify(event(3, { type: 'from_the_future' })), id: '3' };
    const now = takeAll(EMPTY, [fine(1), broken, future, fine(4)], () => undefined);
    expect(now.rows.map((row) => row.kind)).toEqual(['notice', 'error', 'other', 'notice']);
    expect(now.lastSeq).toBe(4);
  });

  const sse = (name: string, data: object) => ({ name, data: JSON.stringify(data), id: undefined });
  it('begin anew after a reset and are ready when history is told', () => {
    let ready = false;
    const said = (seq: number, content: string) => sse('event', event(seq, { type: 'assistant_message', blocks: [{ kind: 'text', content }] }));
    const now = takeAll(EMPTY, [said(1, 'a'), sse('reset', {}), said(1, 'b'), sse('delta', { kind: 'text', key: 'm', text: 'c' }), sse('ready', {}), sse('ping', {})], () => (ready = true));
    expect(now.rows.map((row) => row.kind === 'agent' && row.text)).toEqual(['b', 'c']);
    expect(ready).toBe(true);
  });
});
