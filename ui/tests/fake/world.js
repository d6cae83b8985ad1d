// The tasks of the fake: journals, and each task as the fold of its journal, after the domain's rules.
import { createHash } from 'node:crypto';
import { choices } from './chosen.js';
import { policies } from './policy.js';

const ALLOWED = {
  pending: ['purge', 'queue'], branching: ['purge'], provisioning: ['purge'], starting: ['purge'],
  running: ['send', 'queue', 'interrupt', 'stop', 'commit', 'sync', 'fork', 'purge'],
  waiting: ['send', 'queue', 'stop', 'commit', 'sync', 'fork', 'hand_off', 'purge'],
  asking: ['answer', 'send', 'queue', 'interrupt', 'stop', 'commit', 'sync', 'fork', 'hand_off', 'purge'],
  has_plan: ['answer', 'send', 'queue', 'interrupt', 'stop', 'commit', 'sync', 'fork', 'hand_off', 'purge'],
  pulling: [], pushing: [], stopping: ['purge'],
  stopped: ['send', 'queue', 'revive', 'commit', 'sync', 'fork', 'hand_off', 'purge'],
  crashed: ['send', 'queue', 'revive', 'commit', 'sync', 'fork', 'hand_off', 'purge'],
  purging: ['restore'], failed: ['purge'], purged: [],
};

export class World {
  tasks = new Map();
  signedIn = true;
  /** Whether streams that are opened are turned away, as by a server that is not there. */
  away = false;
  /** What boxes of new tasks wait for before they are ready, where something is. */
  gate;
  listeners = new Set();
  outputs = new Map();
  /** Whether agents take sessions that they had before. */
  adopts = false;
  /** Files by hash: what was uploaded, and what tools showed. */
  kept = new Map();
  trash = [];
  orphans = [];
  /** Hosts beside the one that Paddock runs on. */
  hosts = [];
  /** Agent programs that were installed, and what an installation does; it is refused where that is nothing. */
  installed = new Set();
  installs;
  processes = [];
  groups = new Map();
  /** Terminals by task. */
  terminals = new Map();
  /** What is kept too long, and tasks whose journals are damaged. */
  expired = [];
  damaged = new Set();
  policy = policies();
  chosen = choices();
  uses = new Map();
  status = { status: 'ok', loading: false, phases: { journals: 'done', repositories: 'done', hosts: 'done' }, disk: { state: 'ok', free_bytes: 120_000_000_000, low_water_bytes: 512 << 20 } };
  /** How often each stream was opened, by path. */
  opened = new Map();

  /** Keeps a file; what a message or a call says of it. */
  keep(content, name) {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const media_type = content.subarray(1, 4).toString() === 'PNG' ? 'image/png' : 'text/plain';
    this.kept.set(sha256, { content, media_type });
    return { sha256, name, media_type, size: content.length };
  }

  /** A task from its specification, `ago` milliseconds old. */
  create(id, spec, ago = 0) {
    const full = { repositories: [], harness: 'claude', permission_mode: 'full_auto', host: 'local', box: {}, ...spec };
    const task = { id, events: [], streaming: [], clock: Date.now() - ago, view: undefined, diffs: new Map(), run: `run-${id}`, turn: undefined, turns: 0 };
    this.tasks.set(id, task);
    const line = full.prompt.split('\n').find((text) => text.trim() !== '') ?? '';
    this.tell(id, 'session_started', { task_description: full.title ?? line.slice(0, 80), project_path: full.repositories[0]?.path, coding_provider: full.harness, spec: full });
    return task;
  }

  /** Appends an event, `after` milliseconds after the last. */
  tell(id, type, body = {}, after = 40) {
    const task = this.tasks.get(id);
    task.clock = Math.min(Date.now(), task.clock + after);
    const seq = task.events.length + 1;
    const event = { event_id: `e-${id}-${seq}`, ts: new Date(task.clock).toISOString(), seq, task_id: id, ...(task.turn ? { run_id: task.run, turn_id: task.turn } : {}), ...body, type };
    task.events.push(event);
    record(task, event);
    if (type === 'assistant_message' || type === 'turn_finished') task.streaming = [];
    for (const [wanted, listener] of this.listeners) if (wanted === id || wanted === '*') listener.event(event);
    return event;
  }

  state(id, to, on, cause, after = 40) {
    const from = this.tasks.get(id).view.state;
    return this.tell(id, 'state_changed', { from, to, on, ...(cause ? { cause } : {}) }, after);
  }

