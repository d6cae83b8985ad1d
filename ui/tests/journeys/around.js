// Around the conversation: messages for later, the link to the box, what it uses and runs, what was kept,
// boxes without a task, how the server is, and how few connections all of it takes.
import { lostRequests, openWhole } from '../browser.js';
import { choose, copies, equal, events, focused, gone, press, seen, still, strokes, until } from './expect.js';

/** The field of a setting with what is said of it. */
const field = (page, label) => page.locator('.setting', { hasText: label });
const queued = (world) => (world.tasks.get('t-port').view.follow_ups ?? []).map((one) => one.content.split(' ')[0]).join(' ');

export const around = {
  'messages for after the turn are queued, ordered, edited and removed by keyboard': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'After this turn');
      await press(page, 'r');
      await page.keyboard.type('Release it');
      await press(page, 'Alt+Enter');
      await until(() => queued(world) === 'Then Commit Write Release', 'the fourth message');
      equal(await page.locator('.said[data-pending]').count(), 0, 'messages under way');
      await page.locator('[aria-label="Message 4 of 4: Release it"]').focus();
      await press(page, 'Alt+ArrowUp');
      await until(() => queued(world) === 'Then Commit Release Write', 'it to move');
      await focused(page, '[aria-label="Message 3 of 4: Release it"]');
      await press(page, 'ArrowUp', 'ArrowUp', 'Enter');
      await focused(page, '.queueedit textarea');
      await press(page, 'Control+a');
      await page.keyboard.type('First the help texts');
      await press(page, 'Enter');
      await until(() => queued(world) === 'First Commit Release Write', 'the edit');
      await page.locator('[aria-label="Message 1 of 4: First the help texts"]').focus();
      await press(page, 'ArrowDown', 'Delete');
      await until(() => queued(world) === 'First Release Write', 'the removal');
      await focused(page, '[aria-label="Message 2 of 3: Release it"]');
      await press(page, 'Tab', 'Tab', 'Tab', 'Enter');
      await until(() => queued(world) === 'First Write', 'it to be sent');
      await page.locator('.said .words', { hasText: 'Release it' }).waitFor();
    },
  },
  'a message to an agent that hears nothing in its turn says so, and waits where it can be changed': {
    go: async ({ page, world, open }) => {
      await page.route('**/harnesses', async (route) => {
        const answer = await route.fetch();
        const list = await answer.text();
        await route.fulfill({ response: answer, body: list.replaceAll('"steer":true', '"steer":false') });
      });
      await open('/tasks/t-port');
      const field = page.getByPlaceholder('the agent reads it after this turn');
      await field.fill('Release it');
      equal(await page.getByRole('button', { name: 'Send', exact: true }).count(), 0, 'ways to send it now');
      await field.press('Enter');
      await until(() => queued(world) === 'Then Commit Write Release', 'it to wait');
      await field.fill('Once more');
      await page.locator('.reply').getByRole('button', { name: 'After this turn' }).click();
      await until(() => queued(world) === 'Then Commit Write Release Once', 'the second to wait');
      await page.unroute('**/harnesses');
      await page.reload();
      await page.getByPlaceholder('Steer the agent while it works').waitFor();
    },
  },
  'a queue waits after a turn that was interrupted, and says so': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'After this turn');
      await press(page, 'Control+.');
      await seen(page, 'On hold: the last turn was interrupted.');
      await page.getByRole('button', { name: 'Send the first now' }).click();
      await until(() => queued(world) === 'Commit Write', 'the first to go');
      await until(() => queued(world) === '', 'the others to follow');
      await until(() => world.tasks.get('t-port').view.state === 'waiting', 'the end');
      equal(events(world, 't-port', 'user_message').length, 4, 'messages');
    },
  },
  'a box out of reach is said calmly, then plainly, and no more when it is back': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'Twelve verbs');
      // However slow this machine is, that is not long ago.
      world.link('t-port', { state: 'reconnecting', since_at: new Date(Date.now() + 60_000).toISOString() });
      await page.waitForTimeout(300);
      equal(await page.getByText('Reconnecting to the box').count(), 0, 'said at once');
      world.link('t-port', { state: 'reconnecting', since_at: new Date(Date.now() - 9000).toISOString(), attempt: 2, last_seq: 40, next_try_at: new Date(Date.now() + 4000).toISOString() });
      await seen(page, /Reconnecting to the box for \d+ s/);
      await seen(page, /last heard event 40, .* · 2 tries · next in \d s/);
      world.link('t-port', { state: 'lost', since_at: new Date(Date.now() - 90_000).toISOString(), attempt: 9, reason: 'the engine does not answer' });
      await seen(page, 'the engine does not answer');
      await page.locator('.side').getByLabel('out of reach').waitFor();
      world.link('t-port', { state: 'connected', since_at: new Date().toISOString() });
      await until(async () => (await page.getByText('does not answer').count()) === 0, 'the words to go');
    },
  },
  'what a box uses is shown, and a process in it is ended': {
    go: async ({ page, world, open }) => {
      await open('/tasks');
      await page.getByRole('row', { name: /Port the CLI/ }).getByText('683 MB').waitFor();
      await open('/tasks/t-port');
      const aside = page.getByRole('complementary');
      await aside.getByRole('img', { name: /^Memory over the last minutes, now 683 MB/ }).waitFor();
      const { latest, limits } = world.uses.get('t-port');
      world.frame('t-port', 'statistics', { ...latest, task_id: 't-port', limits, sampled_at: new Date(Date.now() + 60_000).toISOString(), memory_bytes: 1_200_000_000, processes: 5 });
      await aside.getByText('1.2 GB').first().waitFor();
      await aside.getByRole('button', { name: 'Processes: 5', exact: true }).click();
      await seen(page, 'paddock-relay serve');
      equal(await page.getByRole('button', { name: 'Send a signal: 1', exact: true }).count(), 0, 'signals for the relay');
      await page.getByRole('button', { name: 'Send a signal: 62' }).focus();
      await press(page, 'Enter');
      await focused(page, '[role=menuitem]');
      await press(page, 'Enter');
      await seen(page, 'TERM sent to 62');
      await until(async () => (await page.getByRole('button', { name: 'Send a signal: 62' }).count()) === 0, 'it to end');
    },
  },
  'what was kept is looked at, restored onto a branch, and dropped': {
    go: async ({ page, world, open }) => {
      await open('/');
      await seen(page, 'Inbox');
      await strokes(page, 'g', 'x');
      await seen(page, 'Try a different session store');
      await seen(page, 'session: Refuse what has expired');
      await page.locator('.keptfile .difflines').first().waitFor();
      await page.locator('.pagehead h1').click();
      await press(page, 'Shift+R');
      await seen(page, 'Nothing that is checked out is touched');
      await page.keyboard.type('main');
      await press(page, 'Enter');
      await seen(page, 'the branch main exists');
      await page.getByRole('textbox', { name: 'Branch' }).fill('');
      await press(page, 'Enter');
      await seen(page, 'Restored as paddock-6-restored');
      await page.locator('.pagehead h1').click();
      await press(page, 'j');
      await page.locator('.kept h2', { hasText: 'Bump dependencies' }).waitFor();
      await page.getByRole('button', { name: 'Drop…' }).click();
      await page.getByRole('button', { name: 'Drop', exact: true }).click();
      await until(() => world.trash.length === 2, 'it to be dropped');
      await until(async () => (await page.locator('.trashrow').count()) === 2, 'the list to follow');
    },
  },
  'what was removed is found in the trash': {
    go: async ({ page, open }) => {
      await open('/tasks/t-flaky');
      await page.getByLabel('More actions').click();
      await page.getByRole('menuitem', { name: 'Remove task' }).click();
      await page.locator('.dialog footer button').last().click();
      await seen(page, 'Restore task');
      await page.getByLabel('More actions').click();
      await page.getByRole('menuitem', { name: 'Trash' }).click();
      await page.locator('.trashrow', { hasText: 'Find out why' }).waitFor();
      equal(await page.locator('.trashrow').count(), 1, 'entries of this task');
    },
  },
  'a box without a task is made one again, or removed after what would be lost was said': {
    go: async ({ page, world, open }) => {
      await open('/hosts');
      await seen(page, 'Boxes that belong to no task');
      await page.getByRole('button', { name: 'Remove…' }).last().click();
      await page.getByRole('button', { name: 'Remove box' }).click();
      await seen(page, 'nothing can be kept');
      await page.getByRole('button', { name: 'Remove all the same' }).click();
      await until(() => world.orphans.length === 1, 'it to be removed');
      await page.getByRole('button', { name: 'Make it a task again' }).click();
      await page.waitForURL(/t-lost/);
      await seen(page, 'What a box without a task had begun');
    },
  },
  'history is searched by keyboard and a hit leads to its place': {
    go: async ({ page, open }) => {
      await open('/');
      await page.keyboard.press('Control+Shift+f');
      await page.getByLabel('Search in what was said and done').fill('auth');
      await seen(page, '3 hits');
      equal(await page.locator('.hitgroup').count(), 2, 'tasks');
      equal(await page.locator('.hit mark').first().textContent(), 'authentication', 'the mark');
      await page.locator('.hit').first().press('Enter');
      await page.waitForURL(/t-auth\?at=1$/);
      await page.locator('.row[data-found]').waitFor();
    },
  },
  'a setting that is not taken says why, one that is is kept': {
    go: async ({ page, open }) => {
      await open('/settings/boxes');
      const limit = page.getByLabel('Tasks at work', { exact: true });
      await limit.fill('many');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await field(page, 'Tasks at work').getByRole('alert').filter({ hasText: 'give 1 to 256' }).waitFor();
      await limit.fill('4');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await seen(page, 'Saved');
      await field(page, 'Tasks at work').getByText('Default: 8 tasks').waitFor();
      await page.reload();
      await until(async () => (await page.getByLabel('Tasks at work', { exact: true }).inputValue()) === '4', 'it to be kept');
      await page.getByRole('button', { name: 'Back to the default: Tasks at work' }).click();
      await until(async () => (await page.getByLabel('Tasks at work', { exact: true }).inputValue()) === '8', 'the default');
    },
  },
  'settings of several pages are saved at once, each given as fits it, and say who chose them': {
    go: async ({ page, world, open }) => {
      await open('/settings/agents');
      await page.getByLabel('Agent', { exact: true }).selectOption('codex');
      await choose(page, page.getByRole('radio', { name: 'Ask', exact: true }));
      await page.getByRole('switch', { name: 'Go on after a usage limit' }).click();
      await field(page, 'Call an agent silent after').getByText('From the environment: PADDOCK_LIMITS_SILENT_AFTER_S').waitFor();
      const pages = page.getByRole('navigation', { name: 'Parts of the settings' });
      await pages.getByRole('link', { name: 'Git and pushing' }).click();
      await field(page, 'Files that are not looked into').getByText('From /home/ada/.config/paddock/paddock.toml:9').waitFor();
      await page.getByLabel('Files that are not looked into').fill('fixtures/*.pem\nsecrets.md');
      await pages.getByRole('link', { name: 'Keeping' }).click();
      await page.getByLabel('Undo a removal for').fill('7200');
      await seen(page, '= 2 h');
      await seen(page, '5 changes are not saved yet');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await until(() => Object.keys(world.chosen.saved).length === 5, 'all to be saved');
      equal(world.chosen.saved, { 'task.harness': 'codex', 'task.permission_mode': 'ask', 'limits.resume': 'on', 'purge.window_s': '7200', 'scan.allow': 'fixtures/*.pem,secrets.md' }, 'what was saved');
      await gone(page, 'not saved yet');
      await field(page, 'Undo a removal for').getByText('Set here').waitFor();
      await page.getByLabel('Keep the trash for').fill('30');
      await page.getByRole('button', { name: 'Discard' }).click();
      equal(await page.getByLabel('Keep the trash for').inputValue(), '', 'what was discarded');
      await pages.getByRole('link', { name: 'Files and logs' }).click();
      await seen(page, 'Can only be set where Paddock is started');
      await seen(page, 'provider.codex.OPENAI_API_KEY');
    },
  },
  'a setting is found by a word, wherever it stands': {
    go: async ({ page, open }) => {
      await open('/settings');
      await seen(page, 'Appearance');
      await page.locator('h1').click();
      await press(page, '/');
      await focused(page, 'input[type=search]');
      await page.keyboard.type('memory');
      await seen(page, '1 setting found');
      await page.getByLabel('Memory', { exact: true }).fill('4096');
      await seen(page, '= 4 GiB');
      await page.getByLabel('Search settings').fill('language');
      await page.getByRole('link', { name: 'Appearance' }).click();
      await page.getByRole('radio', { name: 'Deutsch' }).waitFor();
      await seen(page, '1 change is not saved yet');
      await page.getByLabel('Search settings').fill('nothing of the kind');
      await seen(page, 'No setting is called that');
    },
  },
  'a full disk and a start under way are said on every page': {
    go: async ({ page, world, open }) => {
      await open('/settings');
      await seen(page, 'Appearance');
      world.health({ disk: { state: 'full', free_bytes: 4_100_000, low_water_bytes: 512 << 20 } });
      await seen(page, '4.1 MB left. Nothing can be written');
      world.health({ disk: { state: 'ok', free_bytes: 9e9, low_water_bytes: 512 << 20 }, loading: true, phases: { journals: 'done', repositories: 'loading', hosts: 'loading' } });
      await seen(page, 'looking at repositories, looking at boxes');
      equal(await page.getByText('The disk is full').count(), 0, 'the disk');
      world.health({ loading: false, phases: { journals: 'done', repositories: 'done', hosts: 'done' } });
      await until(async () => (await page.locator('.linkbar').count()) === 0, 'the words to go');
    },
  },
  'a task in line says where it stands and is moved': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-docs');
      await seen(page, '1 of 2 in line');
      await seen(page, '1 of 1 places taken by');
      await page.getByRole('button', { name: 'Move to the end of the line' }).click();
      await seen(page, '2 of 2 in line');
      equal(events(world, 't-docs', 'place_moved').length, 1, 'moves');
    },
  },
  'paths and commits in a conversation lead to where they changed': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours');
      world.tell('t-auth', 'assistant_message', { blocks: [{ kind: 'text', content: 'See `src/login.rs:40`, `4f1c2ab9d0e3` and https://example.org/a, not `javascript:alert(1)`.' }] });
      await page.getByRole('button', { name: 'src/login.rs:40' }).click();
      await copies(page, () => page.getByRole('menuitem', { name: 'Copy full path' }).click(), '/home/ada/api-server/src/login.rs:40');
      await page.getByRole('button', { name: 'src/login.rs:40' }).focus();
      await press(page, 'Enter');
      await focused(page, '[role=menuitem]');
      await press(page, 'Enter');
      await page.waitForURL(/review#src%2Flogin\.rs$/);
      await page.goBack();
      await page.getByRole('button', { name: '4f1c2ab9d0e3' }).click();
      equal(await page.getByRole('menuitem').count(), 2, 'ways from a commit');
      const link = page.getByRole('link', { name: 'https://example.org/a' });
      equal([await link.getAttribute('rel'), await link.getAttribute('target')], ['noopener noreferrer nofollow', '_blank'], 'the link');
    },
  },
  'commits and what no commit holds are reviewed apart': {
    go: async ({ page, open }) => {
      await open('/tasks/t-auth/review');
      await page.locator('.fileview').nth(5).waitFor();
      await page.locator('.reviewhead').click({ position: { x: 2, y: 2 } });
      await press(page, 'w');
      await page.waitForURL(/what=uncommitted/);
      await until(async () => (await page.locator('.fileview').count()) === 2, 'two files');
      await page.getByLabel('Part of the work').selectOption({ label: '3f1c2ab docs: Say how long a token is good' });
      await page.waitForURL(/commit=3f1c2ab/);
      await until(async () => (await page.locator('.fileview').count()) === 1, 'one file');
      await page.reload();
      await page.locator('.fileview', { hasText: 'authentication.md' }).waitFor();
      equal(await page.locator('.fileview').count(), 1, 'files after a reload');
    },
  },
  'three windows of one browser take four connections': {
    go: async ({ page, world, context, fake, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours');
      for (const id of ['t-cache', 't-port']) {
        const other = await context.newPage();
        await openWhole(other, `${fake.url}/tasks/${id}/log`, lostRequests(other));
        await other.locator('.logno').first().waitFor();
      }
      equal(world.opened.get('/events'), 1, 'streams of all tasks');
      await until(() => world.listeners.size === 4, 'four streams that stay open');
      world.tell('t-port', 'state_changed', { from: 'running', to: 'waiting', on: { rested: 'prompt' } });
      await page.locator('.side').getByRole('link', { name: /Port the CLI/ }).getByLabel('waiting').waitFor();
    },
  },
  'a long conversation is whole soon after its end is shown, and nothing moves by it': {
    scene: 'middling',
    go: async ({ page, open }) => {
      await open('/tasks');
      await page.getByRole('link', { name: /Middling task 2/ }).first().click();
      await page.locator('.vlist-row').nth(3).waitFor();
      await page.locator('.vlist-frame').evaluate((frame) => frame.scrollTo(0, 600));
      const place = () =>
        page.locator('.vlist-frame').evaluate((frame) => {
          const top = frame.getBoundingClientRect().top;
          const row = [...frame.querySelectorAll('.vlist-row')].find((one) => one.getBoundingClientRect().bottom > top + 4);
          return row && { words: row.textContent.slice(0, 60), at: Math.round(row.getBoundingClientRect().top) };
        });
      const before = await still(place, 'the first rows');
      await page.locator('.conversation[data-whole]').waitFor();
      const after = await still(place, 'all rows');
      equal(after.words, before.words, 'the first row in view');
      if (Math.abs(after.at - before.at) > 1) throw new Error(`it moved by ${after.at - before.at} px`);
      await page.locator('.vlist-frame').evaluate((frame) => frame.scrollTo(0, 0));
      await seen(page, 'Ready in');
      equal(await page.locator('.said').first().textContent(), 'YouMiddling task 2', 'the first row');
    },
  },
};
