// Hits of a search, and the row that an event is shown in.
import { expect, test } from 'vitest';
import type { SearchHit } from '../../src/api/types';
import { rowOf } from '../../src/features/transcript/jump';
import { groupHits, piecesOf } from '../../src/state/hits';
import type { Row } from '../../src/state/rows';

const hit = (task_id: string, seq: number): SearchHit => ({
  task_id, title: task_id, harness: 'claude', seq, happened_at: '2026-11-21T20:00:00.000Z', kind: 'agent', snippet: '', marks: [],
});

test('tasks stand in the order of their best hit, hits in theirs', () => {
  const groups = groupHits([hit('a', 3), hit('b', 1), hit('a', 9)]);
  expect(groups.map(({ task, hits }) => [task, hits.map((one) => one.seq)])).toEqual([['a', [3, 9]], ['b', [1]]]);
});

test('marks count characters, also those of two units', () => {
  const pieces = piecesOf({ snippet: '🐴 horse', marks: [{ from: 2, to: 7 }] });
  expect(pieces).toEqual([{ text: '🐴 ', marked: false }, { text: 'horse', marked: true }]);
  expect(piecesOf({ snippet: 'x', marks: [{ from: 0, to: 9 }] })).toEqual([{ text: 'x', marked: true }]);
});

test('an event is shown in the row that it began, or in the last before it', () => {
  const rows = [
    { kind: 'user', seq: 1, ts: '', text: '', duringTurn: false },
    { kind: 'agent', seq: 5, ts: '', text: '', refusal: false, live: false },
    { kind: 'agent', seq: 9, ts: '', text: '', refusal: false, live: false },
  ] as Row[];
  expect([1, 5, 7, 9, 30].map((seq) => rowOf(rows, seq))).toEqual([0, 1, 1, 2, 2]);
  expect(rowOf([], 3)).toBeUndefined();
});
