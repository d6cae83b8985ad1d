// How stories are told: the steps that most of them share.

export const MINUTE = 60_000;
export const REPO = '/home/ada/api-server';
export const WEB = '/home/ada/web';
const BASE = '4f1c2ab9d0e37c65a1b2c3d4e5f60718293a4b5c';

/** From created to running. */
export function setUp(world, id, { branch = 'paddock-7', repo = REPO, kind = 'container', model = 'claude-opus-4.5', version = '2.0.31' } = {}) {
  const { harness } = world.tasks.get(id).view.spec;
  world.state(id, 'branching', 'scheduled');
  if (repo) world.tell(id, 'branch_claimed', { repository: repo, branch, base: 'main', base_commit: BASE, adopted: false });
  world.state(id, 'provisioning', 'branched');
  world.tell(id, 'box_created', kind === 'container' ? { kind, name: `paddock-${id}`, image: 'debian:12' } : { kind, name: `/home/ada/.local/share/paddock/worktrees/${id}` }, 610);
  world.state(id, 'starting', 'box_ready', undefined, 120);
  world.tell(id, 'run_started', { harness, version, resumed: false }, 210);
  world.state(id, 'running', 'prompted');
  turn(world, id);
  world.tell(id, 'user_message', { input_id: `first-${id}`, content: world.tasks.get(id).view.spec.prompt });
  world.tell(id, 'model_selected', { provider: harness, model });
}

export function turn(world, id) {
  const task = world.tasks.get(id);
  task.turns += 1;
  task.turn = `turn-${id}-${task.turns}`;
}

let calls = 0;

/** A tool call from start to end. */
export function tool(world, id, started, finished, ms = 40) {
  calls += 1;
  const tool_call_id = `call-${calls}`;
  const names = { bash: 'Bash', read: 'Read', write: 'Write', edit: 'Edit', glob: 'Glob', grep: 'Grep', web: 'WebFetch', todo: 'TodoWrite', subagent: 'Task' };
  world.tell(id, 'tool_call_started', { tool_call_id, tool_name: names[started.tool] ?? 'tool', ...started }, 400);
  if (finished) world.tell(id, 'tool_call_finished', { tool_call_id, is_error: false, duration_ms: ms, ...finished }, ms);
  return tool_call_id;
}

export const say = (world, id, content, after = 900) => world.tell(id, 'assistant_message', { blocks: [{ kind: 'text', content }] }, after);
export const read = (world, id, path, ms = 12) => tool(world, id, { tool: 'read', path: `${REPO}/${path}` }, { output: `// ${path}\n` }, ms);

export function use(world, id, usd, used, tokens = 1) {
  world.tell(id, 'usage_updated', {
    input_tokens: 2_400 * tokens, cached_tokens: 96_000 * tokens, cache_write_tokens: 8_200 * tokens, output_tokens: 3_100 * tokens, reasoning_tokens: 900 * tokens,
    context_used: used, context_limit: 200_000, cost: { usd, source: 'reported' },
  });
}

export function stat(world, id, files, { repo = REPO, commits = 0, uncommitted = files.length } = {}) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  world.tell(id, 'diff_stat', { repository: repo, stat: { files, added, removed, commits, uncommitted } });
}
