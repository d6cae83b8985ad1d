// A transcript that is told from its end: a long history begins with its newest events, which are what one
// wants to see, and everything before them is folded beside, in pieces, until both are one. Rows keep their
// keys through it: those that come before the first count down from it. Pure; start at `Story`.
import type { ServerEvent } from '../api/sse';
import { EMPTY, dropLive, type Transcript } from './fold';
import { takeAll } from './take';

/** Histories up to this many events are read as a whole. */
export const WHOLE_MAX = 1000;
/** Of longer ones, this many are read first. */
export const TAIL = 400;

export class Story {
  /** What is shown. */
  now: Transcript;
  /** The key of the first row: 0, less the rows that came before it later. */
  first = 0;
  /** All that was there is told, from where the story began. */
  ready = false;
  /** The event behind which the story began. */
  private from: number;
  /** What was told since, as long as what comes before is missing. */
  private since: ServerEvent[] | undefined;
  private before: Transcript = EMPTY;
  private replayed = 0;

  /** A story of which `lastSeq` events are known to be there. */
  constructor(lastSeq = 0) {
    this.from = lastSeq > WHOLE_MAX ? lastSeq - TAIL : 0;
    this.since = this.from > 0 ? [] : undefined;
    this.now = this.from > 0 ? { ...EMPTY, lastSeq: this.from, partial: true } : EMPTY;
  }

  /** Whether it is told from the first event on. */
  get whole(): boolean {
    return this.since === undefined;
  }

  /** The last event of the missing part that is there. */
  get historySeq(): number {
    return this.before.lastSeq;
  }

  /** Whether nothing is missing before where it began, so that `join` can begin. */
  get reached(): boolean {
    return this.before.lastSeq >= this.from;
  }

  /** What the stream tells. */
  take(events: readonly ServerEvent[]): void {
    if (events.some((event) => event.name === 'reset')) this.begin();
    this.since?.push(...events);
    this.now = takeAll(this.now, events, () => (this.ready = true));
  }

  /** Some of what comes before; what is behind the beginning is known already. */
  takeHistory(events: readonly ServerEvent[]): void {
    const wanted = events.filter((event) => event.name === 'event' && Number(event.id) <= this.from);
    this.before = takeAll(this.before, wanted, () => undefined);
  }

  /** Puts `count` of the events since behind their history; true when both are one. */
  join(count: number): boolean {
    if (!this.since) return true;
    const piece = this.since.slice(this.replayed, this.replayed + count);
    this.before = takeAll(this.before, piece, () => undefined);
    this.replayed += piece.length;
    if (this.replayed < this.since.length) return false;
    this.first -= this.before.rows.length - this.now.rows.length;
    this.now = this.before;
    this.since = undefined;
    this.before = EMPTY;
    return true;
  }

  /** Forgets what was streaming: the server tells it again after a reconnection. */
  dropLive(): void {
    this.now = dropLive(this.now);
    if (!this.since) return;
    this.before = dropLive(this.before);
    this.replayed = this.since.slice(0, this.replayed).filter(lasts).length;
    this.since = this.since.filter(lasts);
  }

  /** Begins anew, with the whole of it. */
  private begin(): void {
    this.from = 0;
    this.first = 0;
    this.since = undefined;
    this.before = EMPTY;
    this.replayed = 0;
  }
}

const lasts = (event: ServerEvent): boolean => event.name !== 'delta';
