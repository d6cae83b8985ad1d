// Hits of a search: grouped by task in the order of their best one, and cut into marked and other pieces. Pure.
import type { SearchHit, SearchMark } from '../api/types';

export interface HitGroup {
  task: string;
  hits: SearchHit[];
}

export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  // The first message of a task is its prompt: it is shown once.
  const prompts = new Set(hits.filter((hit) => hit.kind === 'prompt').map((hit) => `${hit.task_id} ${hit.snippet}`));
  for (const hit of hits) {
    if (hit.kind === 'message' && prompts.has(`${hit.task_id} ${hit.snippet}`)) continue;
    const group = groups.get(hit.task_id) ?? { task: hit.task_id, hits: [] };
    group.hits.push(hit);
    groups.set(hit.task_id, group);
  }
  return [...groups.values()];
}

export interface Piece {
  text: string;
  marked: boolean;
}

/** The snippet in pieces; marks count code points, not the units of a string. */
export function piecesOf({ snippet, marks }: { snippet: string; marks: readonly SearchMark[] }): Piece[] {
  const points = [...snippet];
  const pieces: Piece[] = [];
  let at = 0;
  const add = (to: number, marked: boolean): void => {
    if (to > at) pieces.push({ text: points.slice(at, to).join(''), marked });
    at = Math.max(at, to);
  };
  for (const { from, to } of marks) {
    add(from, false);
    add(to, true);
  }
  add(points.length, false);
  return pieces;
}
