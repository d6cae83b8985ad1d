// The fold of a journal into rows: the same all at once and one by one, and each rule of it.
import { describe, expect, it } from 'vitest';
import type { Body, Delta, JournalEvent } from '../../src/api/types';
import { STEADY, growth } from './growth';
import { EMPTY, dropLive, fold, foldDeltas, type Transcript } from '../../src/state/fold';
import type { Row } from '../../src/state/rows';

const spec = { prompt: 'Fix it', repositories: [], harness: 'claude', permission_mode: 'full_auto', host: 'local', box: {} } as const;
const started: Body = { type: 'session_started', task_description: 'Fix it', coding_provider: 'claude', spec: { ...spec, repositories: [] } };

/** Events with sequence numbers from `from`, a second apart. */
function journal(bodies: Body[], from = 1): JournalEvent[] {
  return bodies.map((body, nth) => ({
    event_id: `e${from + nth}`,
    ts: new Date(Date.UTC(2026, 10, 21, 12, 0, from + nth)).toISOString(),
    seq: from + nth,
    task_id: 't',
    ...body,
  }));
}

const call = (id: string, more: Partial<Extract<Body, { type: 'tool_call_started' }>> = {}): Body => ({ type: 'tool_call_started', tool_call_id: id, tool: 'bash', tool_name: 'Bash', ...more });
const ended = (id: string, more: Partial<Extract<Body, { type: 'tool_call_finished' }>> = {}): Body => ({ type: 'tool_call_finished', tool_call_id: id, is_error: false, ...more });
const said = (content: string, parent?: string): Body => ({ type: 'assistant_message', blocks: [{ kind: 'text', content }], ...(parent ? { parent_tool_call_id: parent } : {}) });
const kinds = (transcript: Transcript): string => transcript.rows.map((row) => row.kind).join(' ');
const run = (bodies: Body[]): Transcript => fold(EMPTY, journal(bodies));
const delta = (kind: Delta['kind'], key: string, text: string): Delta => ({ kind, key, text });

