// One task: start, watch, reply, interrupt, stop, revive, remove and bring back.
import { byPalette, copies, equal, events, focused, press, reach, seen, still, stored, strokes, until } from './expect.js';

const scroller = '.vlist-frame';
const bottomGap = (page) => page.locator(scroller).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);

export const conversation = {
  'a task is started by keyboard and watched to its end': {
    go: async ({ page, world, open }) => {
      let ready;
      world.gate = new Promise((resolve) => (ready = resolve));
      await open('/');
      await seen(page, 'Inbox');
      await strokes(page, 'g', 'i');
      await press(page, 'c');
      await focused(page, 'textarea');
      await page.keyboard.type('Say hello');
      await reach(page, page.getByLabel('Repository'));
      await page.keyboard.type('/home/ada/api-server');
      await seen(page, 'On main · has uncommitted changes');
      await press(page, 'Control+Enter');
      await page.waitForURL(/\/tasks\/t-new/);
      await seen(page, 'Setting up');
      ready();
      await seen(page, 'Done, and the tests pass.');
      await seen(page, 'Turn done');
      const id = page.url().split('/').at(-1);
      equal(world.tasks.get(id).view.spec.repositories, [{ path: '/home/ada/api-server' }], 'repositories');
      equal(await page.locator('.said').count(), 1, 'prompts shown');
    },
  },
  'a bad repository is said before and a refusal after starting': {
    go: async ({ page, open }) => {
      await open('/new');
      await page.getByLabel('What should the agent do?').fill('x');
      await page.getByLabel('Repository').fill('/home/ada/missing');
      await seen(page, 'there is no repository at /home/ada/missing');
      await page.getByRole('button', { name: 'Start task' }).click();
      await seen(page, 'make one with');
      await page.reload();
      equal(await page.getByLabel('What should the agent do?').inputValue(), 'x', 'prompt after reload');
    },
  },
  'a reply is shown at once, streams back and leaves no draft': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass.');
      await press(page, 'r');
      await page.keyboard.type('Also cache the feed');
      await stored(page, 'Also cache the feed');
      await page.reload();
      const area = page.getByLabel('Message to the agent');
      await until(async () => (await area.inputValue()) === 'Also cache the feed', 'the draft');
      await area.focus();
      await press(page, 'Enter');
      equal(await area.inputValue(), '', 'composer');
      await page.locator('.said .words', { hasText: 'Also cache the feed' }).waitFor();
      await seen(page, 'Done, and the tests pass.');
      await until(async () => (await page.locator('.turnline').count()) === 2, 'the second turn line');
      equal(events(world, 't-cache', 'user_message').length, 2, 'messages');
      equal(await page.locator('.said .words', { hasText: 'Also cache the feed' }).count(), 1, 'messages shown');
    },
  },
  'calls say what they were given in words, and one message is copied': {
    go: async ({ page, world, open }) => {
      const id = 't-port';
      await open(`/tasks/${id}`);
      const call = (tool_call_id, tool, tool_name, more) => world.tell(id, 'tool_call_started', { tool_call_id, tool, tool_name, ...more });
      call('w1', 'web', 'WebFetch', { args: { url: 'https://example.org/clap', prompt: 'Which version?' } });
      call('e1', 'edit', 'Edit', { path: '/home/ada/api-server/src/cli/run.rs', args: { file_path: '/home/ada/api-server/src/cli/run.rs', old_string: 'let code = 1;', new_string: 'let code = 2;' } });
      world.tell(id, 'tool_call_finished', { tool_call_id: 'e1', is_error: false, output: 'done' });
      call('t1', 'todo', 'TodoWrite', { args: { todos: [{ content: 'Move the verbs', status: 'in_progress' }] } });
      const opened = async (name) => {
        await page.locator('.foldhead', { hasText: name }).last().click();
        return page.locator('.fold', { hasText: name }).last().locator('.foldbody');
      };
      const web = await opened('example.org/clap');
      await web.locator('dt', { hasText: 'Address' }).waitFor();
      await web.locator('dd', { hasText: 'Which version?' }).waitFor();
      const edit = await opened('run.rs');
      await edit.locator('tr[data-side=removed] mark', { hasText: '1' }).waitFor();
      await edit.locator('tr[data-side=added] mark', { hasText: '2' }).waitFor();
      const todo = await opened('Move the verbs');
      await todo.getByRole('img', { name: 'under way' }).waitFor();
      equal(await page.locator('.foldbody', { hasText: '"todos"' }).count(), 0, 'raw input');
      const message = page.locator('.agent', { hasText: 'Twelve verbs' });
      await message.hover();
      await copies(page, () => message.getByRole('button', { name: 'Copy message' }).click(), 'Twelve verbs, each with its own parser. I will move them one at a time and keep a table of exit codes to compare.');
    },
  },
  'what a tool shows is seen at once, opens large and says what it is': {
    go: async ({ page, world, open }) => {
      const id = 't-port';
      const image = world.keep(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAEElEQVR4nGM44OAARwzIHACGGgoBGeOLCwAAAABJRU5ErkJggg==', 'base64'), 'image-1.png');
      await open(`/tasks/${id}`);
      world.tell(id, 'tool_call_started', { tool_call_id: 's1', tool: 'read', tool_name: 'Read', path: '/home/ada/api-server/docs/shot.png' });
      world.tell(id, 'tool_call_finished', { tool_call_id: 's1', is_error: false, output: '[image]', images: [image] });
      world.tell(id, 'tool_call_started', { tool_call_id: 's2', tool: 'mcp', tool_name: 'screenshot', server: 'browser', args: {} });
      world.tell(id, 'tool_call_finished', { tool_call_id: 's2', is_error: false, output: 'The page as it is\n[image]', images: [image] });
      const shot = page.getByRole('img', { name: 'shot.png' });
      await shot.waitFor();
      await until(() => shot.evaluate((element) => element.naturalWidth > 0), 'the image');
      equal((await shot.boundingBox()).height <= 200, true, 'bounded');
      await seen(page, 'The page as it is');
      equal(await page.getByText('[image]').count(), 0, 'placeholders');
      await page.getByRole('button', { name: 'Show shot.png large' }).focus();
      await press(page, 'Enter');
      const large = page.getByRole('dialog', { name: 'shot.png' });
      await large.getByRole('img', { name: 'shot.png' }).waitFor();
      await press(page, 'Escape');
      await large.waitFor({ state: 'detached' });
      await focused(page, '.attachment-image');
    },
  },
  'turns, words and details are reached by buttons and by keys': {
    context: { viewport: { width: 1000, height: 700 } },
    go: async ({ page, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass.');
      await page.getByRole('button', { name: 'Find in conversation' }).click();
      await focused(page, '.find input');
      await press(page, 'Escape');
      await page.getByRole('button', { name: 'Previous turn' }).click();
      await page.getByRole('button', { name: 'Next turn' }).click();
      const details = page.getByRole('complementary', { name: 'About this task' });
      equal(await details.isVisible(), false, 'details at first');
      await page.locator('.tasktitle').click();
      await press(page, 'd');
      await details.getByText('of them thinking').waitFor();
      await press(page, 'd');
      await details.waitFor({ state: 'hidden' });
    },
  },
  'a context is shortened with what to keep of it': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass.');
      const shorten = async (about) => {
        await byPalette(page, 'shorten the context', /^Shorten the context/);
        await focused(page, 'dialog[open] textarea');
        await page.keyboard.type(about);
        await press(page, 'Control+Enter');
      };
      await shorten('the list of files');
      await until(() => events(world, 't-cache', 'context_condensed').length === 1, 'it to be asked for');
      await page.locator('.foldhead', { hasText: 'Context condensed, as you asked' }).click();
      await seen(page, 'Kept: the list of files');
      await until(async () => (await page.locator('dialog[open]').count()) === 0, 'the dialog to close');
      await shorten('');
      await until(() => events(world, 't-cache', 'context_condensed').length === 2, 'it to be asked for plainly');
      equal('summary_text' in events(world, 't-cache', 'context_condensed')[1], false, 'what to keep');
    },
  },
  'a message that could not be sent is kept and sent again once': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass.');
      await page.getByLabel('Message to the agent').fill('please refuse this');
      await press(page, 'Enter');
      await seen(page, 'the queue of this task is full');
      const first = events(world, 't-cache', 'user_message').length;
      await page.getByRole('button', { name: 'Send again' }).click();
      await seen(page, 'the queue of this task is full');
      equal(events(world, 't-cache', 'user_message').length, first, 'messages');
      await page.reload();
      await page.locator('.said[data-pending] .words', { hasText: 'please refuse this' }).waitFor();
      await seen(page, 'The page was closed before the server had answered.');
      await page.getByRole('button', { name: 'Drop' }).click();
      await until(async () => (await page.locator('.unsent').count()) === 0, 'it to go');
      await page.reload();
      await seen(page, 'All 57 tests pass.');
      equal(await page.locator('.said[data-pending]').count(), 0, 'messages kept');
    },
  },
  'a message whose answer was never heard is there after a reload, and goes when it had arrived': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass.');
      const arrived = () => events(world, 't-cache', 'user_message').filter((one) => one.content === 'Also cache the feed').length;
      // The server has it, the page never hears so.
      await page.route('**/messages', (route) => void route.fetch());
      await page.getByLabel('Message to the agent').fill('Also cache the feed');
      await press(page, 'Enter');
      await until(() => arrived() === 1, 'the message');
      await page.unroute('**/messages');
      await page.reload();
      await seen(page, 'All 57 tests pass.');
      await page.locator('.said .words', { hasText: 'Also cache the feed' }).waitFor();
      await until(async () => (await page.locator('.said[data-pending]').count()) === 0, 'it to be no longer on its way');
      await until(() => page.evaluate(() => Object.keys(localStorage).every((key) => !key.includes('outbox.'))), 'nothing to be kept');
      equal([arrived(), await page.locator('.said .words', { hasText: 'Also cache the feed' }).count()], [1, 1], 'messages');
    },
  },
  'an agent is interrupted, stopped, revived, removed and brought back': {
    go: async ({ page, world, open }) => {
      const state = () => world.tasks.get('t-port').view.state;
      await open('/tasks/t-port');
      await seen(page, 'Twelve verbs');
      await press(page, 'Control+.');
      await until(() => state() === 'waiting', 'waiting');
      await seen(page, 'Interrupted');
      await press(page, 'Shift+S');
      await until(() => state() === 'stopped', 'stopped');
      await seen(page, 'Stopped. The box is kept.');
      await page.getByRole('button', { name: 'Revive agent' }).click();
      await until(() => state() === 'waiting', 'revived');
      await seen(page, 'Running again after');
      await page.getByLabel('More actions').click();
      await focused(page, '[role=menuitem]');
      await press(page, 'End', 'Enter');
      await seen(page, '3 files have changes that no commit holds');
      await page.getByRole('button', { name: 'Remove all the same' }).click();
      await until(() => state() === 'purging', 'purging');
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
      await until(() => state() === 'stopped', 'restored');
      await seen(page, 'Restored.', );
    },
  },
  'failures and edits are open, everything else is one line': {
    go: async ({ page, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours to decide');
      await until(async () => (await bottomGap(page)) < 2, 'it to start at the end');
      await page.locator(scroller).evaluate((element) => element.scrollTo(0, 0));
      await seen(page, 'read 3 files, 1 search');
      await seen(page, 'assertion failed: !session.check(&token)');
      equal(await page.getByText('Two places could be wrong').count(), 0, 'thinking shown');
      await page.getByRole('button', { name: /Thought/ }).click();
      await seen(page, 'Two places could be wrong');
    },
  },
  'who reads above is never moved, and is told of what is new below': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours to decide');
      await until(async () => (await bottomGap(page)) < 2, 'it to start at the end');
      await page.locator(scroller).hover();
      await page.mouse.wheel(0, -400);
      await seen(page, 'Go to the end');
      const before = await still(() => page.locator(scroller).evaluate((element) => element.scrollTop), 'the wheel');
      for (let nth = 0; nth < 5; nth += 1) world.tell('t-auth', 'assistant_message', { blocks: [{ kind: 'text', content: `News ${nth}\n\nand more of it` }] });
      await seen(page, 'New below');
      equal(await page.locator(scroller).evaluate((element) => element.scrollTop), before, 'scroll position');
      await page.getByRole('button', { name: /New below/ }).click();
      await seen(page, 'News 4');
      await until(async () => (await bottomGap(page)) < 2, 'it to end at the end');
    },
  },
  'a streaming message grows at the end and settles without a second copy': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'Twelve verbs');
      const text = 'A sentence that grows word by word.\n\n```rust\nfn grows() {}\n```\n\nAnd ends.';
      for (const word of text.split(/(?<=\s)/)) {
        world.delta('t-port', 'text', 'm1', word);
        await until(async () => (await bottomGap(page)) < 40, 'it to stay at the end');
      }
      await seen(page, 'And ends.');
      const block = await page.locator('.agent', { hasText: 'A sentence that grows' }).elementHandle();
      world.tell('t-port', 'assistant_message', { blocks: [{ kind: 'text', content: text }] });
      await page.waitForTimeout(100);
      equal(await block.evaluate((element) => element.isConnected), true, 'the same element stays');
      equal(await page.locator('.agent', { hasText: 'A sentence that grows' }).count(), 1, 'copies');
    },
  },
  'who reads at the end stays there, whatever the composer needs of the room': {
    go: async ({ page, world, open }) => {
      await page.setViewportSize({ width: 1360, height: 560 });
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours to decide');
      const field = page.getByLabel('Message to the agent');
      const stays = () => until(async () => (await bottomGap(page)) < 2, 'the end');
      for (let round = 0; round < 3; round += 1) {
        await field.fill('a line\n'.repeat(8));
        await stays();
        await field.fill('');
        await stays();
        await page.setViewportSize({ width: 1360, height: round % 2 === 0 ? 900 : 560 });
        await stays();
      }
      for (const { question_id } of world.tasks.get('t-auth').view.questions) world.tell('t-auth', 'question_answered', { question_id, answer: { choices: ['x'] } });
      world.state('t-auth', 'running', 'engaged');
      await until(async () => (await page.locator('.card').count()) === 0, 'the card to go');
      await stays();
      world.tell('t-auth', 'assistant_message', { blocks: [{ kind: 'text', content: 'The last word.' }] });
      await seen(page, 'The last word.');
      await stays();
    },
  },
  'words are found in a conversation': {
    go: async ({ page, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours to decide');
      await press(page, 'Control+f');
      await page.keyboard.type('expired_token');
      await seen(page, '1 of 1');
      await page.locator('.row[data-found]').waitFor();
      await press(page, 'Escape');
      equal(await page.locator('.find').count(), 0, 'find');
    },
  },
};
