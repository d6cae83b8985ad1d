// The scene `unbroken`: names so long and so without a space as machines make them, wherever a name is shown.
import { MINUTE, say, setUp, stat, tool, use } from './telling.js';

const LONG = 'a_very_long_name_that_a_generator_has_made_and_nobody_ever_breaks';
export const DEEP = `/home/ada/${LONG}/packages/${LONG}/${LONG}`;
const FILE = `src/${LONG}/${LONG}/the_end_of_it.generated.ts`;
const PATCH = `--- a/${FILE}\n+++ b/${FILE}\n@@ -1,2 +1,2 @@\n-const ${LONG} = '${LONG}';\n+const ${LONG} = '${LONG}_${LONG}';\n // the same\n`;

export function unbroken(world) {
  const id = 't-deep';
  world.create(id, { prompt: `Mend ${DEEP}/${FILE} at last`, title: `${DEEP}/${FILE}`, repositories: [{ path: DEEP }], model: `provider/${LONG}`, permission_mode: 'ask' }, 9 * MINUTE);
  setUp(world, id, { branch: `feature/${LONG}`, repo: DEEP, kind: 'worktree', model: `provider/${LONG}` });
  world.tell(id, 'thinking', { text: `I look at \`${DEEP}/${FILE}\` first, then at ${DEEP}.` }, 2100);
  say(world, id, `# ${LONG}_${LONG}\n\nIt is in ${DEEP}/${FILE}, as \`${LONG}_${LONG}\` says, see https://example.org/${LONG}/${LONG}.\n\n- ${LONG}_${LONG}\n\n> ${LONG}_${LONG}\n\n| ${LONG} | b |\n|---|---|\n| ${LONG} | ${LONG} |\n\n\`\`\`sh\n${DEEP}/${FILE}\n\`\`\``);
  for (const path of [FILE, 'a.ts']) tool(world, id, { tool: 'read', path: `${DEEP}/${path}` }, { output: 'x\n' });
  tool(world, id, { tool: 'grep', args: { pattern: `${LONG}_${LONG}`, path: DEEP } }, { output: `${DEEP}/${FILE}:1` });
  tool(world, id, { tool: 'edit', path: `${DEEP}/${FILE}` }, { patch: PATCH });
  tool(world, id, { tool: 'bash', command: `${DEEP}/${FILE}` }, { is_error: true, exit_code: 1, output: `${DEEP}/${FILE}: not found` });
  stat(world, id, [{ path: FILE, added: 1, removed: 1 }, { path: `${LONG}${LONG}${LONG}`, added: 4, removed: 0 }], { repo: DEEP, commits: 1, uncommitted: 2 });
  world.tell(id, 'commit_made', { repository: DEEP, commit: '9d1f00c3b7a2e4f6081726354a5b6c7d8e9f0a1b', subject: `${LONG}_${LONG}` });
  world.tell(id, 'todo_updated', { items: [{ text: `${DEEP}/${FILE}`, status: 'in_progress' }] });
  world.tell(id, 'error', { class: 'quota', message: `${DEEP}/${FILE} cannot be read: ${LONG}_${LONG}` });
  use(world, id, 0.42, 76_400);
  world.tell(id, 'question_asked', { question_id: 'q1', header: LONG, text: `Which of them: ${DEEP}/${FILE}?`, multiple: false, choices: [{ label: `${DEEP}/${FILE}`, description: `${LONG}_${LONG}` }, { label: 'Other' }] });
  world.tell(id, 'approval_requested', { approval_id: 'a1', tool_call_id: 'none', tool: 'bash', tool_name: 'Bash', summary: `rm ${DEEP}/${FILE}`, reason: `Removes ${DEEP}/${FILE}.`, input: { command: `rm ${DEEP}/${FILE}` }, scopes: ['once', 'task', 'repository'] });
  world.state(id, 'asking', { rested: 'answers' });
  world.tasks.get(id).diffs.set(DEEP, `diff --git a/${FILE} b/${FILE}\n${PATCH}diff --git a/${LONG}${LONG}${LONG} b/${LONG}${LONG}${LONG}\nnew file mode 100644\n--- /dev/null\n+++ b/${LONG}${LONG}${LONG}\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n`);
  world.create('t-deeper', { prompt: `${LONG}${LONG}`, repositories: [{ path: DEEP }] }, MINUTE);
  world.state('t-deeper', 'branching', 'scheduled');
  world.tell('t-deeper', 'error', { class: 'setup', message: `${DEEP}/${FILE} cannot be read: permission denied` });
  world.state('t-deeper', 'failed', 'failed', 'branching failed');
  world.trash = [{ task_id: id, number: 1, repository: DEEP, ref: `refs/paddock/trash/${id}/1`, commit: '7c1e9f20a4b3d5c6e7f8091a2b3c4d5e6f708192', kept_at: new Date(Date.now() - MINUTE).toISOString(), reason: 'purge', title: `${DEEP}/${FILE}`, branch: `feature/${LONG}`, uncommitted: 2, ignored: { files: 12, bytes: 3_400_000, kept: true }, others: [] }];
  world.orphans = [{ task_id: 't-lost', name: `${DEEP}/boxes`, advice: `Its repository ${DEEP} is gone.`, adoptable: true, kind: 'worktree', repositories: [DEEP], state: 'ended' }];
  world.chosen.templates.set(LONG, { name: LONG, variables: [LONG], spec: { prompt: LONG, harness: 'claude', repositories: [{ path: DEEP }], permission_mode: 'full_auto', host: 'local', box: {} }, saved_at: new Date().toISOString() });
}
