// What the fake answers to calls that are no streams. Commands change the journal, as the real ones do.
import { chosen, chosenOne } from './chosen.js';
import { offersOf } from './offers.js';
import { AROUND, AROUND_TASK } from './around.js';
import { HAND, HAND_TASK } from './hand.js';
import { JOURNALS, JOURNALS_TASK } from './journals.js';
import { POLICY, POLICY_ONE } from './policy.js';
import { summaryOf } from './world.js';

export const refuse = (status, code, message, details = null) => ({ status, json: { error: { code, message, details } } });

export async function handle(world, method, path, query, body) {
  const fixed = [FIXED, AROUND, HAND, JOURNALS, POLICY, chosen].map((all) => all[`${method} ${path}`]).find((one) => one);
  if (fixed) return fixed(world, query, body);
  for (const [pattern, act] of [...AROUND_TASK, ...HAND_TASK, ...JOURNALS_TASK, ...POLICY_ONE, ...chosenOne]) {
    const found = pattern.exec(`${method} ${path}`);
    if (found) return act(world, found, body, query);
  }
  const [, id, verb = ''] = /^\/tasks\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  const task = id && world.tasks.get(id);
  if (!task) return refuse(404, 'not_found', 'there is no such task', { what: 'task' });
  const act = VERBS[`${method} ${verb.split('/')[0]}`];
  if (!act) return refuse(404, 'not_found', `there is nothing at ${path}`);
  return (await act(world, task, body, query, verb)) ?? { json: { task_id: id, state: task.view.state, seq: task.events.length } };
}

const FIXED = {
  'GET /version': () => ({ json: { version: '0.1.0', api: 'v1' } }),
  'GET /tasks': (world, query) => ({ json: { items: [...world.tasks.values()].map((task) => summaryOf(task.view)).filter((one) => (one.archived_at !== undefined) === (query.get('archived') === 'true')).reverse() } }),
  'POST /tasks': (world, _query, spec) => {
    if ((spec.prompt ?? '').trim() === '') return refuse(400, 'invalid', 'the prompt is empty: say what the agent is to do');
    if (spec.repositories.some((one) => one.path.includes('missing'))) return refuse(404, 'not_found', 'there is no repository at this path: make one with `git init`', { what: 'repository' });
    const id = `t-new-${world.tasks.size}`;
    const task = world.create(id, spec);
    setTimeout(() => begin(world, id), 60);
    return { status: 201, json: task.view };
  },
  'GET /doctor': () => ({ json: { items: DOCTOR } }),
  'GET /hosts': (world) => ({ json: { items: [{ name: 'local', parallel_tasks: 8, working: [...world.tasks.values()].filter((task) => task.view.state === 'running').length, pending: 1, orphans: world.orphans, at_work: [], line: [] }, ...world.hosts] } }),
  'GET /repos': () => ({ json: { items: [{ path: '/home/ada/api-server', tasks: 12, last_used_at: '2026-11-21T20:00:00.000Z' }, { path: '/home/ada/web', tasks: 4, last_used_at: '2026-11-20T20:00:00.000Z' }] } }),
  'GET /repos/inspect': (_world, query) =>
    query.get('path').includes('missing')
      ? refuse(404, 'not_found', `there is no repository at ${query.get('path')}`, { what: 'repository' })
      : { json: { path: query.get('path'), branch: 'main', default_branch: 'main', dirty: true, shallow: false, remotes: ['origin'], notices: [] } },
  'GET /harnesses': (world) => ({ json: { items: harnessesOf(world) } }),
  'POST /auth/exchange': (world, _query, { code }) => {
    if (code !== 'good-code') return refuse(401, 'unauthenticated', 'this code is not good');
    world.signedIn = true;
    return { status: 200, json: {} };
  },
  'DELETE /auth/session': (world) => {
    world.signedIn = false;
    return { json: {} };
  },
};

