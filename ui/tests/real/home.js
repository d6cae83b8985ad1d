// Home, in Chromium: finished work that was seen needs nobody, in no client; a question is put aside by a word alone; what
// is done is archived and found again.
import { equal, press, seen, strokes, until } from '../journeys/expect.js';

const idOf = (told) => told.match(/"task_id":"([^"]+)"/)[1];

export async function home({ page, stage, url }, say) {
  const needed = () => JSON.parse(stage.paddock('ls', '--needs-me', '--json')).map((one) => one.task_id);
  const begin = (script) => idOf(stage.paddock('run', '--detach', '--json', '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, script));
  const done = begin('say Home is in order.');
  const asks = begin('ask Which colour?|red|blue');
  await until(() => [done, asks].every((id) => needed().includes(id)), 'both to need the user');
  await page.goto(`${url}/tasks/${done}`);
  await page.locator('.agent', { hasText: 'Home is in order.' }).waitFor();
  await until(() => !needed().includes(done), 'what was seen to need nobody');
  await page.goto(`${url}/tasks/${asks}`);
  await page.locator('.card', { hasText: 'Which colour?' }).waitFor();
  equal(needed().includes(asks), true, 'a question that was looked at');
  say('what was seen needs nobody, and a question that was seen still does');

  await page.goto(url);
  const row = page.locator('.inboxrow', { hasText: 'Which colour?' });
  await row.click();
  await page.locator('.inboxdetail').getByRole('button', { name: 'Put aside' }).click();
  await until(async () => (await row.count()) === 0, 'the row to go');
  await until(() => !needed().includes(asks), 'the question to be put aside');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  await until(() => needed().includes(asks), 'the question to be taken up');
  stage.paddock('aside', asks);
  await until(async () => (await row.count()) === 0, 'the row to go by the command line');
  say('a question is put aside in the page and by the command line, each seen by the other');

  stage.paddock('stop', done);
  await page.goto(`${url}/tasks`);
  const line = page.getByRole('row', { name: /Home is in order/ });
  await line.locator('.statecell').getByText('stopped').waitFor();
  await line.getByRole('link', { name: /Home is in order/ }).focus();
  await press(page, 'Shift+A');
  await until(async () => (await line.count()) === 0, 'the line to go');
  await until(() => JSON.parse(stage.paddock('ls', '--archived', '--json')).some((one) => one.task_id === done), 'it to be archived');
  await strokes(page, 'g', 'a');
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await line.waitFor();
  stage.paddock('archive', '--undo', done);
  await until(async () => (await line.count()) === 0, 'it to be out');
  await page.goto(`${url}/search?q=order`);
  await seen(page, 'Home is in order');
  say('a task that is done is archived, found, and taken out');
}
