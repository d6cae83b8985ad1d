// Turns: what one cost, from its first event to the result that ends it.
import type { Cost, JournalEvent, Usage } from '../../api/types';
import type { Changes } from '../rows';
import type { Draft } from './draft';

/** Notes where a turn begins; a turn under way goes on. */
export function turnBegins(draft: Draft, ts: string): void {
  draft.turn ??= { startedAt: ts, usage: draft.usage, changes: JSON.stringify(sumChanges(draft)) };
}

export function onTurnFinished(draft: Draft, event: Extract<JournalEvent, { type: 'turn_finished' }>): void {
  draft.dropLive();
  const { turn, usage } = draft;
  const from = turn ? Date.parse(turn.startedAt) : Date.parse(event.ts);
  const changes = sumChanges(draft);
  // What was used before the turn may stand in the part that is not there yet.
  const unknown = draft.partial && turn?.usage === undefined;
  draft.turns += 1;
  draft.push({
    kind: 'turn',
    seq: event.seq,
    ts: event.ts,
    nth: draft.turns,
    outcome: event.outcome,
    ms: event.duration_ms ?? Date.parse(event.ts) - from,
    tokens: unknown ? 0 : allTokens(usage) - allTokens(turn?.usage),
    ...(unknown ? {} : costOf(usage, turn?.usage)),
    ...(changes && JSON.stringify(changes) !== turn?.changes ? { changes } : {}),
  });
  draft.turn = undefined;
}

/** All that was read and written, caches included. */
export function allTokens(usage: Usage | undefined): number {
  if (!usage) return 0;
  return usage.input_tokens + usage.cached_tokens + usage.cache_write_tokens + usage.output_tokens;
}

/** What changed in all repositories together; nothing where nothing was counted. */
export function sumChanges(draft: Draft): Changes | undefined {
  if (draft.changes.size === 0) return undefined;
  const sum = { files: 0, added: 0, removed: 0 };
  for (const one of draft.changes.values()) {
    sum.files += one.files;
    sum.added += one.added;
    sum.removed += one.removed;
  }
  return sum;
}

/** What came on top: of a sum that is a part, nobody knows to which turn the rest belongs. */
function costOf(now: Usage | undefined, before: Usage | undefined): { cost?: Cost } {
  if (!now?.cost) return {};
  const usd = now.cost.usd - (before?.cost?.usd ?? 0);
  return usd > 0 ? { cost: { ...now.cost, usd } } : {};
}