const DOCTOR = [
  { name: 'git', ok: true, detail: '2.43.0' },
  { name: 'Docker Engine', ok: true, detail: '27.3.1 at /var/run/docker.sock' },
  { name: 'Landlock', ok: true, detail: 'version 5: worktrees are confined' },
  { name: 'Claude Code', ok: true, detail: '2.0.31 installed' },
  { name: 'Codex', ok: false, detail: 'not installed', remedy: 'Install it with `paddock harness install codex`.' },
  { name: 'ANTHROPIC_API_KEY', ok: true, detail: 'set in the environment of the server' },
];
const program = (harness, version) => ({ harness, version, dir: `/toolbox/${harness}/${version}`, program: harness, sha256: 'ab'.repeat(32) });
const abilities = (models, efforts) => ({
  resume: true, interrupt: true, steer: true, approvals: ['once', 'task'], permission_modes: ['full_auto', 'accept_edits', 'ask', 'plan'], questions: true,
  models: { choice: 'free', suggestions: models }, model_switch: true, efforts, images: true, compact: true, edited_input: true,
});
const HARNESSES = [
  { name: 'claude', versions: ['2.0.31'], installed: [program('claude', '2.0.31')], abilities: abilities(['opus', 'sonnet', 'haiku'], []), provider_set: ['ANTHROPIC_API_KEY'] },
  { name: 'codex', versions: ['0.58.0'], installed: [], abilities: abilities(['gpt-5.2-codex'], ['low', 'medium', 'high']), provider_set: [] },
];

/** As they are after what was installed, and with the keys that were kept. */
function harnessesOf(world) {
  return HARNESSES.map((one) => ({
    ...one,
    abilities: world.adopts ? { ...one.abilities, adopt: true } : one.abilities,
    installed: world.installed.has(one.name) ? [program(one.name, one.versions[0])] : one.installed,
    provider_set: [...one.provider_set, ...world.policy.secrets.filter((name) => name.startsWith(`provider.${one.name}.`)).map((name) => name.split('.')[2])],
  }));
}

const needs = (task, action) => (task.view.allowed.includes(action) ? undefined : refuse(409, 'not_now', `${action} is not possible while the task is ${task.view.state}`, { action, state: task.view.state }));

/** Resumes the agent, if nothing is left to answer. */
function engage(world, task) {
  const { questions, approvals, plan } = task.view;
  if (questions.length + approvals.length > 0 || plan || task.view.state === 'running') return;
  world.state(task.id, 'running', 'engaged');
}

/** What the agent of a task had, the last one first. */
const sessionsOf = ({ view }) => [
  { harness: view.spec.harness, session_id: 's-now', title: view.title, last_at: view.updated_at, size: 48_000, prompts: 3 },
  { harness: view.spec.harness, session_id: 's-before', title: 'Before the context was emptied', last_at: view.created_at, size: 91_000, prompts: 12 },
];