  delta(id, kind, key, text) {
    const task = this.tasks.get(id);
    const delta = { task_id: id, kind, key, text };
    const known = task.streaming.find((one) => one.kind === kind && one.key === key);
    if (known) known.text += text;
    else task.streaming.push({ ...delta });
    for (const [wanted, listener] of this.listeners) if (wanted === id) listener.delta(delta);
  }

  /** Tells what is not in the journal, on the task's stream and on that of all tasks. */
  frame(id, name, data) {
    for (const [wanted, listener] of this.listeners) if (wanted === id || wanted === '*') listener.frame(name, data);
  }

  /** Where the link to a task's box stands. */
  link(id, link) {
    const view = this.tasks.get(id).view;
    view.link = { since_at: new Date().toISOString(), ...link };
    this.frame(id, 'link', { task_id: id, link: view.link });
  }

  health(changes) {
    this.status = { ...this.status, ...changes };
    this.frame('*', 'health', this.status);
  }

  listen(wanted, listener) {
    const entry = [wanted, listener];
    this.listeners.add(entry);
    return () => this.listeners.delete(entry);
  }

  /** Ends every stream, as a server does that goes away. */
  hangUp() {
    for (const [, listener] of this.listeners) listener.end();
    this.listeners.clear();
  }
}

const EMPTY_DIFF = { files: [], added: 0, removed: 0, commits: 0, uncommitted: 0 };

