// How tasks are laid out at home: grouped by what one looks for, and in each group in the order that was chosen. Pure
// but for the choice, which this browser keeps.
import type { TaskSummary } from '../api/types';
import { createStored } from '../lib/stored';
import { GROUPS, groupOf, sinceOf, urgency, type Group } from './status';
import { changesOf } from './summary';

export const GROUPINGS = ['need', 'repository', 'harness', 'host'] as const;
export const SORTS = ['urgency', 'changed', 'age', 'cost', 'diff'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export type Sort = (typeof SORTS)[number];

export interface Layout {
  group: Grouping;
  sort: Sort;
  /** The other way round than one expects of that order. */
  turned: boolean;
}

/** Tasks that belong together; the name is a need, a path, a harness or a host. */
export interface Section {
  name: string;
  tasks: TaskSummary[];
}

const USUAL: Layout = { group: 'need', sort: 'urgency', turned: false };
const [kept, setKept] = createStored<Layout>('home', USUAL);

/** The chosen layout; what an older or newer Paddock kept is as if nothing was. */
export function layout(): Layout {
  const now = kept();
  return GROUPINGS.includes(now.group) && SORTS.includes(now.sort) ? now : USUAL;
}

export function arrange(change: Partial<Layout>): void {
  setKept({ ...layout(), ...change });
}

/** Another order, or the same one turned. */
export function sortBy(sort: Sort): void {
  const now = layout();
  arrange({ sort, turned: now.sort === sort && !now.turned });
}

/** The one after `now`, round and round. */
export function after<T>(all: readonly T[], now: T): T {
  return all[(all.indexOf(now) + 1) % all.length] ?? now;
}

/** Tasks as they are laid out; those in the archive need nobody, and are one section by need. */
export function sections(tasks: readonly TaskSummary[], { group, sort, turned }: Layout, archived = false): Section[] {
  const found = new Map<string, TaskSummary[]>();
  for (const one of tasks) {
    const name = archived && group === 'need' ? 'ended' : nameOf(one, group);
    found.set(name, [...(found.get(name) ?? []), one]);
  }
  const names = group === 'need' ? GROUPS.filter((name) => found.has(name)) : [...found.keys()].sort((a, b) => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b)));
  const way = turned ? -1 : 1;
  const order = ORDERS[archived && sort === 'urgency' ? 'changed' : sort];
  return names.map((name) => ({ name, tasks: (found.get(name) ?? []).sort((a, b) => way * order(a, b) || newest(a, b)) }));
}

function nameOf(task: TaskSummary, group: Grouping): string {
  if (group === 'need') return groupOf(task);
  return group === 'repository' ? (task.repositories[0]?.path ?? '') : task[group];
}

const newest = (a: TaskSummary, b: TaskSummary): number => (a.created_at < b.created_at ? 1 : -1);
const latest = (a: TaskSummary, b: TaskSummary): number => b.updated_at.localeCompare(a.updated_at);
const rank = (task: TaskSummary): number => GROUPS.indexOf(groupOf(task) satisfies Group);

const ORDERS: Record<Sort, (a: TaskSummary, b: TaskSummary) => number> = {
  // Of those that need the user, the ones that cannot go on come first, and of these the ones that wait longest.
  urgency: (a, b) => rank(a) - rank(b) || (a.needs_me ? urgency(a) - urgency(b) || sinceOf(a).localeCompare(sinceOf(b)) : latest(a, b)),
  changed: latest,
  age: (a, b) => a.created_at.localeCompare(b.created_at),
  cost: (a, b) => (b.usage.cost?.usd ?? 0) - (a.usage.cost?.usd ?? 0),
  diff: (a, b) => size(b) - size(a),
};

function size(task: TaskSummary): number {
  const { added, removed } = changesOf(task);
  return added + removed;
}
