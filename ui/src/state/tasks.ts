// All tasks, kept fresh: a list when the page opens and whenever the stream begins anew, events in
// between, and a second look at a task when something changed that an event alone does not tell.
import { batch, createEffect, createMemo, createRoot, createSignal, untrack } from 'solid-js';
import { createStore, produce, reconcile, unwrap } from 'solid-js/store';
import { api } from '../api/client';
import { ApiError } from '../api/error';
import { BASE } from '../api/http';
import type { ServerEvent } from '../api/sse';
import { followShared } from '../api/shared';
import type { BoxLimits, Health, JournalEvent, Link, Statistics, Task, TaskSummary } from '../api/types';
import { askHealth, noteHealth } from './health';
import { noteLink, setSignedIn } from './link';
import { GROUPS, groupOf, sinceOf, urgency, type Group } from './status';
import { loadStatistics, noteStatistics } from './statistics';
import { needsLook, patchSummary, patchTask, summaryOf } from './summary';

/** Changes that come together are looked at together. */
const LOOK_AFTER_MS = 120;
const LINE_AFTER_MS = 1500;

const [summaries, setSummaries] = createStore<Record<string, TaskSummary>>({});
const [details, setDetails] = createStore<Record<string, Task>>({});
const [loaded, setLoaded] = createSignal(false);
const [archiveState, setArchiveState] = createSignal<ArchiveState>({ at: 'unasked' });
const looks = new Map<string, ReturnType<typeof setTimeout>>();
let line: ReturnType<typeof setTimeout> | undefined;
const asking = new Map<string, { answer: Promise<boolean>; since: Heard }>();
/** When something was last heard of each task, and of the link to its box, counted by what is heard and asked. */
const heard = new Map<string, number>();
const links = new Map<string, { link: Link; at: number }>();
let moment = 0;
/** When the list was asked for that is shown. */
let listedAt = 0;

/** What was heard of a task since it was asked for. */
interface Heard {
  at: number;
  events: JournalEvent[];
}

/** Whether the archive is in the list, and why it is not. */
export type ArchiveState = { at: 'unasked' | 'asked' | 'there' } | { at: 'failed'; why: unknown };

export { archiveState, loaded };

/** A task as lists show it. */
export function summary(id: string): TaskSummary | undefined {
  return summaries[id];
}

/** A whole task, once it was looked at. */
export function task(id: string): Task | undefined {
  return details[id];
}

const known = createRoot(() => createMemo(() => Object.values(summaries).sort((a, b) => (a.created_at < b.created_at ? 1 : -1))));

/** All tasks but those in the archive, newest first. */
export const allTasks = createRoot(() => createMemo(() => known().filter((one) => one.archived_at === undefined)));

/** Those in the archive, as far as they were asked for. */
export const archivedTasks = createRoot(() => createMemo(() => known().filter((one) => one.archived_at !== undefined)));

/** Whether there was ever a task: only where the archive holds none either, everything is new. */
export const ground = createRoot(() =>
  createMemo((): 'unknown' | 'new' | 'used' => {
    if (!loaded()) return 'unknown';
    if (known().length > 0 || archiveState().at === 'failed') return 'used';
    return archiveState().at === 'there' ? 'new' : 'unknown';
  }),
);
// Where nothing is at hand, the archive tells.
createRoot(() => createEffect(() => loaded() && known().length === 0 && void untrack(askArchive)));

/** Tasks by what they need; where the user is waited for, agents that cannot go on come first, and of
    those the ones that wait longest. */
export const grouped = createRoot(() =>
  createMemo(() => {
    const groups = Object.fromEntries(GROUPS.map((group) => [group, [] as TaskSummary[]])) as Record<Group, TaskSummary[]>;
    for (const one of allTasks()) groups[groupOf(one)].push(one);
    groups.needs_you.sort((a, b) => urgency(a) - urgency(b) || (sinceOf(a) < sinceOf(b) ? -1 : 1));
    return groups;
  }),
);

/** Follows everything until `signal` aborts; `alone` where there are no other tabs to follow with. */
export function followTasks(signal: AbortSignal, alone = false): void {
  followShared({
    url: `${BASE}/events`,
    signal,
    onState: (state) => {
      noteLink(state);
      // The stream tells what comes; what is was missed while it was away.
      if (state.at !== 'open') return;
      void reload();
      void loadStatistics();
      void askHealth(() => void reload());
    },
    onEvents: take,
  }, alone);
}

/** Has the archive in the list from now on, as long as the page lives; asks again where that failed. */
export async function askArchive(): Promise<void> {
  const { at } = untrack(archiveState);
  if (at === 'asked' || at === 'there') return;
  setArchiveState({ at: 'asked' });
  await reload();
}

/** Shows a task as it will be once the server has heard of it. */
export function expect(id: string, now: Partial<Pick<TaskSummary, 'needs_me' | 'archived_at'>>): void {
  if (summaries[id]) setSummaries(id, now);
}

/** Reads the list anew; what is heard of a task while the answer is on its way is newer than that. */
export async function reload(): Promise<void> {
  try {
    const asked = (moment += 1);
    const atHand = await api.tasks();
    const archive = untrack(archiveState).at === 'unasked' ? undefined : await readArchive();
    // A list that was asked for later is there.
    if (asked < listedAt) return;
    listedAt = asked;
    const list = [...(archive?.tasks ?? []), ...atHand].map((one) => linked(one, asked));
    batch(() => {
      if (archive) setArchiveState(archive.state);
      setSummaries(reconcile({ ...Object.fromEntries(list.map((one) => [one.task_id, one])), ...newerThan(list, asked) }));
      setLoaded(true);
    });
    for (const one of list) if (one.open_requests > 0) look(one.task_id);
    for (const id of Object.keys(details)) look(id);
  } catch (error) {
    if (untrack(archiveState).at === 'asked') setArchiveState({ at: 'failed', why: error });
    if (error instanceof ApiError && error.code === 'unauthenticated') setSignedIn(false);
    // Anything else: the stream tries again, and the list with it.
  }
}

