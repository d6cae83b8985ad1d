// What one journal event, or one piece of a message, does to a transcript.
import type { Body, Delta, JournalEvent, ToolCallFinished, ToolKind } from '../../api/types';
import { LIVE_OUTPUT_MAX } from '../fold';
import type { Row, ToolCall } from '../rows';
import { isLive, type Draft } from './draft';
import { addStep, endSetup, onRunEnded, onState } from './life';
import { onTurnFinished, sumChanges, turnBegins } from './turn';

type Of<T extends Body['type']> = Extract<JournalEvent, { type: T }>;

/** Tools that only look: runs of them fold into one row. */
const LOOKING: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'glob', 'grep']);

/** A commit that is told again stands among this many rows. */
const RECENT = 40;

export function apply(draft: Draft, event: JournalEvent): void {
  const { seq, ts } = event;
  switch (event.type) {
    case 'session_started':
      draft.harness = event.coding_provider;
      // It is told after the prompt, and was before it.
      if (event.spec.origin?.kind === 'session') draft.push({ kind: 'past', seq, ts, harness: draft.harness, messages: [], leftOut: 0 });
      draft.push({ kind: 'user', seq, ts, text: event.spec.prompt, duringTurn: false, ...defined({ files: event.spec.attachments }) });
      draft.setup = draft.push({ kind: 'setup', seq, ts, steps: [], failed: false, again: false });
      return;
    case 'user_message':
      return onUserMessage(draft, event);
    case 'assistant_message':
      return onAssistant(draft, event);
    case 'thinking':
      return onThinking(draft, event);
    case 'tool_call_started':
      return onToolStarted(draft, event);
    case 'tool_call_finished':
      draft.changeCall(event.tool_call_id, (call) => ({ ...call, liveOutput: '', end: endOf(event) }));
      draft.open.delete(event.tool_call_id);
      return;
    case 'state_changed':
      return onState(draft, event);
    case 'branch_claimed':
      return addStep(draft, ts, {
        is: 'branch', branch: event.branch, base: event.base, adopted: event.adopted, repository: event.repository,
      });
    case 'box_created':
      return addStep(draft, ts, { is: 'box', kind: event.kind, name: event.name, image: event.image });
    case 'run_started':
      addStep(draft, ts, { is: 'run', harness: event.harness, version: event.version, resumed: event.resumed });
      return;
    case 'run_ended':
      return onRunEnded(draft, event);
    case 'turn_finished':
      return onTurnFinished(draft, event);
    case 'usage_updated':
      draft.usage = event;
      return;
    case 'diff_stat':
      draft.changes.set(event.repository, {
        files: event.stat.files.length + (event.stat.more_files ?? 0),
        added: event.stat.added,
        removed: event.stat.removed,
      });
      return refreshTurn(draft);
    case 'question_asked':
    case 'question_answered':
    case 'approval_requested':
    case 'approval_resolved':
    case 'plan_proposed':
    case 'plan_resolved':
      return onRequest(draft, event);
    case 'retrying':
      draft.push({ kind: 'retry', seq, ts, retry: event });
      return;
    case 'notice':
      if (event.phase && draft.setup !== undefined) {
        return addStep(draft, ts, { is: 'words', text: event.text }, event.level);
      }
      draft.push({ kind: 'notice', seq, ts, level: event.level, text: event.text });
      return;
    case 'error':
      return onError(draft, event);
    case 'commit_made':
      // Older journals tell it when it is made and again when it is brought out: once is enough.
      if (draft.rows.slice(-RECENT).some((row) => row.kind === 'commit' && row.commit === event.commit && row.repository === event.repository)) return;
      draft.push({ kind: 'commit', seq, ts, commit: event.commit, subject: event.subject, repository: event.repository });
      return;
    case 'repository_relinked':
      draft.push({ kind: 'notice', seq, ts, level: 'info', text: `${event.repository} → ${event.path}` });
      return;
    case 'branch_pushed':
      draft.push({
        kind: 'push', seq, ts, remote: event.remote, branch: event.branch, commit: event.commit, squashed: event.squashed,
      });
      return;
    case 'session_adopted': {
      const row = { kind: 'past', seq, ts, harness: event.harness, messages: event.messages, leftOut: event.left_out ?? 0 } as const;
      if (draft.rows[0]?.kind === 'past') draft.rows[0] = row;
      else draft.push(row);
      return;
    }
    case 'context_condensed':
      draft.push({
        kind: 'condensed', seq, ts, policy: event.policy, ...defined({ before: event.tokens_before, after: event.tokens_after, summary: event.summary_text }),
      });
      return;
    case 'provider_switched':
      draft.harness = event.to_provider;
      draft.push({ kind: 'switched', seq, ts, from: event.from_provider, to: event.to_provider, ...defined({ model: event.to_model }) });
      return;
    case 'agent_tuned':
      draft.push({ kind: 'standing', seq, ts, word: 'tuned', words: [event.model, event.effort, event.permission_mode, event.account].filter((word) => word !== undefined).join(', ') });
      return;
    case 'condensing_wished':
      draft.push({ kind: 'standing', seq, ts, word: event.what });
      return;
    case 'wish_failed':
      draft.push({ kind: 'notice', seq, ts, level: 'warning', text: event.why });
      return;
    case 'resume_scheduled':
      draft.push({ kind: 'standing', seq, ts, word: 'resumes', at: event.resume_at });
      return;
    case 'resume_cancelled':
      draft.push({ kind: 'standing', seq, ts, word: 'stays' });
      return;
    case 'agent_silent':
      draft.push({ kind: 'standing', seq, ts, word: 'silent', at: event.since_at });
      return;
    case 'agent_stirred':
      draft.push({ kind: 'standing', seq, ts, word: 'stirred' });
      return;
    case 'archived':
    case 'unarchived':
      draft.push({ kind: 'standing', seq, ts, word: event.type });
      return;
    case 'model_selected':
      return onModel(draft, event);
    case 'verification_attempt':
      draft.push({
        kind: 'verification', seq, ts, attempt: event.attempt_number, passed: event.passed, summary: event.summary, issues: event.issues,
      });
      return;
    case 'check_finished':
      draft.push({ kind: 'check', seq, ts, command: event.command, output: event.output, ...defined({ exit: event.exit_code }) });
      return;
    case 'winner_picked':
      draft.push({ kind: 'picked', seq, ts, own: event.winner === event.task_id });
      return;
    case 'subagent_started':
      return onAgentStarted(draft, event);
    case 'subagent_finished':
      if (draft.open.get(event.tool_call_id)?.made !== true) return;
      draft.changeCall(event.tool_call_id, (call) => ({ ...call, end: { failed: event.is_error, ms: Date.parse(ts) - Date.parse(call.ts) } }));
      draft.open.delete(event.tool_call_id);
      return;
    case 'follow_up_queued':
    case 'follow_up_edited':
    case 'follow_up_removed':
    case 'follow_ups_ordered':
    case 'place_moved':
    case 'put_aside':
    case 'taken_up':
    case 'context_measured':
    case 'rate_limited':
    case 'retry_ended':
    case 'todo_updated':
    case 'tool_declared':
    case 'terminal_output':
    case 'agent_session_named':
    case 'agent_offers':
    case 'session_ended':
      return;
    default:
      onOther(draft, event);
  }
}

