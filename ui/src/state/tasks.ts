// All tasks, kept fresh: a list when the page opens and whenever the stream begins anew, events in
// between, and a second look at a task when something changed that an event alone does not tell.
import { batch, createMemo, createRoot, createSignal } from 'solid-js';
import { createStore, produce, reconcile } from 'solid-js/store';
import { api } from '../api/client';
import { ApiError } from '../api/error';
import { BASE } from '../api/http';
import type { ServerEvent } from '../api/sse';
import { followShared } from '../api/shared';
import type { BoxLimits, Health, JournalEvent, Link, Statistics, Task, TaskSummary } from '../api/types';
import { askHealth, noteHealth } from './health';
import { noteLink, setSignedIn } from './link';
import { isSeen } from './seen';
import { GROUPS, groupOf, sinceOf, urgency, type Group } from './status';
import { loadStatistics, noteStatistics } from './statistics';
import { needsLook, patchSummary, patchTask, summaryOf } from './summary';

/** Changes that come together are looked at together. */
const LOOK_AFTER_MS = 120;
const LINE_AFTER_MS = 1500;

const [summaries, setSummaries] = createStore<Record<string, TaskSummary>>({});
const [details, setDetails] = createStore<Record<string, Task>>({});
const [loaded, setLoaded] = createSignal(false);
const looks = new Map<string, ReturnType<typeof setTimeout>>();
let line: ReturnType<typeof setTimeout> | undefined;
const asking = new Map<string, Promise<boolean>>();

export { loaded };

/** A task as lists show it. */
export function summary(id: string): TaskSummary | undefined {
  return summaries[id];
}

/** A whole task, once it was looked at. */
export function task(id: string): Task | undefined {
  return details[id];
}

/** All tasks, newest first. */
export const allTasks = createRoot(() =>
  createMemo(() => Object.values(summaries).sort((a, b) => (a.created_at < b.created_at ? 1 : -1))),
);

/** Tasks by what they need; where the user is waited for, agents that cannot go on come first, and of
    those the ones that wait longest. */
export const grouped = createRoot(() =>
  createMemo(() => {
    const groups = Object.fromEntries(GROUPS.map((group) => [group, [] as TaskSummary[]])) as Record<Group, TaskSummary[]>;
    for (const one of allTasks()) groups[groupOf(one, isSeen(one))].push(one);
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

/** Reads the list anew. */
export async function reload(): Promise<void> {
  try {
    const list = await api.tasks();
    setSummaries(reconcile(Object.fromEntries(list.map((one) => [one.task_id, one]))));
    setLoaded(true);
    for (const one of list) if (one.open_requests > 0 || details[one.task_id]) look(one.task_id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') setSignedIn(false);
    // Anything else: the stream tries again, and the list with it.
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
    if (summaries[id]) setSummaries(id, 'link', reconcile(link));
    if (details[id]) setDetails(id, 'link', reconcile(link));
  }
}

function takeEvent(event: JournalEvent): void {
  const id = event.task_id;
  const known = summaries[id];
  const whole = details[id];
  try {
    if (known) setSummaries(id, reconcile(patchSummary(known, event), { merge: true }));
    if (whole) setDetails(id, reconcile(patchTask(whole, event), { merge: true }));
  } catch {
    // An event of a shape that this client does not know: the server's own view says what came of it.
    return look(id);
  }
  if (!known || needsLook(event)) look(id);
  if (event.type === 'state_changed') looksAtLine();
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
  const asked = asking.get(id);
  if (asked) return asked;
  const answer = askFor(id).finally(() => asking.delete(id));
  asking.set(id, answer);
  return answer;
}

async function askFor(id: string): Promise<boolean> {
  try {
    put(await api.task(id));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') return true;
    setSummaries(produce((all) => delete all[id]));
    setDetails(produce((all) => delete all[id]));
    return false;
  }
}

/** Takes in a task as the server told it; an older one than is known is passed over. */
export function put(fresh: Task): void {
  const known = details[fresh.task_id];
  if (known && known.last_seq > fresh.last_seq) return look(fresh.task_id);
  batch(() => {
    setDetails(fresh.task_id, reconcile(fresh, { merge: true }));
    const place = fresh.state === 'pending' ? summaries[fresh.task_id]?.place : undefined;
    setSummaries(fresh.task_id, reconcile({ ...summaryOf(fresh), ...(place ? { place } : {}) }, { merge: true }));
  });
}
