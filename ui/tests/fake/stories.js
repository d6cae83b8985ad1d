// The stories that the fake tells. `full` has a task in every interesting state; `empty` has none;
// the scenes of `crowds.js` have more of everything than a person would, that of `unbroken.js` longer names.
import { AUTH_DIFF, AUTH_PATCH, CACHE_DIFF } from './diffs.js';
import { busy, long, middling } from './crowds.js';
import { MINUTE, REPO, WEB, setUp, turn, tool, say, read, use, stat } from './telling.js';
import { unbroken } from './unbroken.js';

export const scenes = { full, empty: () => undefined, long, busy, middling, unbroken };

function done(world, id, ms, outcome = 'completed') {
  world.tell(id, 'turn_finished', { outcome, duration_ms: ms });
  world.tasks.get(id).turn = undefined;
  world.state(id, 'waiting', { rested: 'prompt' });
}

async function full(world) {
  ended(world);
  failed(world);
  crashed(world);
  stopped(world);
  finished(world);
  planned(world);
  approval(world);
  working(world);
  queued(world);
  asking(world);
}

const AUTH_FILES = [
  { path: 'src/login.rs', added: 12, removed: 3 },
  { path: 'src/session/token.rs', added: 48, removed: 6 },
  { path: 'src/session.rs', added: 4, removed: 1 },
  { path: 'tests/login.rs', added: 22, removed: 0 },
  { path: 'docs/authentication.md', added: 3, removed: 2 },
];

function asking(world) {
  const id = 't-auth';
  world.create(id, { prompt: 'Fix the authentication bug in src/login.rs: a token that has expired is accepted once more.\n\nAdd a test that fails before the fix.', title: 'Fix the authentication bug', repositories: [{ path: REPO }], permission_mode: 'accept_edits' }, 7 * MINUTE);
  setUp(world, id);
  world.tell(id, 'thinking', { text: 'The check compares `exp` with the time of issue, not with now. I should look at how sessions are refreshed before I change it.\n\nTwo places could be wrong: `Session::check` and `Token::valid`.' }, 2100);
  say(world, id, 'I will look at the login first, then at how a session is refreshed.');
  read(world, id, 'src/login.rs');
  read(world, id, 'src/session.rs', 8);
  read(world, id, 'src/session/token.rs', 9);
  tool(world, id, { tool: 'grep', args: { pattern: 'expires_at', path: 'src' } }, { output: 'src/login.rs:41\nsrc/session/token.rs:18' }, 31);
  world.tell(id, 'todo_updated', { items: [
    { text: 'Find where expiry is checked', status: 'completed' },
    { text: 'Write a test that fails', status: 'completed' },
    { text: 'Compare with the clock, not with the issue time', status: 'completed' },
    { text: 'Choose the token format', status: 'in_progress' },
    { text: 'Say it in the documentation', status: 'pending' },
  ] });
  tool(world, id, { tool: 'bash', command: 'cargo test --test login' }, { is_error: true, exit_code: 101, output: 'running 4 tests\ntest a_good_token_is_accepted ... ok\ntest a_wrong_password_is_refused ... ok\ntest an_expired_token_is_refused ... FAILED\ntest a_session_can_be_refreshed ... ok\n\nfailures:\n\n---- an_expired_token_is_refused stdout ----\nthread \'an_expired_token_is_refused\' panicked at tests/login.rs:31:5:\nassertion failed: !session.check(&token)\n\ntest result: FAILED. 3 passed; 1 failed' }, 4180);
  say(world, id, 'The new test fails as it should. The check compares `expires_at` with `issued_at`, so **any** token passes once:\n\n```rust\npub fn check(&self, token: &Token) -> bool {\n    // compares with the wrong time\n    token.expires_at > token.issued_at\n}\n```\n\nI will compare with the clock, and take the clock as a parameter so that the test needs no sleep.');
  tool(world, id, { tool: 'edit', path: `${REPO}/src/login.rs` }, { patch: AUTH_PATCH }, 18);
  stat(world, id, AUTH_FILES, { commits: 1, uncommitted: 3 });
  tool(world, id, { tool: 'bash', command: 'cargo test' }, { exit_code: 0, output: 'test result: ok. 31 passed; 0 failed' }, 12400);
  world.tell(id, 'commit_made', { repository: REPO, commit: '9d1f00c3b7a2e4f6081726354a5b6c7d8e9f0a1b', subject: 'login: Compare expiry with the clock' });
  use(world, id, 0.42, 76_400);
  say(world, id, 'One thing is yours to decide before I go on.');
  world.tell(id, 'question_asked', { question_id: 'q1', header: 'Token format', text: 'Which token format should new sessions use?', multiple: false, choices: [
    { label: 'JWT', description: 'Signed and self-contained; cannot be revoked before it expires.' },
    { label: 'Opaque', description: 'A random id looked up in the store; revocable at once.' },
    { label: 'Keep both', description: 'JWT for the API, opaque for browsers.' },
  ] });
  world.tell(id, 'question_asked', { question_id: 'q2', header: 'Clients', text: 'Which clients must go on working without a new sign-in?', multiple: true, choices: [{ label: 'Web' }, { label: 'Mobile app' }, { label: 'Command line' }] });
  world.state(id, 'asking', { rested: 'answers' });
  world.tasks.get(id).diffs.set(REPO, AUTH_DIFF);
}

