// One stream of all tasks for all tabs of a browser: HTTP/1.1 allows six connections to a server, and a tab
// that only listens should not take one. Lives in a shared worker; start at `join`.
import type { ServerEvent } from './sse';
import type { Follow, LinkState } from './stream';

/** What a tab is told. */
export type Told = { state: LinkState } | { events: ServerEvent[] };

/** A tab, as far as it matters here. */
export interface Tab {
  postMessage: (told: Told) => void;
}

export class Switchboard {
  private readonly tabs = new Set<Tab>();
  private state: LinkState = { at: 'connecting' };
  private running: AbortController | undefined;

  constructor(
    private readonly url: string,
    private readonly follow: (options: Follow) => Promise<void>,
  ) {}

  /** A tab begins to listen: it hears where the stream stands, then everything that comes. */
  join(tab: Tab): void {
    this.tabs.add(tab);
    if (this.running) tab.postMessage({ state: this.state });
    else this.start();
  }

  /** A tab goes; with the last one the connection does. */
  leave(tab: Tab): void {
    this.tabs.delete(tab);
    if (this.tabs.size > 0) return;
    this.running?.abort();
    this.running = undefined;
  }

  private start(): void {
    const running = new AbortController();
    this.running = running;
    const mine = (): boolean => this.running === running;
    void this.follow({
      url: this.url,
      signal: running.signal,
      onState: (state) => {
        if (!mine()) return;
        this.state = state;
        this.tell({ state });
      },
      onEvents: (events) => void (mine() && this.tell({ events })),
      // A stream that ended for good (signed out) begins anew with the next tab that joins.
    }).then(() => void (mine() && (this.running = undefined)));
  }

  private tell(told: Told): void {
    for (const tab of this.tabs) tab.postMessage(told);
  }
}
