// What the fake answers around journals, what is kept too long, and other browsers.
import { refuse } from './commands.js';
import { MINUTE } from './telling.js';

const DAY = 24 * 60 * MINUTE;
const list = (items) => ({ json: { items, bytes: items.reduce((sum, one) => sum + one.bytes, 0) } });

/** Has things in the world that are kept longer than is wanted. */
export function tooLong(world) {
  const since = (days) => new Date(Date.now() - days * DAY).toISOString();
  world.expired = [
    { task_id: 't-old', title: 'Move the build to another runner', what: 'journal', bytes: 812_000, since: since(120) },
    { task_id: 't-auth', title: 'Fix the authentication bug', what: 'unreferenced', bytes: 44_000_000, since: since(3) },
  ];
}

/** Journals of all tasks, and of one that is not listed any more. */
function files(world) {
  const of = (task) => ({ task_id: task.id, form: task.view.state === 'purged' ? 'compressed' : 'plain', last_seq: task.events.length, text_bytes: JSON.stringify(task.events).length, file_bytes: JSON.stringify(task.events).length, archived: false, ...(world.damaged.has(task.id) ? { damage: 'the last line is half written' } : {}) });
  return [...[...world.tasks.values()].map(of), { task_id: 't-long-gone', form: 'compressed', last_seq: 4120, text_bytes: 9_400_000, file_bytes: 812_000, archived: true }];
}

export const JOURNALS = {
  'GET /journals': (world) => ({ json: { items: world.tasks.size > 0 ? files(world) : [] } }),
  'GET /retention': (world) => list(world.expired),
  'POST /retention': (world) => list(world.expired.splice(0)),
  'POST /auth/codes': () => ({ status: 201, json: { code: 'K7QF-2M9X', path: '/pair?code=K7QF-2M9X', expires_at: new Date(Date.now() + 10 * MINUTE).toISOString() } }),
};

const ofTask = (act) => (world, [, id], body) => {
  const task = world.tasks.get(decodeURIComponent(id));
  return task ? act(world, task, body) : refuse(404, 'not_found', 'there is no such task', { what: 'task' });
};

export const JOURNALS_TASK = [
  [/^GET \/tasks\/t-long-gone\/journal$/, () => ({ json: { task_id: 't-long-gone', form: 'compressed', lines: 4120, text_bytes: 9_400_000, artifacts: 0, findings: [] } })],
  [/^GET \/tasks\/([^/]+)\/journal$/, ofTask((world, task) => {
    const findings = world.damaged.has(task.id) ? [{ kind: 'torn', line: task.events.length + 1, text: 'the last line is half written: what it began is lost' }] : [];
    return { json: { task_id: task.id, form: 'plain', lines: task.events.length, text_bytes: 48_200, artifacts: 2, findings } };
  })],
  [/^POST \/tasks\/([^/]+)\/journal\/repair$/, ofTask((world, task, { dry_run: dry }) => {
    const steps = world.damaged.has(task.id) ? ['cut the half-written line off'] : [];
    if (!dry) world.damaged.delete(task.id);
    return { json: { task_id: task.id, steps, ...(dry || steps.length === 0 ? {} : { kept: 'journal.before-repair.1' }), last_seq: task.events.length } };
  })],
];
