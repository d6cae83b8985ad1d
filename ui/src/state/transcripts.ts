// Transcripts of the tasks that are or were open: each follows its own stream while it is shown, however
// many views show it, and the last few are kept, so that going back to one is instant and costs only what
// happened since. Start at `openTranscript`; how a long history is told is `story.ts`.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { BASE, taskPath } from '../api/http';
import { createPauses } from '../api/pause';
import type { ServerEvent } from '../api/sse';
import { follow, type LinkState } from '../api/stream';
import type { Transcript } from './fold';
import { Story } from './story';
import { refresh, summary } from './tasks';

const KEPT = 12;
/** How long a hidden page keeps its connection. */
const HIDDEN_MS = 30_000;
/** What was before is read when what is shown has been painted. */
const HISTORY_AFTER_MS = 150;
/** What streams is shown this often at most: more is not seen, and typing beside it would wait for it. */
const SHOW_EVERY_MS = 32;
/** Events that are folded in one piece. */
const PIECE = 100;

export interface OpenTranscript {
  transcript: Accessor<Transcript>;
  /** The key of the transcript's first row; it goes down when earlier rows are put before it. */
  first: Accessor<number>;
  /** What was there is told. */
  ready: Accessor<boolean>;
  /** It is told from the first event on. */
  whole: Accessor<boolean>;
  link: Accessor<LinkState>;
  /** Hears what the stream tells from now on, until the calling component goes. */
  listen: (hear: (events: readonly ServerEvent[]) => void) => void;
}

interface Shown {
  transcript: Transcript;
  first: number;
  ready: boolean;
  whole: boolean;
}

const kept = new Map<string, Story>();
const open = new Map<string, { view: View; users: number }>();

/** The transcript of a task for as long as the calling component lives; with `tail` its end is enough. */
export function openTranscript(id: string, { tail = false } = {}): OpenTranscript {
  const entry = open.get(id) ?? { view: new View(id), users: 0 };
  open.set(id, entry);
  entry.users += 1;
  if (!tail) entry.view.wantWhole();
  onCleanup(() => {
    entry.users -= 1;
    if (entry.users > 0) return;
    open.delete(id);
    entry.view.close();
  });
  return entry.view.open;
}

class View {
  readonly open: OpenTranscript;
  private story: Story;
  private readonly setShown: (shown: Shown) => void;
  private readonly setLink: (state: LinkState) => void;
  private readonly listeners = new Set<(events: readonly ServerEvent[]) => void>();
  private readonly ended = new AbortController();
  private stop = (): void => undefined;
  private wanted = false;
  private reading = false;
  private due = false;
  private shownAt: number | undefined;

  constructor(private readonly id: string) {
    const known = kept.get(id) ?? (summary(id) && new Story(summary(id)?.last_seq));
    this.story = known ?? new Story();
    const [shown, setShown] = createSignal(shownOf(this.story));
    const [link, setLink] = createSignal<LinkState>({ at: 'connecting' });
    this.setShown = setShown;
    this.setLink = setLink;
    this.open = {
      transcript: () => shown().transcript,
      first: () => shown().first,
      ready: () => shown().ready,
      whole: () => shown().whole,
      link,
      listen: (hear) => {
        this.listeners.add(hear);
        onCleanup(() => this.listeners.delete(hear));
      },
    };
    if (known) this.begin();
    else void refresh(id).then(() => this.ended.signal.aborted || this.begin(new Story(summary(id)?.last_seq)));
  }

  private begin(story = this.story): void {
    this.story = story;
    this.stop = whileVisible((signal) => this.connect(signal));
    this.soon();
  }

  /** Somebody shows more than its end. */
  wantWhole(): void {
    this.wanted = true;
    this.soon();
  }

  /** Reads what comes before what is shown, once that is painted. */
  private readBefore(): void {
    if (!this.wanted || this.reading || this.story.whole || !this.story.ready) return;
    this.reading = true;
    const timer = setTimeout(() => void readHistory(this.id, this.story, this.ended.signal).then(() => this.soon()), HISTORY_AFTER_MS);
    this.ended.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  close(): void {
    this.stop();
    this.ended.abort();
    this.story.dropLive();
    keep(this.id, this.story);
  }

  private connect(signal: AbortSignal): void {
    const from = this.story.now.lastSeq;
    void follow({
      url: `${BASE}${taskPath(this.id, '/events')}`,
      ...(from > 0 ? { cursor: String(from) } : {}),
      signal,
      onState: (state) => {
        this.setLink(state);
        if (state.at !== 'connecting') return;
        this.story.dropLive();
        this.soon();
      },
      onEvents: (events) => {
        this.story.take(events);
        for (const hear of this.listeners) hear(events);
        this.soon();
      },
    });
  }

  /** Shows now and then what came by then; history at once when it is complete, not as it pours in. */
  private soon(): void {
    if (this.due || !this.story.ready || this.ended.signal.aborted) return;
    const show = (): void => {
      this.due = false;
      this.shownAt = performance.now();
      this.setShown(shownOf(this.story));
      this.readBefore();
    };
    // What one waits for is drawn before the next frame begins, not in it.
    if (this.shownAt === undefined) return show();
    this.due = true;
    if (document.visibilityState === 'hidden') return void setTimeout(show, 250);
    const wait = this.shownAt + SHOW_EVERY_MS - performance.now();
    if (wait <= 0) requestAnimationFrame(show);
    else setTimeout(() => requestAnimationFrame(show), wait);
  }
}

function shownOf({ now, first, ready, whole }: Story): Shown {
  return { transcript: now, first, ready, whole };
}

/** Reads and folds what comes before the story's beginning, in pieces between which the page has its turn. */
async function readHistory(id: string, story: Story, ended: AbortSignal): Promise<void> {
  const enough = new AbortController();
  ended.addEventListener('abort', () => enough.abort());
  const queue: ServerEvent[][] = [];
  let news = (): void => undefined;
  void follow({
    url: `${BASE}${taskPath(id, '/events')}`,
    ...(story.historySeq > 0 ? { cursor: String(story.historySeq) } : {}),
    signal: enough.signal,
    onState: () => news(),
    onEvents: (events) => {
      for (let at = 0; at < events.length; at += PIECE) queue.push(events.slice(at, at + PIECE));
      news();
    },
  });
  enough.signal.addEventListener('abort', () => news());
  const rest = createPauses();
  while (!story.whole && !story.reached) {
    const piece = queue.shift();
    if (piece) story.takeHistory(piece);
    else await new Promise<void>((resolve) => (news = resolve));
    if (enough.signal.aborted) return;
    await rest();
  }
  enough.abort();
  while (!story.join(PIECE)) {
    await rest();
    if (ended.aborted) return;
  }
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

function keep(id: string, story: Story): void {
  kept.delete(id);
  kept.set(id, story);
  const oldest = kept.keys().next().value;
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
