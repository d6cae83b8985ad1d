// An event stream that never gives up: it resumes after the last event it saw, waits longer after each
// failure, notices a connection that has gone silent, and stops only where trying again cannot help.
// Events arrive in batches, one for each piece of network data. Start at `follow`.
import { createPauses } from './pause';
import { SseParser, type ServerEvent } from './sse';

/** Silence after which a connection counts as dead; the server pings every 15 s unless it is asked for less. */
export const SILENCE_MS = 40_000;
/** Where the server is on the same machine, whose connections end with it: seconds between pings, and that silence. */
const NEAR_PING_S = 60;
export const NEAR_SILENCE_MS = 160_000;
/** Waits between attempts: the first, doubled up to the last. */
export const FIRST_WAIT_MS = 400;
export const LAST_WAIT_MS = 15_000;

export type LinkState =
  | { at: 'connecting' }
  | { at: 'open' }
  | { at: 'waiting'; since: number; retryAt: number }
  | { at: 'signed_out' }
  | { at: 'gone' };

export interface Follow {
  url: string;
  /** Where to begin; events after this cursor come first. */
  cursor?: string;
  onEvents: (events: ServerEvent[]) => void;
  onState: (state: LinkState) => void;
  signal: AbortSignal;
  /** Replaced in tests. */
  fetch?: typeof fetch;
  random?: () => number;
}

let near = false;

/** Says that the server runs on this machine: streams that are opened from now on wake the page less often. */
export function serverIsNear(): void {
  near = true;
}

/** Follows a stream until `signal` aborts, the task is gone or the session ends. */
export async function follow(options: Follow): Promise<void> {
  const link = new Link(options);
  await link.run();
}

class Link {
  private cursor: string | undefined;
  private failures = 0;
  private lastSeen = Date.now();

  constructor(private readonly options: Follow) {
    this.cursor = options.cursor;
  }

  async run(): Promise<void> {
    const { signal, onState } = this.options;
    while (!signal.aborted) {
      onState({ at: 'connecting' });
      const end = await this.once().catch(() => 'broken' as const);
      if (signal.aborted) return;
      if (end === 'signed_out' || end === 'gone') return onState({ at: end });
      await this.wait();
    }
  }

  /** One connection, from request to end. */
  private async once(): Promise<'broken' | 'signed_out' | 'gone'> {
    const watch = new AbortController();
    const stop = (): void => watch.abort();
    this.options.signal.addEventListener('abort', stop);
    const silence = near ? NEAR_SILENCE_MS : SILENCE_MS;
    let timer = setTimeout(stop, silence);
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(stop, silence);
      this.lastSeen = Date.now();
    };
    try {
      const response = await this.request(watch.signal);
      if (response.status === 401 || response.status === 403) return 'signed_out';
      if (response.status === 404) return 'gone';
      if (!response.ok || !response.body) return 'broken';
      alive();
      this.options.onState({ at: 'open' });
      await this.read(response.body, alive);
      return 'broken';
    } finally {
      clearTimeout(timer);
      this.options.signal.removeEventListener('abort', stop);
      watch.abort();
    }
  }

  private request(signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (this.cursor !== undefined) headers['Last-Event-ID'] = this.cursor;
    if (near) headers['Paddock-Ping-Every'] = String(NEAR_PING_S);
    const get = this.options.fetch ?? fetch;
    return get(this.options.url, { headers, credentials: 'same-origin', cache: 'no-store', signal });
  }

  private async read(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    const rest = createPauses();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      // Data that is there already comes without a turn for the page in between.
      const pause = rest();
      if (pause) await pause;
      if (this.options.signal.aborted) return;
      const events = parser.feed(decoder.decode(value, { stream: true }));
      if (events.length === 0) continue;
      this.failures = 0;
      this.note(events);
      this.options.onEvents(events);
    }
  }

  private note(events: ServerEvent[]): void {
    for (const event of events) {
      if (event.name === 'reset') this.cursor = undefined;
      else if (event.id !== undefined) this.cursor = event.id;
    }
  }

  /** Waits before the next attempt; coming online ends the wait. */
  private wait(): Promise<void> {
    const random = this.options.random ?? Math.random;
    const full = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures);
    const ms = full / 2 + (full / 2) * random();
    this.failures += 1;
    this.options.onState({ at: 'waiting', since: this.lastSeen, retryAt: Date.now() + ms });
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        globalThis.removeEventListener?.('online', go);
        this.options.signal.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      globalThis.addEventListener?.('online', go);
      this.options.signal.addEventListener('abort', go);
    });
  }
}