describe('fold', () => {
  it('shows a wish to empty the context, and a warning where it failed', () => {
    const { rows } = run([started, { type: 'condensing_wished', what: 'clear' }, { type: 'wish_failed', wish: 'e2', why: 'The run ended' }]);
    expect(rows.slice(-2)).toMatchObject([{ kind: 'standing', word: 'clear' }, { kind: 'notice', level: 'warning', text: 'The run ended' }]);
  });

  it('gives the same rows whether events come at once or one by one', () => {
    const events = journal([
      started,
      { type: 'state_changed', from: 'pending', to: 'branching', on: 'scheduled' },
      { type: 'state_changed', from: 'starting', to: 'running', on: 'prompted' },
      { type: 'user_message', input_id: 'i1', content: 'Fix it' },
      said('I look.'),
      call('a', { tool: 'read', path: '/x' }),
      ended('a'),
      call('b', { tool: 'read', path: '/y' }),
      ended('b', { is_error: true }),
      call('c', { tool: 'subagent' }),
      call('d', { parent_tool_call_id: 'c' }),
      ended('d', { parent_tool_call_id: 'c' }),
      ended('c'),
      { type: 'question_asked', question_id: 'q', text: 'Which?', multiple: false },
      { type: 'question_answered', question_id: 'q', answer: { choices: ['A'] } },
      { type: 'turn_finished', outcome: 'completed' },
    ]);
    const whole = fold(EMPTY, events);
    const single = events.reduce((sofar, event) => fold(sofar, [event]), EMPTY);
    expect(single).toEqual(whole);
  });

  it('leaves the transcript that it was given as it was', () => {
    const before = run([started, call('a')]);
    const copy = structuredClone(before);
    fold(before, journal([ended('a')], 3));
    expect(before).toEqual(copy);
  });

  it('shows a commit once, though it is told when it is made and when it is brought out', () => {
    const made = (commit: string, repository = '/r'): Body => ({ type: 'commit_made', repository, commit, subject: 'x' });
    expect(kinds(run([made('a'), said('b'), made('a'), made('c'), made('a', '/other')]))).toBe('commit agent commit commit');
  });

  it('takes each event once', () => {
    const events = journal([started, said('once')]);
    const once = fold(EMPTY, events);
    expect(fold(once, events)).toEqual(once);
  });

  it('shows the prompt at once and its delivery as no second message', () => {
    const transcript = run([started, { type: 'user_message', input_id: 'i1', content: 'Fix it' }]);
    expect(kinds(transcript)).toBe('user setup');
    expect(transcript.rows[0]).toMatchObject({ inputId: 'i1' });
  });

  it('folds runs of reads into one row and begins anew after anything else', () => {
    const read = (id: string): Body[] => [call(id, { tool: 'read' }), ended(id)];
    const transcript = run([started, ...read('a'), ...read('b'), ...read('c'), call('d'), ended('d'), ...read('e')]);
    expect(kinds(transcript)).toBe('user setup reads tool tool');
    expect(transcript.rows[2]).toMatchObject({ calls: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
  });

  it('ends a call that stands in a run of reads', () => {
    const transcript = run([started, call('a', { tool: 'read' }), call('b', { tool: 'grep' }), ended('a', { is_error: true })]);
    const row = transcript.rows[2] as Extract<Row, { kind: 'reads' }>;
    expect(row.calls.map((one) => one.end?.failed)).toEqual([true, undefined]);
  });

  it('nests what a sub-agent does in the call that started it', () => {
    const transcript = run([started, call('a', { tool: 'subagent' }), call('b', { parent_tool_call_id: 'a' }), said('found', 'a'), ended('b', { exit_code: 0 }), ended('a')]);
    const row = transcript.rows[2] as Extract<Row, { kind: 'tool' }>;
    expect(row.call.children.map((child) => child.kind)).toEqual(['tool', 'agent']);
    expect((row.call.children[0] as Extract<Row, { kind: 'tool' }>).call.end).toMatchObject({ exitCode: 0 });
    expect(transcript.open.size).toBe(0);
  });

  it('nests what a sub-agent does also when its call has ended before', () => {
    const transcript = run([
      started, call('a', { tool: 'subagent' }), ended('a'), said('I go on.'),
      call('b', { parent_tool_call_id: 'a' }), ended('b', { parent_tool_call_id: 'a', exit_code: 0 }), said('found', 'a'),
      call('c', { tool: 'subagent', parent_tool_call_id: 'a' }), ended('c', { parent_tool_call_id: 'a' }), said('deeper', 'c'),
    ]);
    expect(kinds(transcript)).toBe('user setup tool agent');
    const row = transcript.rows[2] as Extract<Row, { kind: 'tool' }>;
    expect(row.call.children.map((child) => child.kind)).toEqual(['tool', 'agent', 'tool']);
    expect((row.call.children[0] as Extract<Row, { kind: 'tool' }>).call.end).toMatchObject({ exitCode: 0 });
    expect((row.call.children[2] as Extract<Row, { kind: 'tool' }>).call.children).toMatchObject([{ kind: 'agent', text: 'deeper' }]);
    expect(transcript.open.size).toBe(0);
  });

  it('shows a sub-agent that no call started, until it is done', () => {
    const agent = (type: 'subagent_started' | 'subagent_finished', id: string): Body => (type === 'subagent_started' ? { type, tool_call_id: id, name: 'helper', prompt: 'Look around' } : { type, tool_call_id: id, is_error: true });
    const transcript = run([started, agent('subagent_started', 'x'), said('found', 'x'), agent('subagent_finished', 'x'), call('b', { tool: 'subagent' }), agent('subagent_started', 'b'), agent('subagent_finished', 'b')]);
    expect(transcript.rows.slice(2)).toMatchObject([
      { call: { name: 'helper', args: { prompt: 'Look around' }, end: { failed: true, ms: 2000 }, children: [{ text: 'found' }] } },
      { call: { id: 'b' } },
    ]);
    expect([...transcript.open.keys()]).toEqual(['b']);
  });

  it('leaves no twin of what a sub-agent streamed, and gives the agent its own row', () => {
    let transcript = run([started, call('a', { tool: 'subagent' })]);
    transcript = foldDeltas(transcript, [delta('text', 'm2', 'Fourteen '), delta('text', 'm2', 'places.'), delta('text', 'm3', 'I thank ')], '2026-11-21T12:00:00.000Z');
    transcript = fold(transcript, journal([said('Fourteen places.', 'a')], 3));
    transcript = foldDeltas(transcript, [delta('text', 'm3', 'it.')], '2026-11-21T12:00:00.000Z');
    transcript = fold(transcript, journal([ended('a'), said('I thank it.')], 4));
    expect(transcript.rows.flatMap((row) => (row.kind === 'agent' ? [row.text] : []))).toEqual(['I thank it.']);
    expect(transcript.rows[2]).toMatchObject({ call: { children: [{ text: 'Fourteen places.' }] } });
    expect(transcript.live.size).toBe(0);
  });

  it('puts the agent’s message in its own row while a sub-agent streams before it', () => {
    let transcript = run([started, call('a', { tool: 'subagent' })]);
    transcript = foldDeltas(transcript, [delta('text', 'm2', 'Half of'), delta('text', 'm3', 'Mine')], '2026-11-21T12:00:00.000Z');
    transcript = fold(transcript, journal([said('Mine.')], 3));
    expect(transcript.rows.slice(3)).toMatchObject([{ text: 'Half of', live: true }, { text: 'Mine.', live: false }]);
  });

  it('nests what a sub-agent streams in its call, and puts the whole message in its place', () => {
    const piece = (key: string, text: string, kind: Delta['kind'] = 'text'): Delta => ({ kind, key, text, parent_tool_call_id: 'a' });
    const at = '2026-11-21T12:00:00.000Z';
    let transcript = run([started, call('a', { tool: 'subagent' })]);
    transcript = foldDeltas(transcript, [piece('m1', 'Hm.', 'thinking'), piece('m2', 'Four'), piece('m2', 'teen'), delta('text', 'm9', 'Mine')], at);
    expect(transcript.rows.slice(2)).toMatchObject([{ call: { children: [{ kind: 'thinking', live: true }, { kind: 'agent', text: 'Fourteen', live: true }] } }, { text: 'Mine' }]);
    transcript = fold(transcript, journal([said('Fourteen places.', 'a')], 3));
    expect(transcript.rows[2]).toMatchObject({ call: { children: [{ kind: 'thinking' }, { text: 'Fourteen places.', live: false }] } });
    transcript = dropLive(transcript);
    expect(transcript.rows[2]).toMatchObject({ call: { children: [{ text: 'Fourteen places.' }] } });
    expect(kinds(transcript)).toBe('user setup tool');
    // Of a call that is not known it stands for itself.
    const alone = foldDeltas(transcript, [{ ...piece('m7', 'Whose?'), parent_tool_call_id: 'z' }], at);
    expect(alone.rows[3]).toMatchObject({ text: 'Whose?', live: true });
  });

  it('counts a command that exits with a code as failed', () => {
    const transcript = run([started, call('a'), ended('a', { exit_code: 101 })]);
    expect(transcript.rows[2]).toMatchObject({ call: { end: { failed: true, exitCode: 101 } } });
  });

  it('keeps why a context is another', () => {
    const told = (policy: 'cleared' | 'session_lost'): Body => ({ type: 'context_condensed', policy });
    expect(run([started, told('cleared'), told('session_lost')]).rows.slice(2)).toMatchObject([{ policy: 'cleared' }, { policy: 'session_lost' }]);
  });

  it('puts a whole message in the place where it streamed', () => {
    let transcript = run([started]);
    transcript = foldDeltas(transcript, [delta('text', 'm', 'Hel'), delta('text', 'm', 'lo')], '2026-11-21T12:00:00.000Z');
    expect(transcript.rows[2]).toMatchObject({ kind: 'agent', text: 'Hello', live: true });
    transcript = fold(transcript, journal([said('Hello!')], 2));
    expect(kinds(transcript)).toBe('user setup agent');
    expect(transcript.rows[2]).toMatchObject({ text: 'Hello!', live: false });
    expect(transcript.live.size).toBe(0);
  });

  it('forgets what was streaming when the stream breaks', () => {
    const before = run([started]);
    const transcript = foldDeltas(before, [delta('thinking', 'm', 'hm'), delta('text', 'm', 'half')], '2026-11-21T12:00:00.000Z');
    expect(dropLive(transcript)).toEqual(before);
  });

  it('keeps the end of what a call prints and drops it for the output', () => {
    let transcript = run([started, call('a')]);
    transcript = foldDeltas(transcript, [delta('tool_output', 'a', 'line 1\n'), delta('tool_output', 'gone', 'x')], '2026-11-21T12:00:00.000Z');
    expect(transcript.rows[2]).toMatchObject({ call: { liveOutput: 'line 1\n' } });
    transcript = fold(transcript, journal([ended('a', { output: 'line 1\nline 2\n' })], 3));
    expect(transcript.rows[2]).toMatchObject({ call: { liveOutput: '', end: { output: 'line 1\nline 2\n' } } });
  });

  it('ends a turn with its time, tokens, cost and files, and counts from its beginning', () => {
    const usage = (tokens: number, usd: number): Body => ({
      type: 'usage_updated', input_tokens: tokens, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost: { usd, source: 'reported' },
    });
    const stat: Body = { type: 'diff_stat', repository: '/r', stat: { files: [{ path: 'a', added: 2, removed: 1 }], added: 2, removed: 1, commits: 0, uncommitted: 1 } };
    const transcript = run([
      started,
      { type: 'user_message', input_id: 'i1', content: 'Fix it' },
      usage(100, 0.1),
      { type: 'turn_finished', outcome: 'completed' },
      { type: 'user_message', input_id: 'i2', content: 'More' },
      usage(150, 0.4),
      { type: 'turn_finished', outcome: 'failed', duration_ms: 5 },
      stat,
    ]);
    const turns = transcript.rows.filter((row) => row.kind === 'turn');
    expect(turns[0]).toMatchObject({ nth: 1, ms: 2000, tokens: 100, cost: { usd: 0.1 } });
    expect(turns[1]).toMatchObject({ nth: 2, ms: 5, tokens: 50, outcome: 'failed', changes: { files: 1, added: 2, removed: 1 } });
    expect((turns[1] as Extract<Row, { kind: 'turn' }>).cost?.usd).toBeCloseTo(0.3);
  });

  it('tells the steps of setting up in one row, and a failure in it', () => {
    const transcript = run([
      started,
      { type: 'state_changed', from: 'pending', to: 'branching', on: 'scheduled' },
      { type: 'notice', level: 'info', phase: 'branching', text: 'fetching' },
      { type: 'error', class: 'setup', message: 'no permission' },
      { type: 'state_changed', from: 'branching', to: 'failed', on: 'failed' },
    ]);
    expect(kinds(transcript)).toBe('user setup error');
    expect(transcript.rows[1]).toMatchObject({ failed: true, steps: [{ text: { is: 'state' } }, { text: { text: 'fetching' } }] });
  });

  it('shows a restored task as restored and leaves no call open when its run ends', () => {
    const transcript = run([
      started,
      call('a'),
      { type: 'run_ended', exit: { how: 'signal', signal: 9 } },
      { type: 'state_changed', from: 'running', to: 'crashed', on: 'crashed' },
      { type: 'state_changed', from: 'crashed', to: 'purging', on: 'purge_requested' },
      { type: 'state_changed', from: 'purging', to: 'crashed', on: 'purge_undone' },
    ]);
    expect(kinds(transcript)).toBe('user setup tool run_ended state state state');
    expect(transcript.rows[2]).toMatchObject({ call: { end: { failed: true } } });
    expect(transcript.open.size).toBe(0);
  });

  it('tells what became of a question, also when it was withdrawn', () => {
    const asked: Body = { type: 'question_asked', question_id: 'q', text: 'Which?', multiple: false };
    expect(run([started, asked]).rows[2]).not.toHaveProperty('answer');
    expect(run([started, asked, { type: 'question_answered', question_id: 'q', answer: null }]).rows[2]).toMatchObject({ answer: null });
  });

  it('keeps who said what over a hand-off, and tells checks and choices of a group', () => {
    const { rows } = run([
      started,
      said('Mine.'),
      { type: 'provider_switched', from_provider: 'claude', to_provider: 'codex', to_model: 'big', reason: 'handed off' },
      said('Now mine.'),
      { type: 'check_finished', command: 'make test', exit_code: 2, duration_ms: 5, output: 'no\n' },
      { type: 'winner_picked', group_id: 'g', winner: 't' },
      { type: 'winner_picked', group_id: 'g', winner: 'other' },
    ]);
    expect(rows.slice(2)).toMatchObject([
      { kind: 'agent', by: 'claude' },
      { kind: 'switched', from: 'claude', to: 'codex', model: 'big' },
      { kind: 'agent', by: 'codex' },
      { kind: 'check', command: 'make test', exit: 2, output: 'no\n' },
      { kind: 'picked', own: true },
      { kind: 'picked', own: false },
    ]);
  });

  it('takes longer with the number of events, not with its square', () => {
    const long = (count: number) => {
      const bodies: Body[] = [started];
      for (let nth = 0; bodies.length < count; nth += 1) bodies.push(said(`step ${nth}`), call(`c${nth}`), ended(`c${nth}`));
      const events = journal(bodies);
      return () => fold(EMPTY, events).rows.length;
    };
    expect(long(50_000)()).toBeGreaterThan(33_000);
    expect(growth(long, 3000)).toBeLessThan(STEADY);
  });
});