function record(task, event) {
  if (event.type === 'session_started') {
    task.view = {
      task_id: task.id, title: event.task_description, spec: event.spec, state: 'pending', allowed: ALLOWED.pending,
      created_at: event.ts, state_changed_at: event.ts, repositories: event.spec.repositories.map(({ path }) => ({ path, diff: EMPTY_DIFF })),
      questions: [], approvals: [], todos: [], turns: 0, tool_calls: 0, needs_me: false, called_seq: 0, aside_seq: 0,
      usage: { input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    };
  }
  const view = task.view;
  view.last_seq = event.seq;
  if (!MARKS.includes(event.type)) view.updated_at = event.ts;
  const repository = view.repositories.find((one) => one.path === event.repository);
  switch (event.type) {
    case 'state_changed':
      view.state = event.to;
      view.state_changed_at = event.ts;
      if (event.to === 'running') delete view.failure;
      break;
    case 'branch_claimed':
      if (repository) Object.assign(repository, { branch: event.branch, base: event.base, base_commit: event.base_commit });
      break;
    case 'box_created':
      Object.assign(view, { box_kind: event.kind, box_name: event.name });
      break;
    case 'diff_stat':
      if (repository) repository.diff = event.stat;
      break;
    case 'branch_pushed':
      if (repository) repository.pushed = `${event.remote}/${event.branch}@${event.commit}`;
      break;
    case 'error':
      view.failure = { class: event.class, message: event.message };
      break;
    case 'model_selected':
      view.model = event.model;
      break;
    case 'agent_session_named':
      view.agent_session = event.session_id;
      break;
    case 'todo_updated':
      view.todos = event.items;
      break;
    case 'usage_updated': {
      const { event_id: _1, ts: _2, seq: _3, task_id: _4, run_id: _5, turn_id: _6, type: _7, ...usage } = event;
      view.usage = usage;
      break;
    }
    case 'context_measured':
      view.usage = { ...view.usage, context_used: event.used, ...(event.limit === undefined ? {} : { context_limit: event.limit }) };
      break;
    case 'rate_limited': {
      const told = { name: event.name, used: event.used, resets_at: event.resets_at, blocked: event.blocked };
      const others = (view.rate_limits ?? []).filter((one) => one.name !== told.name);
      view.rate_limits = [...others, told].sort((a, b) => Number(b.blocked) - Number(a.blocked) || (b.used ?? 0) - (a.used ?? 0));
      view.rate_limit = view.rate_limits[0];
      break;
    }
    case 'retrying':
      view.retry = { attempt: event.attempt, attempts_max: event.attempts_max, class: event.class, reason: event.reason, delay_ms: event.delay_ms, since_at: event.ts };
      break;
    case 'retry_ended':
      delete view.retry;
      break;
    case 'put_aside':
      view.aside_seq = Math.max(view.aside_seq, event.up_to_seq);
      break;
    case 'taken_up':
      view.aside_seq = 0;
      break;
    case 'archived':
      view.archived_at = event.ts;
      break;
    case 'unarchived':
      delete view.archived_at;
      break;
    case 'agent_offers':
      view.offers_seq = event.seq;
      break;
    case 'agent_silent':
      view.silent_since = event.since_at;
      break;
    case 'agent_stirred':
      delete view.silent_since;
      break;
    case 'tool_call_started':
      view.tool_calls += 1;
      break;
    case 'run_started':
      view.run = { run_id: task.run, version: event.version, started_at: event.ts };
      break;
    case 'run_ended':
      if (view.run) view.run.exit = event.exit;
      withdraw(view);
      break;
    case 'follow_up_queued':
      view.follow_ups = [...(view.follow_ups ?? []), { input_id: event.input_id, content: event.content, queued_at: event.ts }];
      break;
    case 'follow_up_edited':
      view.follow_ups = view.follow_ups.map((one) => (one.input_id === event.input_id ? { ...one, content: event.content, edited_at: event.ts } : one));
      break;
    case 'follow_up_removed':
      view.follow_ups = view.follow_ups.filter((one) => one.input_id !== event.input_id);
      break;
    case 'follow_ups_ordered':
      view.follow_ups = event.input_ids.map((id) => view.follow_ups.find((one) => one.input_id === id));
      break;
    case 'user_message':
      view.follow_ups = (view.follow_ups ?? []).filter((one) => one.input_id !== event.input_id);
      delete view.follow_ups_hold;
      view.turn ??= { turn_id: event.turn_id ?? 'turn', started_at: event.ts };
      break;
    case 'turn_finished':
      delete view.turn;
      view.turns += 1;
      view.last_outcome = event.outcome;
      if (event.outcome !== 'completed') view.follow_ups_hold = event.outcome;
      withdraw(view);
      break;
    case 'question_asked':
      view.questions = [...view.questions, { question_id: event.question_id, header: event.header, text: event.text, choices: event.choices ?? [], multiple: event.multiple ?? false }];
      break;
    case 'question_answered':
      view.questions = view.questions.filter((one) => one.question_id !== event.question_id);
      break;
    case 'approval_requested': {
      const { approval_id, tool_call_id, tool, tool_name, summary, reason, input, scopes } = event;
      view.approvals = [...view.approvals, { approval_id, tool_call_id, tool, tool_name, summary, reason, input, scopes }];
      break;
    }
    case 'approval_resolved':
      view.approvals = view.approvals.filter((one) => one.approval_id !== event.approval_id);
      break;
    case 'plan_proposed':
      view.plan = { plan_id: event.plan_id, text: event.text };
      break;
    case 'plan_resolved':
      delete view.plan;
      break;
    default:
  }
  attend(view, event);
}

const MARKS = ['put_aside', 'taken_up', 'archived', 'unarchived'];
const CALLS = ['question_asked', 'approval_requested', 'plan_proposed', 'agent_silent'];

/** Whether the user is needed, and how they may keep the task in their lists. */
function attend(view, event) {
  const { on } = event;
  const rests = event.type === 'state_changed' && (typeof on === 'object' || ['resumed', 'crashed', 'failed'].includes(on));
  if (rests || CALLS.includes(event.type)) view.called_seq = event.seq;
  if (on === 'revive_requested') delete view.archived_at;
  const waits = ['waiting', 'asking', 'has_plan', 'crashed', 'failed'].includes(view.state) || view.silent_since !== undefined;
  const aside = view.aside_seq > 0 && view.aside_seq >= view.called_seq;
  const archived = view.archived_at !== undefined;
  view.needs_me = waits && !aside && !archived;
  const marks = [
    view.needs_me && 'put_aside', waits && aside && !archived && 'take_up',
    !archived && ['stopped', 'crashed', 'failed'].includes(view.state) && 'archive', archived && 'unarchive',
  ];
  view.allowed = [...ALLOWED[view.state], ...marks.filter((one) => one)];
}

function withdraw(view) {
  view.questions = [];
  view.approvals = [];
  delete view.plan;
}

/** A task as lists show it. */
export function summaryOf(view) {
  const { spec, questions, approvals, plan, follow_ups: waiting, todos: _t, tool_calls: _c, run: _r, box_name: _b, agent_session: _a, ...rest } = view;
  return {
    ...rest,
    ...(waiting?.length ? { follow_ups: waiting.length } : {}),
    harness: spec.harness,
    host: spec.host,
    open_requests: questions.length + approvals.length + (plan ? 1 : 0),
    repositories: view.repositories.map(({ path, branch, base, diff }) => ({
      path, branch, base, files: diff.files.length, added: diff.added, removed: diff.removed, commits: diff.commits, uncommitted: diff.uncommitted,
    })),
  };
}