function planned(world) {
  const id = 't-plan';
  world.create(id, { prompt: 'Plan the move from REST polling to server-sent events for the status page', repositories: [{ path: WEB }], harness: 'codex', permission_mode: 'plan' }, 24 * MINUTE);
  setUp(world, id, { branch: 'paddock-4', repo: WEB, kind: 'worktree', model: 'gpt-5.2-codex', version: '0.58.0' });
  tool(world, id, { tool: 'glob', args: { pattern: 'src/**/status*' } }, { output: 'src/status/page.tsx\nsrc/status/poll.ts' }, 11);
  use(world, id, 0.11, 31_000);
  world.tell(id, 'plan_proposed', { plan_id: 'p1', text: '# Move the status page to server-sent events\n\n1. Add `src/status/stream.ts`: follow `/api/events`, resume with `Last-Event-ID`.\n2. Replace the poll in `page.tsx`; keep polling as a fallback for proxies that buffer.\n3. Remove `poll.ts` once the fallback has not been used for a release.\n\n**Risk:** the load balancer closes idle connections after 60 s; the server must ping.' });
  world.state(id, 'has_plan', { rested: 'plan_decision' });
}

function approval(world) {
  const id = 't-deps';
  world.create(id, { prompt: 'Upgrade the TLS stack and remove the patched fork', repositories: [{ path: REPO }], permission_mode: 'ask' }, 11 * MINUTE);
  setUp(world, id, { branch: 'paddock-9' });
  say(world, id, 'The fork is pinned in `Cargo.toml`. I want to see what else depends on it before I take it out.');
  const call = tool(world, id, { tool: 'bash', command: 'cargo update -p rustls --precise 0.23.46 && cargo tree -i ring' });
  world.tell(id, 'approval_requested', { approval_id: 'a1', tool_call_id: call, tool: 'bash', tool_name: 'Bash', summary: 'cargo update -p rustls --precise 0.23.46 && cargo tree -i ring', reason: 'Writes Cargo.lock and needs the network.', input: { command: 'cargo update -p rustls --precise 0.23.46 && cargo tree -i ring', timeout: 120000 }, scopes: ['once', 'task', 'repository'] });
  use(world, id, 0.08, 22_000);
  world.state(id, 'asking', { rested: 'answers' });
}

function working(world) {
  const id = 't-port';
  world.create(id, { prompt: 'Port the CLI from the old argument parser to clap, verb by verb, keeping every exit code', repositories: [{ path: REPO }], model: 'claude-sonnet-4.5' }, 4 * MINUTE);
  setUp(world, id, { branch: 'paddock-8', model: 'claude-sonnet-4.5' });
  say(world, id, 'Twelve verbs, each with its own parser. I will move them one at a time and keep a table of exit codes to compare.');
  const parent = tool(world, id, { tool: 'subagent', args: { description: 'List every exit code' } });
  world.tell(id, 'subagent_started', { tool_call_id: parent, name: 'explorer', prompt: 'List every exit code' });
  world.tell(id, 'tool_call_started', { tool_call_id: 'nested-1', tool: 'grep', tool_name: 'Grep', args: { pattern: 'process::exit' }, parent_tool_call_id: parent });
  world.tell(id, 'tool_call_finished', { tool_call_id: 'nested-1', is_error: false, duration_ms: 22, output: '14 matches', parent_tool_call_id: parent });
  world.tell(id, 'assistant_message', { blocks: [{ kind: 'text', content: 'Fourteen places, seven distinct codes.' }], parent_tool_call_id: parent });
  world.tell(id, 'tool_call_finished', { tool_call_id: parent, is_error: false, duration_ms: 8200, output: 'Fourteen places, seven distinct codes.' });
  for (const verb of ['run', 'list', 'show', 'logs', 'send', 'stop', 'sync']) read(world, id, `src/cli/${verb}.rs`, 7);
  stat(world, id, [{ path: 'src/cli/run.rs', added: 61, removed: 88 }, { path: 'src/cli/list.rs', added: 20, removed: 34 }, { path: 'Cargo.toml', added: 1, removed: 1 }]);
  world.tell(id, 'todo_updated', { items: [{ text: 'run, list, show', status: 'completed' }, { text: 'logs, send, stop, sync', status: 'in_progress' }, { text: 'Compare exit codes', status: 'pending' }] });
  use(world, id, 0.27, 58_000);
  const testing = tool(world, id, { tool: 'bash', command: 'cargo nextest run -p cli' });
  around(world, id);
  world.delta(id, 'tool_output', testing, '    Finished `test` profile in 21.4s\n    Starting 84 tests across 3 binaries\n        PASS [   0.021s] cli run::exits_2_on_bad_flags\n        PASS [   0.018s] cli list::prints_a_table\n');
}

