// What was heard while an answer was on its way is newer than the answer.
import { afterEach, expect, it, vi } from 'vitest';
import type { Health, Task } from '../../src/api/types';
import { askHealth, health, noteHealth } from '../../src/state/health';
import { followTasks, put, refresh, reload, summary, task as whole } from '../../src/state/tasks';

const calls: { path: string; answer: (body: unknown) => void }[] = [];

/** Answers that come when a test says so. */
function answersByHand(): void {
  calls.length = 0;
  vi.stubGlobal('fetch', (path: string) => new Promise((resolve) => calls.push({ path, answer: (body) => resolve(new Response(JSON.stringify(body), { status: 200 })) })));
}
/** A machine that does much else at the same time is slow. */
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 });
/** The same, and a stream of all tasks: tells something on it, and waits until it was heard. */
function following(signal: AbortSignal): (name: string, data: object) => Promise<void> {
  answersByHand();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const ask = fetch;
  vi.stubGlobal('fetch', (path: string) => (path.endsWith('/events') ? Promise.resolve(new Response(new ReadableStream({ start: (told) => void (stream = told) }))) : ask(path)));
  followTasks(signal, true);
  let count = 0;
  const send = (name: string, data: object): void => stream?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  return async (name, data) => {
    send(name, data);
    send('health', health0(`after ${(count += 1)}`));
    await soon(() => expect(health()?.disk?.state).toBe(`after ${count}`));
  };
}
const last = (): (typeof calls)[number] => calls[calls.length - 1] as (typeof calls)[number];
const health0 = (state: string): Health => ({ loading: false, disk: { state } }) as unknown as Health;
const task = (task_id: string, last_seq: number): Task =>
  ({ task_id, last_seq, title: `at ${last_seq}`, state: 'waiting', created_at: '2026', spec: { harness: 'claude', host: 'local' }, repositories: [], questions: [], approvals: [] }) as unknown as Task;
const listed = (...tasks: Task[]): unknown => ({ items: tasks.map(({ task_id, last_seq, title }) => ({ task_id, last_seq, title, created_at: '2026', open_requests: 0, repositories: [] })) });

afterEach(() => vi.unstubAllGlobals());

it('an answer of how the server is gives way to what it told meanwhile', async () => {
  answersByHand();
  const asked = askHealth(() => {});
  noteHealth(health0('full'), () => {});
  last().answer(health0('ok'));
  await asked;
  expect(health()?.disk?.state).toBe('full');
  const again = askHealth(() => {});
  last().answer(health0('ok'));
  await again;
  expect(health()?.disk?.state).toBe('ok');
});

it('a list takes back nothing that was heard since it was asked for', async () => {
  answersByHand();
  put(task('known', 3));
  put(task('gone', 3));
  const asked = reload();
  put(task('known', 5));
  put(task('new', 1));
  last().answer(listed(task('known', 4), task('other', 1)));
  await asked;
  expect(['known', 'new', 'other', 'gone'].map((id) => summary(id)?.title)).toEqual(['at 5', 'at 1', 'at 1', undefined]);
});

it('a list that was asked for before another that is there is passed over', async () => {
  answersByHand();
  const [first, second] = [reload(), reload()];
  calls[1]!.answer(listed(task('left', 2)));
  await second;
  calls[0]!.answer(listed(task('left', 1), task('since gone', 1)));
  await first;
  expect(['left', 'since gone'].map((id) => summary(id)?.title)).toEqual(['at 2', undefined]);
});

it('a task that is asked for has what was heard on top of what was answered, and is asked for again where that tells not all', async () => {
  const stop = new AbortController();
  const tell = following(stop.signal);
  put(task('seen', 3));
  for (const id of ['seen', 'unseen']) {
    const asked = refresh(id);
    const { answer } = last();
    await tell('event', { type: 'state_changed', task_id: id, seq: 4, ts: 'now', from: 'waiting', to: 'stopped', on: 'ended' });
    await tell('link', { task_id: id, link: { state: 'lost', since_at: 'now' } });
    const before = calls.length;
    answer(task(id, 3));
    await asked;
    expect([summary(id), whole(id)]).toMatchObject([{ last_seq: 4, state: 'stopped', link: { state: 'lost' } }, { last_seq: 4, state: 'stopped', link: { state: 'lost' } }]);
    await soon(() => expect(calls.slice(before).some(({ path }) => path.endsWith(`/tasks/${id}`))).toBe(true));
  }
  stop.abort();
});

it('a task that is taken out of the archive comes with all that it may do', async () => {
  const stop = new AbortController();
  const tell = following(stop.signal);
  put({ ...task('shelved', 3), archived_at: 'then', allowed: ['unarchive'] } as Task);
  await tell('event', { type: 'unarchived', task_id: 'shelved', seq: 4, ts: 'now' });
  expect(summary('shelved')).toMatchObject({ archived_at: 'then', allowed: ['unarchive'] });
  last().answer({ ...task('shelved', 4), allowed: ['archive'] });
  await soon(() => expect(summary('shelved')?.archived_at).toBeUndefined());
  expect(summary('shelved')?.allowed).toEqual(['archive']);
  stop.abort();
});

it('a list that was asked for after all that is right, also where it tells less', async () => {
  answersByHand();
  put(task('repaired', 9));
  const asked = reload();
  last().answer(listed(task('repaired', 7)));
  await asked;
  expect(summary('repaired')?.title).toBe('at 7');
});
