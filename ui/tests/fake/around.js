// What the fake answers around boxes: queue, line, statistics, processes, trash, orphans, how it is.
import { refuse, reply } from './commands.js';
import { AUTH_DIFF } from './diffs.js';

const page = (items) => ({ json: { items } });

/** Figures as of now: a box that runs is looked at every five seconds, however long ago a story began. */
function fresh(use) {
  if (!use) return undefined;
  const moved = Date.now() - Date.parse(use.latest.sampled_at);
  const now = (look) => ({ ...look, sampled_at: new Date(Date.parse(look.sampled_at) + moved).toISOString() });
  return { ...use, latest: now(use.latest), history: use.history.map(now) };
}

export const AROUND = {
  'GET /health': (world) => ({ json: world.status }),
  'GET /statistics': (world) => page([...world.uses.values()].map(fresh).map(({ history: _, ...one }) => one)),
  'GET /trash': (world) => ({ json: { items: world.trash, unreadable: [] } }),
  'GET /repos/branches': (_world, query) => page(['feature/login', 'feature/logout', 'release'].filter((name) => name.includes(query.get('prefix') ?? '')).map((name) => ({ name, kind: 'local', commit: 'a'.repeat(40), committed_at: '2026-11-21T20:00:00.000Z' }))),
};

const queueOf = (task) => ({ json: { items: task.view.follow_ups ?? [], ...(task.view.follow_ups_hold ? { hold: task.view.follow_ups_hold } : {}) } });
const lost = () => refuse(409, 'conflict', 'this message went to the agent meanwhile: it stands in the conversation');

function queued(act) {
  return (world, [, id, input], body) => {
    const task = world.tasks.get(decodeURIComponent(id));
    const one = task?.view.follow_ups?.find((item) => item.input_id === decodeURIComponent(input ?? ''));
    return one ? act(world, task, one, body) : lost();
  };
}

function ofTrash(act) {
  return (world, [, id, number], body) => {
    const at = world.trash.findIndex((one) => one.task_id === decodeURIComponent(id) && one.number === Number(number));
    return at === -1 ? refuse(404, 'not_found', 'there is nothing kept under this number', { what: 'trash' }) : act(world, at, body);
  };
}

function orphan(act) {
  return (world, [, id], body) => {
    const at = world.orphans.findIndex((one) => one.task_id === decodeURIComponent(id));
    return at === -1 ? refuse(404, 'not_found', 'there is no such box', { what: 'box' }) : act(world, at, body);
  };
}

export const AROUND_TASK = [
  [/^PATCH \/tasks\/([^/]+)\/queue$/, (world, [, id], { order }) => {
    world.tell(id, 'follow_ups_ordered', { input_ids: order });
    return queueOf(world.tasks.get(id));
  }],
  [/^PATCH \/tasks\/([^/]+)\/queue\/([^/]+)$/, queued((world, task, one, { text }) => {
    world.tell(task.id, 'follow_up_edited', { input_id: one.input_id, content: text });
    return queueOf(task);
  })],
  [/^DELETE \/tasks\/([^/]+)\/queue\/([^/]+)$/, queued((world, task, one) => {
    world.tell(task.id, 'follow_up_removed', { input_id: one.input_id });
    return queueOf(task);
  })],
  [/^POST \/tasks\/([^/]+)\/queue\/([^/]+)\/send$/, queued((world, task, one) => {
    const during = task.view.state === 'running';
    if (!during) world.state(task.id, 'running', 'engaged');
    world.tell(task.id, 'user_message', { input_id: one.input_id, content: one.content, ...(during ? { during_turn: true } : {}) });
    setTimeout(() => reply(world, task.id, one.content), 100);
    return { json: { input_id: one.input_id, queued: false } };
  })],
  [/^POST \/tasks\/([^/]+)\/place$/, (world, [, id], { to }) => {
    const { view } = world.tasks.get(id);
    view.place = { ...view.place, position: to === 'front' ? 1 : view.place.of };
    world.tell(id, 'place_moved', { rank: to === 'front' ? -1 : 1 });
    return { json: view.place };
  }],
  [/^GET \/tasks\/([^/]+)\/statistics$/, (world, [, id]) => ({ json: fresh(world.uses.get(id)) ?? { task_id: id, following: false, every_ms: 5000 } })],
  [/^GET \/tasks\/([^/]+)\/processes$/, (world) => ({ json: { items: world.processes, more: false } })],
  [/^POST \/tasks\/([^/]+)\/processes\/(\d+)\/signal$/, (world, [, id, pid], { signal, start }) => {
    const one = world.processes.find((process) => process.pid === Number(pid) && process.start === start);
    if (!one) return refuse(409, 'conflict', 'this process is gone');
    if (signal === 'term' || signal === 'kill') world.processes = world.processes.filter((process) => process !== one);
    return { status: 202, json: { task_id: id, state: 'running', seq: 1 } };
  }],
  [/^GET \/trash\/([^/]+)\/(\d+)$/, ofTrash((world, at) => ({ json: { entry: world.trash[at], files: { files: [], added: 12, removed: 3, commits: 0, uncommitted: 1 }, commits: [{ commit: '9ab3c1d2e4f5061728394a5b6c7d8e9f00112233', subject: 'session: Refuse what has expired', author: 'Claude', committed_at: '2026-11-21T20:00:00.000Z', files: 2, added: 14, removed: 3 }], more_commits: 0, diff: AUTH_DIFF.slice(0, AUTH_DIFF.indexOf('diff --git a/src/session.rs')), truncated: false } }))],
  [/^POST \/trash\/([^/]+)\/(\d+)\/restore$/, ofTrash((world, at, { branch }) => (branch === 'main' ? refuse(409, 'conflict', 'the branch main exists: choose another name') : { json: { repository: world.trash[at].repository, branch: branch ?? `${world.trash[at].branch}-restored`, commit: world.trash[at].commit, others: [] } }))],
  [/^DELETE \/trash\/([^/]+)\/(\d+)$/, ofTrash((world, at) => {
    const [gone] = world.trash.splice(at, 1);
    return { json: { ref: gone.ref, commit: gone.commit } };
  })],
  [/^POST \/hosts\/[^/]+\/orphans\/([^/]+)\/adopt$/, orphan((world, at) => {
    const [{ task_id }] = world.orphans.splice(at, 1);
    const task = world.create(task_id, { prompt: 'What a box without a task had begun', repositories: [{ path: '/home/ada/api-server' }] });
    world.state(task_id, 'stopped', 'ended');
    return { status: 201, json: task.view };
  })],
  [/^POST \/hosts\/[^/]+\/orphans\/([^/]+)\/remove$/, orphan((world, at, { force }) => {
    if (!force) return refuse(409, 'would_lose', 'its repository is gone, so that nothing can be kept: repeat with force to remove it all the same');
    world.orphans.splice(at, 1);
    return { status: 202, json: { items: world.orphans } };
  })],
];
