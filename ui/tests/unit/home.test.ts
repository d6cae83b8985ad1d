// How tasks are laid out at home: every grouping and every order, and what was kept of a choice.
import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskSummary } from '../../src/api/types';
import { GROUPINGS, SORTS, after, arrange, layout, sections, sortBy, type Layout } from '../../src/state/home';

const one = (task_id: string, more: Partial<TaskSummary>): TaskSummary =>
  ({
    task_id, title: task_id, state: 'waiting', needs_me: false, harness: 'claude', host: 'local', created_at: `2026-01-0${task_id}`, updated_at: '2026-02-01', state_changed_at: '2026-02-01',
    repositories: [], usage: {}, ...more,
  }) as unknown as TaskSummary;
const repository = (path: string, added = 0): TaskSummary['repositories'] => [{ path, files: 1, added, removed: 0, commits: 0, uncommitted: 0 }];
const tasks = [
  one('1', { needs_me: true, repositories: repository('/b/web', 5), updated_at: '2026-02-04' }),
  one('2', { needs_me: true, state: 'asking', host: 'far', repositories: repository('/a/api', 90), updated_at: '2026-02-02' }),
  one('3', { state: 'running', harness: 'codex', usage: { cost: { usd: 3, source: 'reported' } } as TaskSummary['usage'], updated_at: '2026-02-05' }),
  one('4', { state: 'failed', repositories: repository('/a/api', 7), usage: { cost: { usd: 9, source: 'reported' } } as TaskSummary['usage'], updated_at: '2026-02-03' }),
];
const laid = (change: Partial<Layout>): string => sections(tasks, { group: 'need', sort: 'urgency', turned: false, ...change }).map(({ name, tasks: all }) => `${name}: ${all.map((task) => task.task_id).join('')}`).join(', ');

describe('tasks at home', () => {
  beforeEach(() => localStorage.clear());

  it('stand by what they need, those that cannot go on first', () => {
    expect(laid({})).toBe('needs_you: 21, working: 3, ended: 4');
  });
  it('stand by repository, agent and host, and those without a repository last', () => {
    expect(laid({ group: 'repository' })).toBe('/a/api: 24, /b/web: 1, : 3');
    expect(laid({ group: 'harness' })).toBe('claude: 214, codex: 3');
    expect(laid({ group: 'host' })).toBe('far: 2, local: 134');
  });
  it('stand in the order that was chosen, and the other way round', () => {
    const order = (sort: Layout['sort'], turned = false): string => laid({ group: 'host', sort, turned }).replace('far: 2, local: ', '');
    expect(SORTS.map((sort) => order(sort))).toEqual(['134', '314', '134', '431', '413']);
    expect([order('cost', true), order('changed', true)]).toEqual(['134', '413']);
  });
  it('are laid out as was chosen before, and a column pressed again turns the order', () => {
    arrange({ group: 'host' });
    sortBy('cost');
    sortBy('cost');
    expect([layout(), JSON.parse(localStorage.getItem('paddock.home') ?? '')]).toEqual([{ group: 'host', sort: 'cost', turned: true }, { group: 'host', sort: 'cost', turned: true }]);
    sortBy('diff');
    expect(layout()).toEqual({ group: 'host', sort: 'diff', turned: false });
    arrange({ group: 'moon' as never });
    expect(layout().group).toBe('need');
    expect([after(GROUPINGS, 'need'), after(GROUPINGS, 'host')]).toEqual(['repository', 'need']);
  });
});
