// What the fake answers around tasks that go on otherwise: forks, hand-offs, groups that are compared, and the
// terminals in boxes (what is seen and typed there: tests/journeys/shell.js).
import { refuse, begin } from './commands.js';
import { AUTH_DIFF, CACHE_DIFF } from './diffs.js';
import { MINUTE, REPO, say, setUp, stat, tool, use } from './telling.js';
import { summaryOf } from './world.js';

const page = (items) => ({ json: { items } });

/** A group as it is now. */
function groupOf(world, group) {
  const members = group.members.map((id) => {
    const { view, checked } = world.tasks.get(id);
    return { task: summaryOf(view), harness: view.spec.harness, ...(view.spec.model ? { requested_model: view.spec.model } : {}), worked_ms: group.worked?.[id] ?? 1400, tool_calls: view.tool_calls, ...(checked ? { check: checked } : {}) };
  });
  return { group_id: group.group_id, title: members[0].task.title, created_at: group.created_at, ...(group.check ? { check: group.check } : {}), ...(group.winner ? { winner: group.winner } : {}), members };
}

function ofGroup(act) {
  return (world, [, id], body) => {
    const group = world.groups.get(decodeURIComponent(id));
    return group ? act(world, group, body) : refuse(404, 'not_found', 'there is no such group', { what: 'group' });
  };
}

function makeGroup(world, { task, also, check }) {
  const group = { group_id: `g-${world.groups.size + 1}`, created_at: new Date().toISOString(), check, members: [] };
  world.groups.set(group.group_id, group);
  for (const one of [{ harness: task.harness, model: task.model }, ...also]) {
    const id = `t-${group.group_id}-${group.members.length + 1}`;
    const { request_key: _, ...spec } = task;
    world.create(id, { ...spec, harness: one.harness, model: one.model, group: { group_id: group.group_id, ...(check ? { check } : {}) } });
    group.members.push(id);
    setTimeout(() => begin(world, id), 60);
  }
  return { status: 201, json: groupOf(world, group) };
}

/** The check passes where something was changed. */
function checkGroup(world, group, { command = group.check }) {
  const items = group.members.map((id) => {
    const task = world.tasks.get(id);
    const changed = task.view.repositories.some((one) => one.diff.files.length > 0);
    const result = { command, exit_code: changed ? 0 : 101, duration_ms: 2100, output: changed ? 'test result: ok. 31 passed' : 'test an_expired_token_is_refused ... FAILED\n\ntest result: FAILED. 30 passed; 1 failed', finished_at: new Date().toISOString() };
    task.checked = result;
    world.tell(id, 'check_finished', result);
    return { task_id: id, result };
  });
  return page(items);
}

function pick(world, group, { task_id: winner, purge_others: purge }) {
  group.winner = winner;
  for (const id of group.members) {
    world.tell(id, 'winner_picked', { group_id: group.group_id, winner });
    if (id !== winner && purge) world.state(id, 'purging', 'purge_requested');
  }
  return { json: groupOf(world, group) };
}

const ofTask = (act) => (world, [, id, name], body) => {
  const task = world.tasks.get(decodeURIComponent(id));
  return task ? act(world, task, body, decodeURIComponent(name ?? '')) : refuse(404, 'not_found', 'there is no such task', { what: 'task' });
};

const terminals = (world, id) => {
  if (!world.terminals.has(id)) world.terminals.set(id, []);
  return world.terminals.get(id);
};

export const HAND = {
  'GET /groups': (world) => page([...world.groups.values()].reverse().map((one) => groupOf(world, one))),
  'POST /groups': (world, _query, body) => makeGroup(world, body),
};