function queued(world) {
  const { view } = world.create('t-docs', { prompt: 'Write the operator’s guide: installation, upgrades, backup, troubleshooting', repositories: [{ path: REPO }] }, MINUTE);
  view.place = { host: 'local', position: 1, of: 2, limit: 1, held: 1, held_by: [{ task_id: 't-port', title: 'Port the command line to the new parser, verb by verb', state: 'running' }], reason: '1st of 2, waits for a place on this host: 1 of 1 taken' };
}

function finished(world) {
  const id = 't-cache';
  world.create(id, { prompt: 'Cache rendered pages for a minute and invalidate them on publish', repositories: [{ path: WEB }], harness: 'codex' }, 52 * MINUTE);
  setUp(world, id, { branch: 'paddock-3', repo: WEB, kind: 'worktree', model: 'gpt-5.2-codex', version: '0.58.0' });
  tool(world, id, { tool: 'edit', path: `${WEB}/src/render.ts` }, { patch: CACHE_DIFF }, 15);
  stat(world, id, [{ path: 'src/render.ts', added: 9, removed: 2 }, { path: 'src/cache.ts', added: 31, removed: 0 }], { repo: WEB, commits: 2, uncommitted: 0 });
  use(world, id, 0.19, 40_100);
  say(world, id, 'Pages are cached for sixty seconds and dropped on publish.\n\n- `src/cache.ts` holds at most 500 pages, oldest out first\n- `render.ts` asks it first\n\n| case | before | after |\n|---|---|---|\n| warm page | 84 ms | 0.3 ms |\n| after publish | 84 ms | 85 ms |\n\nAll 57 tests pass.');
  done(world, id, 184_000);
  world.tasks.get(id).diffs.set(WEB, CACHE_DIFF);
}

function stopped(world) {
  const id = 't-flaky';
  world.create(id, { prompt: 'Find out why the upload test is flaky on slow disks', repositories: [{ path: REPO }] }, 3 * 60 * MINUTE);
  setUp(world, id, { branch: 'paddock-2' });
  tool(world, id, { tool: 'bash', command: 'for i in $(seq 200); do cargo test upload || break; done' }, { exit_code: 0, output: '200 runs passed' }, 94_000);
  use(world, id, 0.31, 61_000);
  done(world, id, 240_000);
  world.tell(id, 'run_ended', { exit: { how: 'code', code: 0 } });
  world.state(id, 'stopped', 'ended');
}

function crashed(world) {
  const id = 't-bench';
  world.create(id, { prompt: 'Make the importer twice as fast', repositories: [{ path: REPO }] }, 95 * MINUTE);
  setUp(world, id, { branch: 'paddock-5' });
  say(world, id, 'The profile says that most time goes into parsing dates.');
  world.tell(id, 'error', { class: 'quota', message: 'The usage limit of this account is reached. It is lifted at 18:00; revive the task then, or start it with another account.' });
  world.tell(id, 'run_ended', { exit: { how: 'code', code: 1 }, stderr_tail: 'Error: 429 rate_limit_error: this request would exceed your limit' });
  world.state(id, 'crashed', 'crashed');
}

function failed(world) {
  const id = 't-broken';
  world.create(id, { prompt: 'Translate the onboarding mails to Portuguese', repositories: [{ path: '/mnt/old/mails' }] }, 140 * MINUTE);
  world.state(id, 'branching', 'scheduled');
  world.tell(id, 'error', { class: 'setup', message: '/mnt/old/mails cannot be read: permission denied. Give your user access to it, or choose another path.' });
  world.state(id, 'failed', 'failed', 'branching failed');
}

function ended(world) {
  const id = 't-bump';
  world.create(id, { prompt: 'Bump dependencies', repositories: [{ path: WEB }] }, 9 * 60 * MINUTE);
  setUp(world, id, { branch: 'paddock-1', repo: WEB });
  say(world, id, 'Everything is current.');
  done(world, id, 64_000);
  world.state(id, 'purging', 'purge_requested');
  world.state(id, 'purged', 'purge_done');
}