const VERBS = {
  'GET ': (_world, task) => ({ json: task.view }),
  'GET offers': (_world, task) => offersOf(task),
  'POST send': (world, task, { input_id, text, when }) => {
    if (when === 'after_turn') {
      world.tell(task.id, 'follow_up_queued', { input_id, content: text });
      return { json: { input_id, queued: true } };
    }
    const refused = needs(task, 'send');
    if (refused) return refused;
    if (text.includes('refuse this')) return refuse(503, 'overloaded', 'the queue of this task is full; try again in a moment');
    const during = task.view.state === 'running';
    if (!during) world.state(task.id, 'running', 'engaged');
    task.turn ??= `turn-${task.id}-${task.view.turns + 1}`;
    world.tell(task.id, 'user_message', { input_id, content: text, ...(during ? { during_turn: true } : {}) });
    setTimeout(() => reply(world, task.id, text), 150);
    return { json: { input_id } };
  },
  'POST answer': (world, task, { question_id, answer }) => {
    const refused = needs(task, 'answer');
    if (refused) return refused;
    if (!task.view.questions.some((one) => one.question_id === question_id)) return refuse(409, 'conflict', 'this question was answered already', { paths: [] });
    world.tell(task.id, 'question_answered', { question_id, answer });
    engage(world, task);
  },
  'POST approval': (world, task, { approval_id, decision }) => {
    world.tell(task.id, 'approval_resolved', { approval_id, decision });
    engage(world, task);
  },
  'POST plan': (world, task, { plan_id, decision }) => {
    world.tell(task.id, 'plan_resolved', { plan_id, decision });
    engage(world, task);
  },
  'POST aside': (world, task, { aside = true, up_to_seq = task.events.length, seen = false }) => {
    const { view } = task;
    const possible = view.allowed.includes(aside ? 'put_aside' : 'take_up');
    const asked = ['asking', 'has_plan'].includes(view.state) || view.silent_since !== undefined;
    if (!possible || (aside && (up_to_seq < view.called_seq || (seen && asked)))) return;
    world.tell(task.id, aside ? 'put_aside' : 'taken_up', aside ? { up_to_seq } : {});
  },
  'POST archive': (world, task, { archived = true }) => {
    const refused = needs(task, archived ? 'archive' : 'unarchive');
    if (refused) return refused;
    world.tell(task.id, archived ? 'archived' : 'unarchived');
  },
  'GET agent-sessions': (_world, task) => ({ json: { items: sessionsOf(task) } }),
  'POST agent-sessions': (world, task, _body, _query, verb) => {
    const refused = needs(task, 'revive');
    if (refused) return refused;
    world.tell(task.id, 'agent_session_named', { session_id: verb.split('/')[1] });
    world.state(task.id, 'provisioning', 'revive_requested');
    world.state(task.id, 'starting', 'box_ready');
    world.state(task.id, 'waiting', 'resumed');
  },
  'POST compact': (world, task, { about }) => {
    world.tell(task.id, 'context_condensed', { policy: 'requested', tokens_before: 48_000, tokens_after: 9_000, ...(about ? { summary_text: `Kept: ${about}` } : {}) });
  },
  'POST interrupt': (world, task) => {
    const refused = needs(task, 'interrupt');
    if (refused) return refused;
    world.tell(task.id, 'turn_finished', { outcome: 'interrupted' });
    world.state(task.id, 'waiting', { rested: 'prompt' });
  },
  'POST stop': (world, task) => {
    const refused = needs(task, 'stop');
    if (refused) return refused;
    world.state(task.id, 'stopping', 'stop_requested');
    setTimeout(() => {
      world.tell(task.id, 'run_ended', { exit: { how: 'code', code: 0 } });
      world.state(task.id, 'stopped', 'ended');
    }, 80);
  },
  'POST revive': (world, task) => {
    const refused = needs(task, 'revive');
    if (refused) return refused;
    world.state(task.id, 'provisioning', 'revive_requested');
    world.state(task.id, 'starting', 'box_ready');
    world.tell(task.id, 'run_started', { harness: task.view.spec.harness, version: '2.0.31', resumed: true });
    world.state(task.id, 'waiting', 'resumed');
  },
  'GET purge': (_world, task) => ({ json: { uncommitted: task.view.repositories.flatMap((one) => (one.diff.uncommitted > 0 ? one.diff.files.slice(0, one.diff.uncommitted).map((file) => `${one.path}/${file.path}`) : [])), unpushed: task.view.repositories.reduce((sum, one) => sum + (one.pushed ? 0 : one.diff.commits), 0), unknown: null } }),
  'POST purge': (world, task, { force }) => {
    const dirty = task.view.repositories.some((one) => one.diff.uncommitted > 0 || (one.diff.commits > 0 && !one.pushed));
    if (dirty && !force) return refuse(409, 'would_lose', 'work would be lost: repeat with force to go on');
    world.trash.unshift({ task_id: task.id, number: 1, repository: task.view.repositories[0]?.path ?? '/none', ref: `refs/paddock/trash/${task.id}/1`, commit: 'ab12cd34'.repeat(5), kept_at: new Date().toISOString(), reason: 'purge', title: task.view.title, branch: task.view.repositories[0]?.branch, uncommitted: 1, ignored: { files: 0, bytes: 0, kept: true }, others: [], expires_at: undefined });
    task.before = task.view.state;
    world.state(task.id, 'purging', 'purge_requested');
  },
  'POST restore': (world, task) => void world.state(task.id, 'stopped', 'purge_undone'),
  'GET diff': (_world, task, _body, query) => {
    const whole = task.diffs.get(query.get('repository') ?? '') ?? [...task.diffs.values()][0] ?? '';
    const files = whole.split(/(?=^diff --git )/m);
    // What is not committed are the last files, what is are the others.
    if (query.get('what') === 'uncommitted') return { text: files.slice(-2).join('') };
    if (query.get('what') === 'committed') return { text: files.slice(0, -2).join('') };
    return { text: query.get('commit') ? (files[0] ?? '') : whole };
  },
  'GET commits': (_world, task, _body, query) => ({ json: { repositories: task.view.repositories.filter((one) => [null, one.path].includes(query.get('repository'))).map((one) => ({ path: one.path, branch: one.branch, base: one.base, base_commit: one.base_commit, more: false, uncommitted: one.diff.uncommitted, commits: Array.from({ length: one.diff.commits }, (_, nth) => ({ commit: `${nth + 3}f1c2ab9d0e37c65a1b2c3d4e5f60718293a4b5c`, subject: nth === 0 ? 'docs: Say how long a token is good' : 'session: Begin', author: 'Claude', committed_at: '2026-11-21T20:00:00.000Z', files: 1, added: 3, removed: 2 })) })) } }),
  'GET commit': (_world, task) => ({
    json: { repositories: task.view.repositories.filter((one) => one.diff.uncommitted > 0).map((one) => ({ repository: one.path, files: one.diff.files.slice(0, one.diff.uncommitted), left_out: ['target/debug/trace.log'], findings: [], token: 'tree-1' })) },
  }),
  'POST commit': (world, task, { repository, message, files }) => {
    const commit = 'c0ffee1234567890c0ffee1234567890c0ffee12';
    const view = task.view.repositories.find((one) => one.path === repository);
    const left = files === undefined ? 0 : view.diff.uncommitted - files.length;
    task.chosen = files;
    world.tell(task.id, 'commit_made', { repository, commit, subject: message.split('\n')[0] });
    world.tell(task.id, 'diff_stat', { repository, stat: { ...view.diff, commits: view.diff.commits + 1, uncommitted: left } });
    return { json: { commit } };
  },
  'GET squash': (_world, task) => ({ json: { repositories: task.view.repositories.map((one) => ({ repository: one.path, onto: 'main', conflicts: task.id === 't-auth' ? ['src/login.rs'] : [] })) } }),
  'POST sync': (world, task, { allow, target }) => {
    if (task.id === 't-auth' && target !== 'local' && allow.length === 0) {
      const findings = [{ repository: task.view.repositories[0].path, id: 'f1', rule: 'generic-api-key', path: 'tests/fixtures/token.json', line: 3, excerpt: '"api_key": "sk-…4f2a"' }];
      return refuse(409, 'findings', '1 finding holds the push back: look at it, then name it to let it pass', { findings });
    }
    return { json: { repositories: task.view.repositories.map((one) => {
      const pushed = target === 'local' ? null : `origin/${one.branch}`;
      if (pushed) world.tell(task.id, 'branch_pushed', { repository: one.path, remote: 'origin', branch: one.branch, commit: 'c0ffee1234567890c0ffee1234567890c0ffee12', squashed: target === 'default' });
      return { path: one.path, branch: one.branch, commit: 'c0ffee1234567890c0ffee1234567890c0ffee12', brought_out: one.diff.commits, pushed_to: pushed, note: null };
    }) } };
  },
  'GET artifacts': (world, _task, _body, _query, verb) => ({ text: world.outputs.get(verb.split('/')[1]) ?? '' }),
};

