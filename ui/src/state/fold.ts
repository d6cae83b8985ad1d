// A transcript as the fold of a journal: pure, and the same whether events come all at once or one by
// one. Rows are only ever appended or replaced in place, so a row's index is its identity for the view.
// Start at `fold`; what one event does to the rows stands in `fold/apply.ts`.
import type { Delta, JournalEvent, Usage } from '../api/types';
import { apply, applyDelta } from './fold/apply';
import { Draft } from './fold/draft';
import type { Changes, Row } from './rows';

export interface Transcript {
  readonly rows: readonly Row[];
  /** The last event folded in; 0 before the first. */
  readonly lastSeq: number;
  /** Tool calls without an end, by id: where they stand. */
  readonly open: ReadonlyMap<string, Place>;
  /** Calls that started sub-agents, by id: what those do may be told after the call has ended. */
  readonly agents: ReadonlyMap<string, Place>;
  /** Rows that still stream, by kind and key. */
  readonly live: ReadonlyMap<string, number>;
  /** Calls in which a sub-agent's words may still stream. */
  readonly nested: ReadonlySet<string>;
  /** Requests without an answer, by id: their row. */
  readonly requests: ReadonlyMap<string, number>;
  readonly turn: TurnSoFar | undefined;
  readonly turns: number;
  readonly usage: Usage | undefined;
  /** Changes by repository. */
  readonly changes: ReadonlyMap<string, Changes>;
  /** Row of the set-up that is under way. */
  readonly setup: number | undefined;
  /** Who has the task, as far as it was told. */
  readonly harness: string | undefined;
  /** What comes before is not there: figures that would need it are left out. */
  readonly partial: boolean;
}

/** Where a tool call stands: its row, its place in a run of reads, and the call it is nested in. */
export interface Place {
  row: number;
  parent?: string;
  /** No call of the agent's: it stands for a sub-agent. */
  made?: true;
}

export interface TurnSoFar {
  startedAt: string;
  usage: Usage | undefined;
  changes: string;
}

/** Most characters of a call's live output that are kept. */
export const LIVE_OUTPUT_MAX = 64 * 1024;

export const EMPTY: Transcript = {
  rows: [],
  lastSeq: 0,
  open: new Map(),
  agents: new Map(),
  live: new Map(),
  nested: new Set(),
  requests: new Map(),
  turn: undefined,
  turns: 0,
  usage: undefined,
  changes: new Map(),
  setup: undefined,
  harness: undefined,
  partial: false,
};

/** Folds `events` in, in order; those that it has already are passed over. */
export function fold(transcript: Transcript, events: readonly JournalEvent[]): Transcript {
  const draft = new Draft(transcript);
  for (const event of events) {
    if (event.seq <= draft.lastSeq) continue;
    draft.lastSeq = event.seq;
    apply(draft, event);
  }
  return draft.done();
}

/** Folds pieces of messages under way in. */
export function foldDeltas(transcript: Transcript, deltas: readonly Delta[], ts: string): Transcript {
  const draft = new Draft(transcript);
  for (const delta of deltas) applyDelta(draft, delta, ts);
  return draft.done();
}

/** Forgets what was streaming: after a reconnection the server tells it again. */
export function dropLive(transcript: Transcript): Transcript {
  if (transcript.live.size === 0 && transcript.nested.size === 0) return transcript;
  const draft = new Draft(transcript);
  draft.dropLive();
  return draft.done();
}
