// Home: tasks grouped and sorted as one likes, and the archive.
import { PHONE } from '../browser.js';
import { equal, events, gone, press, seen, strokes, until } from './expect.js';

const groups = (page) => page.locator('.grouprow th').allInnerTexts();
const titles = (page) => page.locator('.taskline .title a').allInnerTexts();

/** A task that is done and whose agent is gone. */
function over(world, id) {
  world.state(id, 'stopping', 'stop_requested');
  world.tell(id, 'run_ended', { exit: { how: 'code', code: 0 } });
  world.state(id, 'stopped', 'ended');
}

export const home = {
  'tasks are grouped and sorted as was chosen, also after a reload': {
    go: async ({ page, open }) => {
      await open('/tasks');
      await page.locator('.grouprow', { hasText: 'Needs you' }).waitFor();
      await page.getByLabel('Group by').selectOption('Repository');
      await page.locator('.grouprow', { hasText: 'api-server' }).waitFor();
      await page.getByLabel('Sort by').selectOption('Cost');
      const sorted = await titles(page);
      await page.reload();
      await page.locator('.grouprow', { hasText: 'api-server' }).waitFor();
      equal(await titles(page), sorted, 'tasks after a reload');
      const heading = page.getByRole('columnheader', { name: 'Cost' });
      equal(await heading.getAttribute('aria-sort'), 'descending', 'the order');
      await heading.getByRole('button').click();
      equal(await heading.getAttribute('aria-sort'), 'ascending', 'the order turned');
      await page.locator('.pagehead h1').click();
      await press(page, 'Shift+G');
      await page.locator('.grouprow', { hasText: 'Claude' }).waitFor();
      equal(await page.getByLabel('Group by').inputValue(), 'harness', 'what is chosen by its key');
    },
  },
  'a row keeps the focus while events come, also when it moves': {
    go: async ({ page, world, open }) => {
      const row = (id) => page.locator(`.taskline[data-task="${id}"]`);
      const focusedRow = () => page.evaluate(() => document.activeElement.closest('.taskline')?.dataset.task);
      await open('/tasks');
      await row('t-port').getByRole('link').focus();
      await row('t-port').evaluate((element) => (element.same = true));
      world.create('t-new', { prompt: 'One more' });
      await row('t-new').waitFor();
      for (const id of ['t-flaky', 't-port']) world.tell(id, 'assistant_message', { message_id: `m-${id}`, text: 'one more word' });
      world.create('t-newer', { prompt: 'And one more' });
      await row('t-newer').waitFor();
      equal(await focusedRow(), 't-port', 'the row with the focus');
      equal(await row('t-port').evaluate((element) => element.same), true, 'the row to be the one that it was');
      over(world, 't-port');
      const group = () => page.evaluate(() => document.querySelector('.taskline[data-task="t-port"]')?.parentElement.querySelector('.grouprow').textContent);
      await until(async () => (await group())?.startsWith('Waiting'), 'the row in the group of what waits');
      equal(await focusedRow(), 't-port', 'the row with the focus, in another group');
      await press(page, 'k');
      equal([undefined, 't-port'].includes(await focusedRow()), false, 'the row before to have no focus');
    },
  },
  'a page of which all is archived is no new one, and an archive that cannot be read says so': {
    go: async ({ page, world, open }) => {
      for (const id of world.tasks.keys()) world.tell(id, 'archived');
      await open('/');
      await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
      equal(await page.getByText('Welcome to Paddock').count() + (await page.getByText('No tasks yet').count()), 0, 'words for who is new');
      const refused = (route) => route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'the disk is away', details: null } } });
      await page.route(/tasks\?.*archived=true/, refused);
      await open('/tasks?archive');
      await seen(page, 'The archive cannot be read');
      await seen(page, 'the disk is away');
      equal(await page.getByText('The archive is empty').count(), 0, 'words for an empty archive');
      await page.unroute(/tasks\?.*archived=true/, refused);
      // The list may have been asked for again by itself just then.
      const [again, line] = [page.getByRole('button', { name: 'Try again' }), page.locator('.taskline[data-task="t-cache"]')];
      await until(async () => (await line.count()) > 0 || again.click({ timeout: 1_000 }).then(() => false, () => false), 'the archive');
      await gone(page, 'The archive cannot be read');
      await open('/tasks');
      await page.getByRole('heading', { name: 'All tasks are in the archive' }).waitFor();
    },
  },
  'a task in the archive keeps its name in the history, and where another came from it': {
    go: async ({ page, world, open }) => {
      const { title } = world.tasks.get('t-cache').view;
      world.create('t-child', { prompt: 'Go another way', origin: { task_id: 't-cache' } });
      over(world, 't-cache');
      world.tell('t-cache', 'archived');
      await open('/tasks/t-child');
      await page.locator('.facts', { hasText: 'forked from' }).getByRole('link', { name: title }).waitFor();
      await open('/history');
      await page.locator('.historyline').getByRole('link', { name: title }).waitFor();
    },
  },
  'where there are several hosts each task says where it is': {
    go: async ({ page, world, open }) => {
      await open('/tasks');
      await page.locator('.taskline').first().waitFor();
      equal(await page.getByRole('columnheader', { name: 'Host' }).count(), 0, 'columns of one host');
      world.create('t-far', { prompt: 'Work over there', host: 'workshop' });
      await page.getByRole('columnheader', { name: 'Host' }).waitFor();
      await page.getByLabel('Group by').selectOption('Host');
      await until(async () => (await groups(page)).join().includes('workshop'), 'the group of the host');
      await page.setViewportSize(PHONE);
      await page.getByRole('row', { name: /Work over there/ }).locator('.hostmark', { hasText: 'workshop' }).waitFor();
      equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'the page to fit');
    },
  },
  'a task that is done goes into the archive by keys, and out of it': {
    go: async ({ page, world, open }) => {
      over(world, 't-cache');
      const title = world.tasks.get('t-cache').view.title;
      const row = page.getByRole('row', { name: title });
      await open('/tasks');
      await row.getByRole('link', { name: title }).focus();
      await press(page, 'Shift+A');
      await until(async () => (await row.count()) === 0, 'the row to go');
      await until(() => events(world, 't-cache', 'archived').length === 1, 'the server to have heard of it');
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      await row.getByRole('link', { name: title }).focus();
      await press(page, 'Shift+A');
      await until(async () => (await row.count()) === 0, 'the row to go again');
      await strokes(page, 'g', 'a');
      await page.getByRole('heading', { name: 'Archive' }).waitFor();
      await row.waitFor();
      await page.reload();
      await row.getByRole('link', { name: title }).click();
      await seen(page, 'in the archive since');
      await page.getByRole('button', { name: 'Take out of the archive' }).click();
      await until(() => events(world, 't-cache', 'unarchived').length === 2, 'it to be out');
      await strokes(page, 'g', 't');
      await row.waitFor();
    },
  },
  'a task goes on with an earlier session of its agent': {
    go: async ({ page, world, open }) => {
      world.adopts = true;
      for (const id of ['t-flaky', 't-port']) world.tell(id, 'agent_session_named', { session_id: 's-now' });
      await open('/tasks/t-port');
      const dialog = page.getByRole('dialog', { name: 'Sessions of this agent' });
      const goOn = dialog.getByRole('listitem').filter({ hasText: 'Before the context was emptied' }).getByRole('button', { name: 'Go on with this' });
      await page.getByRole('complementary').getByRole('button', { name: 'Sessions of this agent' }).click();
      await dialog.getByText('Stop the agent first').waitFor();
      equal(await goOn.isDisabled(), true, 'a button that cannot be pressed');
      await open('/tasks/t-flaky');
      await page.getByRole('complementary').getByRole('button', { name: 'Sessions of this agent' }).click();
      await dialog.getByRole('listitem').filter({ hasText: 'this one' }).waitFor();
      await goOn.click();
      await seen(page, 'The agent goes on with another session');
      equal(events(world, 't-flaky', 'agent_session_named').at(-1).session_id, 's-before', 'the session');
      await until(() => world.tasks.get('t-flaky').view.state === 'waiting', 'the agent');
    },
  },
  'what the server refuses is said in the language of the page, with its own words below': {
    go: async ({ page, open }) => {
      await page.addInitScript(() => localStorage.setItem('paddock.language', '"de"'));
      await open('/tasks/t-port');
      await page.getByLabel('Nachricht an den Agenten').fill('refuse this');
      await page.keyboard.press('Enter');
      await seen(page, 'Es wartet zu viel: versuche es gleich noch einmal.');
      await seen(page, 'the queue of this task is full; try again in a moment');
    },
  },
  'all that is done is archived at once, and taken out again': {
    go: async ({ page, world, open }) => {
      over(world, 't-cache');
      await open('/tasks/t-bench');
      await until(() => events(world, 't-bench', 'put_aside').length === 1, 'it to be seen');
      await open('/tasks');
      const button = page.getByRole('button', { name: /^Archive \d/ });
      await button.waitFor();
      const before = (await titles(page)).length;
      await button.click();
      await until(() => events(world, 't-cache', 'archived').length === 1, 'it to be archived');
      await until(async () => (await titles(page)).length < before, 'rows to go');
      await page.getByRole('button', { name: 'Undo' }).click();
      await until(async () => (await titles(page)).length === before, 'rows to come back');
    },
  },
};
