// Transcripts of the tasks that are or were open: each follows its own stream while it is shown, and the
// last few are kept, so that going back to one is instant and costs only what happened since.
import { createSignal, type Accessor } from 'solid-js';
import { BASE, taskPath } from '../api/client';
import type { ServerEvent } from '../api/sse';
import { follow, type LinkState } from '../api/stream';
import type { Delta, JournalEvent } from '../api/types';
import { EMPTY, dropLive, fold, foldDeltas, type Transcript } from './fold';

const KEPT = 6;
/** How long a hidden page keeps its connection. */
const HIDDEN_MS = 30_000;

export interface OpenTranscript {
  transcript: Accessor<Transcript>;
  /** History is complete. */
  ready: Accessor<boolean>;
  link: Accessor<LinkState>;
  /** Lets go of the stream; the transcript is kept for a while. */
  close: () => void;
}

interface Kept {
  transcript: Transcript;
  ready: boolean;
}

const kept = new Map<string, Kept>();

export function openTranscript(id: string): OpenTranscript {
  const before = kept.get(id);
  const [transcript, setTranscript] = createSignal<Transcript>(before?.transcript ?? EMPTY);
  const [ready, setReady] = createSignal(before?.ready ?? false);
  const [link, setLink] = createSignal<LinkState>({ at: 'connecting' });
  // Folded ahead of what is shown: history is shown at once when it is complete, not as it pours in.
  let now = transcript();
  let due = false;

  const show = (): void => {
    due = false;
    if (ready()) setTranscript(now);
  };
  const soon = (): void => {
    if (due) return;
    due = true;
    if (document.visibilityState === 'hidden') setTimeout(show, 250);
    else requestAnimationFrame(show);
  };
  const take = (events: ServerEvent[]): void => {
    const done = (): void => void setReady(true);
    now = takeAll(now, events, done);
    soon();
  };
  const connect = (signal: AbortSignal): void => {
    void follow({
      url: `${BASE}${taskPath(id, '/events')}`,
      ...(now.lastSeq > 0 ? { cursor: String(now.lastSeq) } : {}),
      signal,
      onState: (state) => {
        setLink(state);
        if (state.at !== 'connecting') return;
        now = dropLive(now);
        soon();
      },
      onEvents: take,
    });
  };
  const stop = whileVisible(connect);
  return {
    transcript,
    ready,
    link,
    close: () => {
      stop();
      keep(id, { transcript: dropLive(now), ready: ready() });
    },
  };
}

/** Connects now and whenever the page comes into view again, after it was hidden for so long that the
    connection was given up: browsers allow few to one server, and a page nobody looks at needs none. */
function whileVisible(connect: (signal: AbortSignal) => void): () => void {
  let connection: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(() => {
        connection?.abort();
        connection = undefined;
      }, HIDDEN_MS);
      return;
    }
    if (connection) return;
    connection = new AbortController();
    connect(connection.signal);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    clearTimeout(timer);
    connection?.abort();
  };
}

/** Folds one batch of stream events: runs of events together, runs of deltas together. */
export function takeAll(from: Transcript, events: readonly ServerEvent[], ready: () => void): Transcript {
  let now = from;
  let journal: JournalEvent[] = [];
  let deltas: Delta[] = [];
  const settle = (): void => {
    if (journal.length > 0) now = foldSafely(now, journal);
    if (deltas.length > 0) now = foldDeltas(now, deltas, new Date().toISOString());
    journal = [];
    deltas = [];
  };
  for (const event of events) {
    if (event.name === 'event') {
      if (deltas.length > 0) settle();
      journal.push(JSON.parse(event.data) as JournalEvent);
    } else if (event.name === 'delta') {
      if (journal.length > 0) settle();
      deltas.push(JSON.parse(event.data) as Delta);
    } else if (event.name === 'reset') {
      settle();
      now = EMPTY;
    } else if (event.name === 'ready') ready();
  }
  settle();
  return now;
}

/** Folds events of which one may have a shape that this client does not know, as from a newer server: that
    one is shown as it is, and the others as ever. */
function foldSafely(from: Transcript, events: readonly JournalEvent[]): Transcript {
  try {
    return fold(from, events);
  } catch {
    return events.reduce((now, event) => {
      try {
        return fold(now, [event]);
      } catch {
        const { event_id, ts, seq, task_id } = event;
        const raw = JSON.stringify(event);
        return fold(now, [{ event_id, ts, seq, task_id, type: 'error', class: 'unknown_line', message: event.type, raw }]);
      }
    }, from);
  }
}

function keep(id: string, one: Kept): void {
  kept.delete(id);
  kept.set(id, one);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