/** What is around the agent that works: figures of its box, processes, messages for later, what was kept. */
function around(world, id) {
  const limits = { cpus: 4, memory_bytes: 8 * 1024 ** 3, processes: 4096, enforced: true };
  const now = Date.now();
  const wave = (nth) => 90 + 70 * Math.sin(nth / 4) + 30 * Math.sin(nth * 1.7);
  const history = Array.from({ length: 60 }, (_, nth) => ({
    sampled_at: new Date(now - (60 - nth) * 5000).toISOString(), cpu_percent: Math.max(2, wave(nth)), cpu_share: 0.3, memory_bytes: 420e6 + nth * 4e6 + (nth % 7) * 9e6, memory_peak_bytes: 912e6, processes: 12,
    network: { in_bytes: 91e6, out_bytes: 4e6, in_per_s: 48_000, out_per_s: 3100 }, block_io: { in_bytes: 2e8, out_bytes: 9e7, in_per_s: 0, out_per_s: 1.2e6 }, disk: { bytes: 1.34e9, at_least: false, measured_at: new Date(now).toISOString() },
  }));
  world.uses.set(id, { task_id: id, box_kind: 'container', following: true, every_ms: 5000, limits, latest: history.at(-1), history });
  const process = (pid, parent_pid, command, cpu_percent, memory_bytes, more = {}) => ({ pid, parent_pid, start: pid * 7, command, state: 'S', cpu_ms: 900, cpu_percent, memory_bytes, age_ms: pid * 1300, ...more });
  world.processes = [
    process(1, 0, 'paddock-relay serve', 0.1, 2.6e6, { relay: true }),
    process(14, 1, 'claude --output-format stream-json', 12.4, 310e6, { run_id: 'r' }),
    process(61, 14, 'bash -c cargo nextest run -p cli', 0, 3.1e6, { run_id: 'r' }),
    process(62, 61, 'cargo nextest run -p cli', 41, 92e6, { run_id: 'r' }),
    process(71, 62, 'target/debug/deps/cli-9f2c run::exits_2_on_bad_flags --exact --nocapture', 97.6, 18e6, { run_id: 'r' }),
  ];
  world.tell(id, 'follow_up_queued', { input_id: 'later-1', content: 'Then compare the help texts with the old ones, verb by verb, and list every difference' });
  world.tell(id, 'follow_up_queued', { input_id: 'later-2', content: 'Commit in one commit per verb' });
  world.tell(id, 'follow_up_queued', { input_id: 'later-3', content: 'Write the changelog entry' });
  world.trash = [
    { task_id: 't-gone', number: 1, repository: REPO, ref: 'refs/paddock/trash/t-gone/1', commit: '7c1e9f20a4b3d5c6e7f8091a2b3c4d5e6f708192', kept_at: new Date(now - 40 * MINUTE).toISOString(), reason: 'purge', title: 'Try a different session store', branch: 'paddock-6', uncommitted: 2, ignored: { files: 12, bytes: 3_400_000, kept: true }, others: [{ name: 'refs/stash@{0}', commit: 'a'.repeat(40) }], expires_at: new Date(now + 72 * 60 * MINUTE).toISOString() },
    { task_id: 't-bump', number: 1, repository: WEB, ref: 'refs/paddock/trash/t-bump/1', commit: '11223344aabbccdd11223344aabbccdd11223344', kept_at: new Date(now - 9 * 60 * MINUTE).toISOString(), reason: 'purge', title: 'Bump dependencies', branch: 'paddock-1', uncommitted: 0, ignored: { files: 0, bytes: 0, kept: true }, others: [] },
    { task_id: 't-old', number: 3, repository: WEB, ref: 'refs/paddock/trash/t-old/3', commit: '55667788aabbccdd11223344aabbccdd11223344', kept_at: new Date(now - 30 * 60 * MINUTE).toISOString(), reason: 'reset', branch: 'paddock-9', uncommitted: 5, ignored: { files: 90_000, bytes: 2.4e9, kept: false }, others: [] },
  ];
  world.orphans = [
    { task_id: 't-lost', name: 'paddock-t-lost', advice: 'Its journal is not here. Make it a task again with `paddock host adopt`, or remove it: its work is kept first.', adoptable: true, kind: 'container', repositories: [REPO], state: 'running, agent alive' },
    { task_id: 't-older', name: '/home/ada/.local/share/paddock/boxes/t-older', advice: 'Its repository is gone from this machine. What is left are files only.', adoptable: false, kind: 'worktree', repositories: ['/home/ada/removed'], state: 'ended' },
  ];
}