/** The agent's answer to a message, streamed word by word. */
export function reply(world, id, text) {
  const words = `I will take care of it: *${text.split('\n')[0]}*\n\nDone, and the tests pass.`.split(/(?<=\s)/);
  let at = 0;
  const step = () => {
    const task = world.tasks.get(id);
    if (task.view.state !== 'running') return;
    if (at < words.length) {
      world.delta(id, 'text', 'reply', words[at]);
      at += 1;
      setTimeout(step, 30);
      return;
    }
    world.tell(id, 'assistant_message', { blocks: [{ kind: 'text', content: words.join('') }] });
    world.tell(id, 'turn_finished', { outcome: 'completed', duration_ms: 900 });
    task.turn = undefined;
    const next = task.view.follow_ups?.[0];
    if (next) {
      task.turn = `turn-${id}-${task.view.turns + 1}`;
      world.tell(id, 'user_message', { input_id: next.input_id, content: next.content });
      setTimeout(() => reply(world, id, next.content), 50);
      return;
    }
    world.state(id, 'waiting', { rested: 'prompt' });
  };
  step();
}

/** Sets a new task up and lets it work. */
export function begin(world, id) {
  const task = world.tasks.get(id);
  world.state(id, 'branching', 'scheduled');
  for (const { path } of task.view.spec.repositories) world.tell(id, 'branch_claimed', { repository: path, branch: 'paddock-20', base: 'main', base_commit: 'a'.repeat(40), adopted: false });
  world.state(id, 'provisioning', 'branched');
  world.tell(id, 'box_created', { kind: 'container', name: `paddock-${id}`, image: 'debian:12' });
  void Promise.all([new Promise((resolve) => setTimeout(resolve, 400)), world.gate]).then(() => {
    world.state(id, 'starting', 'box_ready');
    world.tell(id, 'run_started', { harness: task.view.spec.harness, version: '2.0.31', resumed: false });
    world.state(id, 'running', 'prompted');
    task.turn = `turn-${id}-1`;
    world.tell(id, 'user_message', { input_id: 'first', content: task.view.spec.prompt });
    reply(world, id, task.view.spec.prompt);
  });
}
