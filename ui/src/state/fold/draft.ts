// A transcript while a batch of events is folded into it: copied once a batch, changed in place, given
// back as a new one. Only `fold.ts` makes drafts.
import type { Usage } from '../../api/types';
import type { Place, Transcript, TurnSoFar } from '../fold';
import type { Changes, Row, RowOf, ToolCall } from '../rows';

/** Most calls that started sub-agents that are remembered. */
const AGENTS_MAX = 1000;

/** A row that still streams, and what it streams by. */
interface Live {
  key: string;
  row: number;
}

export class Draft {
  rows: Row[];
  lastSeq: number;
  open: Map<string, Place>;
  agents: Map<string, Place>;
  live: Map<string, number>;
  nested: Set<string>;
  requests: Map<string, number>;
  turn: TurnSoFar | undefined;
  turns: number;
  usage: Usage | undefined;
  changes: Map<string, Changes>;
  setup: number | undefined;
  harness: string | undefined;
  readonly partial: boolean;

  constructor(from: Transcript) {
    this.rows = from.rows.slice();
    this.lastSeq = from.lastSeq;
    this.open = new Map(from.open);
    this.agents = new Map(from.agents);
    this.live = new Map(from.live);
    this.nested = new Set(from.nested);
    this.requests = new Map(from.requests);
    this.turn = from.turn;
    this.turns = from.turns;
    this.usage = from.usage;
    this.changes = new Map(from.changes);
    this.setup = from.setup;
    this.harness = from.harness;
    this.partial = from.partial;
  }

  done(): Transcript {
    const { rows, lastSeq, open, agents, live, nested, requests, turn, turns, usage, changes, setup, harness, partial } = this;
    return { rows, lastSeq, open, agents, live, nested, requests, turn, turns, usage, changes, setup, harness, partial };
  }

  push(row: Row): number {
    this.rows.push(row);
    return this.rows.length - 1;
  }

  last(): Row | undefined {
    return this.rows[this.rows.length - 1];
  }

  /** The row at `index`, where it is of this kind. */
  rowOf<K extends Row['kind']>(index: number | undefined, kind: K): RowOf<K> | undefined {
    const row = index === undefined ? undefined : this.rows[index];
    return row?.kind === kind ? (row as RowOf<K>) : undefined;
  }

  /** The row of this kind that still streams and that `text` is the whole of; pieces do not say who speaks. */
  liveOf(kind: 'agent' | 'thinking', text: string): Live | undefined {
    for (const [key, at] of this.live) {
      const row = this.rows[at];
      if (row?.kind === kind && text.includes(row.text.trim())) return { key, row: at };
    }
    return undefined;
  }

  /** The first row of this kind that still streams. */
  firstLive(kind: 'agent' | 'thinking'): Live | undefined {
    for (const [key, row] of this.live) {
      if (this.rows[row]?.kind === kind) return { key, row };
    }
    return undefined;
  }

  /** Leaves nothing of a row that streams: what it said stands elsewhere. */
  dropOne({ key, row }: Live): void {
    const old = this.rows[row];
    if (old) this.rows[row] = { kind: 'nothing', seq: old.seq, ts: old.ts };
    this.live.delete(key);
    while (this.last()?.kind === 'nothing') this.rows.pop();
  }

  /** Whether what a sub-agent of this call does can be shown in it. */
  nests(call: string): boolean {
    return this.open.has(call) || this.agents.has(call);
  }

  /** Remembers where a call that started a sub-agent stands. */
  startsAgent(call: string): void {
    const place = this.open.get(call);
    if (place === undefined) return;
    this.agents.delete(call);
    this.agents.set(call, place);
    const oldest = this.agents.keys().next().value;
    if (this.agents.size > AGENTS_MAX && oldest !== undefined) this.agents.delete(oldest);
  }

  /** Takes rows that still stream away: from the end altogether, elsewhere by leaving nothing. */
  dropLive(): void {
    for (const row of this.live.values()) {
      const old = this.rows[row];
      if (old) this.rows[row] = { kind: 'nothing', seq: old.seq, ts: old.ts };
    }
    this.live.clear();
    for (const call of this.nested) {
      this.changeCall(call, (parent) => ({ ...parent, children: parent.children.filter((row) => !isLive(row)) }));
    }
    this.nested.clear();
    while (this.last()?.kind === 'nothing') this.rows.pop();
  }

  /** Replaces an open call, or one that started a sub-agent, by what `change` makes of it. */
  changeCall(id: string, change: (call: ToolCall) => ToolCall): void {
    const place = this.open.get(id) ?? this.agents.get(id);
    if (!place) return;
    if (place.parent !== undefined) {
      const own = (row: Row): Row => changeIn(row, id, change);
      this.changeCall(place.parent, (parent) => ({ ...parent, children: replaceLast(parent.children, id, own) }));
      return;
    }
    const row = this.rows[place.row];
    if (row) this.rows[place.row] = changeIn(row, id, change);
  }
}

/** Whether a row still streams. */
export function isLive(row: Row): row is RowOf<'agent'> | RowOf<'thinking'> {
  return (row.kind === 'agent' || row.kind === 'thinking') && row.live;
}

function changeIn(row: Row, id: string, change: (call: ToolCall) => ToolCall): Row {
  if (row.kind === 'tool' && row.call.id === id) return { ...row, call: change(row.call) };
  if (row.kind !== 'reads') return row;
  return { ...row, calls: row.calls.map((call) => (call.id === id ? change(call) : call)) };
}

/** Replaces the last row that holds the call `id`. */
function replaceLast(rows: Row[], id: string, change: (row: Row) => Row): Row[] {
  const at = rows.findLastIndex((row) => holds(row, id));
  return at === -1 ? rows : rows.with(at, change(rows[at] as Row));
}

function holds(row: Row, id: string): boolean {
  return (row.kind === 'tool' && row.call.id === id) || (row.kind === 'reads' && row.calls.some((call) => call.id === id));
}