/** Something that a newer server tells: shown plainly, as it is. */
function onOther(draft: Draft, event: never): void {
  const { seq, ts, type, event_id: _id, task_id: _task, run_id: _run, turn_id: _turn, ...rest } = event as JournalEvent & Record<string, unknown>;
  draft.push({ kind: 'other', seq, ts, type, raw: JSON.stringify(rest, null, 2) });
}

export function applyDelta(draft: Draft, delta: Delta, ts: string): void {
  if (delta.kind === 'tool_output') {
    draft.changeCall(delta.key, (call) => ({ ...call, liveOutput: (call.liveOutput + delta.text).slice(-LIVE_OUTPUT_MAX) }));
    return;
  }
  const kind = delta.kind === 'text' ? 'agent' : 'thinking';
  const parent = delta.parent_tool_call_id;
  if (parent != null && draft.nests(parent)) return grow(draft, parent, kind, delta, ts);
  const key = `${kind} ${delta.key}`;
  const at = draft.live.get(key);
  const old = at === undefined ? undefined : draft.rows[at];
  if (at !== undefined && (old?.kind === 'agent' || old?.kind === 'thinking')) {
    draft.rows[at] = { ...old, text: old.text + delta.text };
    return;
  }
  const base = { seq: draft.lastSeq, ts, text: delta.text, live: true } as const;
  const row: Row = kind === 'agent' ? { ...base, kind, refusal: false, ...defined({ by: draft.harness }) } : { ...base, kind };
  draft.live.set(key, draft.push(row));
}