/** The tasks of which more was heard since the list was asked for than it tells, as they are known. */
function newerThan(list: TaskSummary[], asked: number): Record<string, TaskSummary> {
  const listed = new Map(list.map((one) => [one.task_id, one.last_seq]));
  const since = Object.values(unwrap(summaries)).filter((one) => (heard.get(one.task_id) ?? 0) > asked);
  return Object.fromEntries(since.filter((one) => one.last_seq > (listed.get(one.task_id) ?? 0)).map((one) => [one.task_id, one]));
}

/** The archive; what is known of it where it cannot be read. */
async function readArchive(): Promise<{ tasks: TaskSummary[]; state: ArchiveState }> {
  try {
    return { tasks: await api.archive(), state: { at: 'there' } };
  } catch (why) {
    return { tasks: untrack(archivedTasks), state: { at: 'failed', why } };
  }
}

function take(events: ServerEvent[]): void {
  batch(() => {
    for (const event of events) {
      if (event.name === 'reset') void reload();
      else if (event.name === 'event') takeEvent(JSON.parse(event.data) as JournalEvent);
      else takeFrame(event);
    }
  });
}

/** What is told beside the journal: the link to a box, what it uses, how the server is. A task's own stream
    tells the first two as well; taking them here alone takes each once. */
function takeFrame({ name, data }: ServerEvent): void {
  if (name === 'statistics') noteStatistics(JSON.parse(data) as Statistics & { task_id: string; limits?: BoxLimits });
  else if (name === 'health') noteHealth(JSON.parse(data) as Health, () => void reload());
  else if (name === 'link') {
    const { task_id: id, link } = JSON.parse(data) as { task_id: string; link: Link };
    links.set(id, { link, at: (moment += 1) });
    if (summaries[id]) setSummaries(id, 'link', reconcile(link));
    if (details[id]) setDetails(id, 'link', reconcile(link));
  }
}

function takeEvent(event: JournalEvent): void {
  const id = event.task_id;
  hear(id);
  asking.get(id)?.since.events.push(event);
  const before = summaries[id];
  const whole = details[id];
  try {
    if (before) setSummaries(id, reconcile(patchSummary(before, event), { merge: true }));
    if (whole) setDetails(id, reconcile(patchTask(whole, event), { merge: true }));
  } catch {
    // An event of a shape that this client does not know: the server's own view says what came of it.
    return look(id);
  }
  // A task comes out of the archive with all that it may do by then.
  if (event.type === 'unarchived') void refresh(id);
  else if (!before || needsLook(event)) look(id);
  if (event.type === 'state_changed') looksAtLine();
}

function hear(id: string): void {
  heard.set(id, (moment += 1));
}

/** Where pending tasks stand in their line changes with what others do: the list tells it. */
function looksAtLine(): void {
  if (line !== undefined || !Object.values(summaries).some((one) => one.state === 'pending')) return;
  line = setTimeout(() => {
    line = undefined;
    void reload();
  }, LINE_AFTER_MS);
}

/** Asks for the whole task, soon and once. */
export function look(id: string): void {
  if (looks.has(id)) return;
  looks.set(
    id,
    setTimeout(() => {
      looks.delete(id);
      void refresh(id);
    }, LOOK_AFTER_MS),
  );
}

/** Asks for the whole task now; whether it is there. Who asks while an answer is on its way gets that. */
export function refresh(id: string): Promise<boolean> {
  const under = asking.get(id);
  if (under) return under.answer;
  const since: Heard = { at: (moment += 1), events: [] };
  const answer = askFor(id, since).finally(() => asking.delete(id));
  asking.set(id, { answer, since });
  return answer;
}

async function askFor(id: string, since: Heard): Promise<boolean> {
  try {
    takeIn(await api.task(id), since);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') return true;
    setSummaries(produce((all) => delete all[id]));
    setDetails(produce((all) => delete all[id]));
    return false;
  }
}

/** Takes in a task as a command was answered; an older one than is known is passed over. */
export function put(fresh: Task): void {
  const known = details[fresh.task_id];
  if (known && known.last_seq > fresh.last_seq) return look(fresh.task_id);
  takeIn(fresh, { at: 0, events: [] });
}

/** Takes in a task as the server told it, and what was heard since it was asked on top of that. */
function takeIn(answer: Task, { at, events }: Heard): void {
  const id = answer.task_id;
  const fresh = linked(answer, at);
  const place = fresh.state === 'pending' ? summaries[id]?.place : undefined;
  hear(id);
  batch(() => {
    setDetails(id, reconcile(after(fresh, events, patchTask), { merge: true }));
    setSummaries(id, reconcile(after({ ...summaryOf(fresh), ...(place ? { place } : {}) }, events, patchSummary), { merge: true }));
  });
  if (events.some((event) => event.seq > fresh.last_seq && needsLook(event))) look(id);
}

/** A task after `events`; as it was where this client does not know the shape of one. */
function after<T>(task: T, events: readonly JournalEvent[], patch: (task: T, event: JournalEvent) => T): T {
  try {
    return events.reduce(patch, task);
  } catch {
    return task;
  }
}

/** A task that was asked for at `asked`, with the link to its box as it was told since. */
function linked<T extends { task_id: string; link?: Link }>(task: T, asked: number): T {
  const told = links.get(task.task_id);
  return told && told.at > asked ? { ...task, link: told.link } : task;
}