export const HAND_TASK = [
  [/^GET \/groups\/([^/]+)$/, ofGroup((world, group) => ({ json: groupOf(world, group) }))],
  [/^POST \/groups\/([^/]+)\/check$/, ofGroup(checkGroup)],
  [/^POST \/groups\/([^/]+)\/pick$/, ofGroup(pick)],
  [/^POST \/tasks\/([^/]+)\/fork$/, ofTask((world, task, { prompt, uncommitted, with: other }) => {
    if (prompt.includes('full')) return refuse(503, 'overloaded', 'the disk of this host is full: make room, then try again');
    const id = `t-fork-${world.tasks.size}`;
    const { group: _, ...spec } = task.view.spec;
    const made = world.create(id, { ...spec, prompt, title: undefined, ...(other ?? {}), origin: { kind: 'fork', task_id: task.id, seq: task.events.length } });
    made.uncommitted = uncommitted;
    task.view.forks = [...(task.view.forks ?? []), { task_id: id, title: made.view.title }];
    setTimeout(() => begin(world, id), 60);
    return { status: 201, json: made.view };
  })],
  [/^POST \/tasks\/([^/]+)\/handoff$/, ofTask((world, task, { to }) => {
    const from = task.view.spec.harness;
    task.view.spec = { ...task.view.spec, harness: to.harness, model: to.model };
    world.tell(task.id, 'provider_switched', { from_provider: from, to_provider: to.harness, ...(to.model ? { to_model: to.model } : {}), reason: 'handed off' });
    return { status: 202, json: { task_id: task.id, state: task.view.state, seq: task.events.length } };
  })],
  [/^GET \/tasks\/([^/]+)\/terminals$/, ofTask((world, task) => ({ json: { items: terminals(world, task.id), agent: true, folder: '/home/ada/.local/share/paddock/worktrees/t' } }))],
  [/^POST \/tasks\/([^/]+)\/terminals$/, ofTask((world, task, { what }) => {
    const all = terminals(world, task.id);
    const nth = all.reduce((most, one) => Math.max(most, Number(one.name.split('-')[1])), 0) + 1;
    all.push({ name: `${what}-${nth}`, what, program: '/bin/bash', size: { rows: 24, cols: 80 }, opened_at: new Date().toISOString() });
    return { status: 201, json: all.at(-1) };
  })],
  [/^DELETE \/tasks\/([^/]+)\/terminals\/([^/]+)$/, ofTask((world, task, _body, name) => {
    const all = terminals(world, task.id);
    const at = all.findIndex((one) => one.name === name);
    if (at === -1) return refuse(404, 'not_found', 'there is no such terminal', { what: 'terminal' });
    all.splice(at, 1);
    return { json: { exit: { how: 'signal', signal: 1 } } };
  })],
];

/** Two agents and a third that changed nothing, all done with one prompt; the id of their group. */
export function rivals(world) {
  const prompt = 'Refuse tokens that have expired: the test that shows it is there already';
  const members = [
    { id: 't-rival-1', harness: 'claude', model: 'opus', diff: AUTH_DIFF, files: [{ path: 'src/login.rs', added: 12, removed: 3 }, { path: 'src/session.rs', added: 4, removed: 1 }], usd: 0.42 },
    { id: 't-rival-2', harness: 'codex', model: 'gpt-5.2-codex', diff: CACHE_DIFF, files: [{ path: 'src/render.ts', added: 9, removed: 2 }], usd: 0.11 },
    { id: 't-rival-3', harness: 'claude', model: 'haiku', diff: '', files: [], usd: 0.02 },
  ];
  const group = { group_id: 'g-auth', created_at: new Date(Date.now() - 30 * MINUTE).toISOString(), check: 'cargo test', members: members.map(({ id }) => id), worked: { 't-rival-1': 184_000, 't-rival-2': 96_000, 't-rival-3': 21_000 } };
  world.groups.set(group.group_id, group);
  for (const [nth, { id, harness, model, diff, files, usd }] of members.entries()) {
    world.create(id, { prompt, harness, model, repositories: [{ path: REPO }], group: { group_id: group.group_id, check: group.check } }, 30 * MINUTE);
    setUp(world, id, { branch: `paddock-2${nth}`, model });
    tool(world, id, { tool: 'bash', command: 'cargo test' }, { exit_code: 0, output: 'ok' }, 12_400);
    if (files.length > 0) stat(world, id, files, { commits: 1, uncommitted: 0 });
    use(world, id, usd, 31_000);
    say(world, id, files.length > 0 ? 'Expired tokens are refused.' : 'I could not reproduce it.');
    world.tell(id, 'turn_finished', { outcome: 'completed', duration_ms: group.worked[id] });
    world.tasks.get(id).turn = undefined;
    world.state(id, 'waiting', { rested: 'prompt' });
    world.tasks.get(id).diffs.set(REPO, diff);
  }
  return group.group_id;
}