function onUserMessage(draft: Draft, event: Of<'user_message'>): void {
  turnBegins(draft, event.ts);
  const at = draft.rows[0]?.kind === 'past' ? 1 : 0;
  const first = draft.rows[at];
  // The prompt stands there since the task was created; its delivery is no second message.
  if (first?.kind === 'user' && first.inputId === undefined && first.text === event.content) {
    draft.rows[at] = { ...first, inputId: event.input_id };
    return;
  }
  draft.push({
    kind: 'user', seq: event.seq, ts: event.ts, text: event.content, inputId: event.input_id, duringTurn: event.during_turn ?? false,
    ...defined({ files: event.attachments }),
  });
}

function onAssistant(draft: Draft, event: Of<'assistant_message'>): void {
  const text = event.blocks.map((block) => block.content).join('\n\n');
  const refusal = event.blocks.some((block) => block.kind === 'refusal');
  settle(draft, { kind: 'agent', seq: event.seq, ts: event.ts, text, refusal, live: false, ...defined({ by: draft.harness }) }, event.parent_tool_call_id);
}

function onThinking(draft: Draft, event: Of<'thinking'>): void {
  if (event.text.trim() === '' && !draft.firstLive('thinking')) return;
  settle(draft, { kind: 'thinking', seq: event.seq, ts: event.ts, text: event.text, live: false }, event.parent_tool_call_id);
}

/** Puts a whole message in the place where it streamed, or at the end. */
function settle(draft: Draft, row: Row & { kind: 'agent' | 'thinking' }, parent: string | undefined): void {
  turnBegins(draft, row.ts);
  const own = draft.liveOf(row.kind, row.text);
  if (parent !== undefined && draft.nests(parent)) {
    if (own) draft.dropOne(own);
    return settleChild(draft, parent, row);
  }
  const live = own ?? draft.firstLive(row.kind);
  if (!live) {
    draft.push(row);
    return;
  }
  draft.live.delete(live.key);
  draft.rows[live.row] = row;
}

/** Grows what a sub-agent says, within the call that started it. */
function grow(draft: Draft, parent: string, kind: 'agent' | 'thinking', { key, text }: Delta, ts: string): void {
  draft.nested.add(parent);
  draft.changeCall(parent, (call) => {
    const at = call.children.findLastIndex((row) => row.kind === kind && isLive(row) && row.key === key);
    const old = call.children[at];
    if (old?.kind === 'agent' || old?.kind === 'thinking') return { ...call, children: call.children.with(at, { ...old, text: old.text + text }) };
    const base = { seq: draft.lastSeq, ts, text, live: true, key } as const;
    return { ...call, children: [...call.children, kind === 'agent' ? { ...base, kind, refusal: false } : { ...base, kind }] };
  });
}

/** Puts a whole message of a sub-agent in the place where it streamed, or at the end. */
function settleChild(draft: Draft, parent: string, row: Row & { kind: 'agent' | 'thinking' }): void {
  draft.changeCall(parent, (call) => {
    const streams = (one: Row): boolean => one.kind === row.kind && isLive(one);
    const own = call.children.findIndex((one) => streams(one) && isLive(one) && row.text.includes(one.text.trim()));
    const at = own === -1 ? call.children.findIndex(streams) : own;
    return { ...call, children: at === -1 ? [...call.children, row] : call.children.with(at, row) };
  });
}

function onToolStarted(draft: Draft, event: Of<'tool_call_started'>): void {
  turnBegins(draft, event.ts);
  const call: ToolCall = {
    id: event.tool_call_id, tool: event.tool, name: event.tool_name, command: event.command, path: event.path,
    cwd: event.cwd, server: event.server, args: event.args, argsRef: event.args_ref, ts: event.ts, seq: event.seq,
    liveOutput: '', children: [],
  };
  const parent = event.parent_tool_call_id;
  if (parent !== undefined && draft.nests(parent)) {
    draft.open.set(call.id, { row: -1, parent });
    addChild(draft, parent, { kind: 'tool', seq: event.seq, ts: event.ts, call });
  } else {
    draft.open.set(call.id, { row: addCall(draft.rows, call) });
  }
  if (call.tool === 'subagent') draft.startsAgent(call.id);
}

/** A sub-agent that no call started, as of programs that are told what to do by code, has a call of its own. */
function onAgentStarted(draft: Draft, { seq, ts, tool_call_id: id, name, prompt }: Of<'subagent_started'>): void {
  if (!draft.nests(id)) {
    const args = prompt === '' ? undefined : { prompt };
    const call: ToolCall = { id, tool: 'subagent', name, args, ts, seq, liveOutput: '', children: [] };
    draft.open.set(id, { row: addCall(draft.rows, call), made: true });
  }
  draft.startsAgent(id);
}

function addChild(draft: Draft, parent: string, row: Row): void {
  draft.changeCall(parent, (call) => {
    const children = call.children.slice();
    if (row.kind === 'tool') addCall(children, row.call);
    else children.push(row);
    return { ...call, children };
  });
}

/** Appends a call, into the run of reads at the end where it belongs to one; its row's index. */
function addCall(rows: Row[], call: ToolCall): number {
  const at = rows.length - 1;
  const last = rows[at];
  if (LOOKING.has(call.tool)) {
    if (last?.kind === 'reads') {
      rows[at] = { ...last, calls: [...last.calls, call] };
      return at;
    }
    if (last?.kind === 'tool' && LOOKING.has(last.call.tool)) {
      rows[at] = { kind: 'reads', seq: last.seq, ts: last.ts, calls: [last.call, call] };
      return at;
    }
  }
  rows.push({ kind: 'tool', seq: call.seq, ts: call.ts, call });
  return at + 1;
}

function endOf(event: ToolCallFinished): NonNullable<ToolCall['end']> {
  return {
    failed: event.is_error || (event.exit_code ?? 0) !== 0,
    exitCode: event.exit_code,
    ms: event.duration_ms,
    output: event.output,
    outputRef: event.stdout_ref,
    patch: event.patch,
    patchRef: event.patch_ref,
    images: event.images,
  };
}

function onRequest(draft: Draft, event: JournalEvent): void {
  const { seq, ts } = event;
  if (event.type === 'question_asked') {
    const { question_id, text, multiple, header, choices } = event;
    const question = { question_id, text, multiple, ...defined({ header, choices }) };
    draft.requests.set(`q ${question_id}`, draft.push({ kind: 'question', seq, ts, question }));
  } else if (event.type === 'approval_requested') {
    draft.requests.set(`a ${event.approval_id}`, draft.push({ kind: 'approval', seq, ts, approval: event }));
  } else if (event.type === 'plan_proposed') {
    const plan = { plan_id: event.plan_id, text: event.text };
    draft.requests.set(`p ${event.plan_id}`, draft.push({ kind: 'plan', seq, ts, plan }));
  } else if (event.type === 'question_answered') {
    const at = draft.requests.get(`q ${event.question_id}`);
    const row = draft.rowOf(at, 'question');
    if (row && at !== undefined) draft.rows[at] = { ...row, answer: event.answer };
    draft.requests.delete(`q ${event.question_id}`);
  } else if (event.type === 'approval_resolved') {
    const at = draft.requests.get(`a ${event.approval_id}`);
    const row = draft.rowOf(at, 'approval');
    if (row && at !== undefined) draft.rows[at] = { ...row, decision: event.decision, rules: event.rules ?? [], byRule: event.by_rule ?? false };
    draft.requests.delete(`a ${event.approval_id}`);
  } else if (event.type === 'plan_resolved') {
    const at = draft.requests.get(`p ${event.plan_id}`);
    const row = draft.rowOf(at, 'plan');
    if (row && at !== undefined) draft.rows[at] = { ...row, decision: event.decision };
    draft.requests.delete(`p ${event.plan_id}`);
  }
}

function onError(draft: Draft, event: Of<'error'>): void {
  const { seq, ts } = event;
  if (event.class === 'setup') endSetup(draft, ts, true);
  draft.push({
    kind: 'error', seq, ts, class: event.class, message: event.message, ...defined({ raw: event.raw, rawRef: event.raw_ref }),
  });
}

function onModel(draft: Draft, event: Of<'model_selected'>): void {
  // The first model is told by the header; only a change is worth a row.
  if (draft.turns === 0) return;
  draft.push({ kind: 'model', seq: event.seq, ts: event.ts, model: event.model, ...defined({ effort: event.reasoning_effort }) });
}

/** Changes that are counted just after a turn ended belong to its line. */
function refreshTurn(draft: Draft): void {
  const at = draft.rows.length - 1;
  const row = draft.rowOf(at, 'turn');
  const changes = sumChanges(draft);
  if (row && changes) draft.rows[at] = { ...row, changes };
}

/** The fields of `values` that are there. */
function defined<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as never;
}
