// Tasks that go on otherwise, in Chromium: forked with what no commit holds, handed to another agent in the same box,
// run by two agents at once whose work is checked and compared, and of which one is chosen.
import { equal, press, seen, until } from '../journeys/expect.js';

const dialog = (page) => page.locator('dialog[open]');
const said = (page, text) => page.locator('.agent', { hasText: text }).waitFor();
const idOf = (page) => new URL(page.url()).pathname.split('/')[2];

export async function others({ page, stage, url }, say) {
  const told = stage.paddock('run', '--json', '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, 'say I have begun.\nwrite kept.txt kept\ncommit Keep it\nwrite loose.txt loose');
  const first = told.match(/"task_id":"([^"]+)"/)[1];
  await page.goto(`${url}/tasks/${first}`);
  await said(page, 'I have begun.');
  await page.getByRole('link', { name: /^Review/ }).getByText('2').waitFor();
  await page.locator('.tasktitle').click();
  await press(page, 'Shift+f');
  await dialog(page).getByRole('textbox').first().fill('bash cat kept.txt loose.txt > both.txt\nsay The fork has both.');
  await dialog(page).getByText('Take uncommitted files along').waitFor();
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click();
  await until(() => idOf(page) !== first, 'the page of the fork');
  await said(page, 'The fork has both.');
  await page.locator('.turnline').first().waitFor();
  await page.locator('.facts', { hasText: 'forked from' }).getByRole('link').click();
  await page.waitForURL(`**/tasks/${first}`);
  await page.locator('.facts', { hasText: 'Forks' }).getByRole('link').waitFor();
  equal(stage.subjects('paddock-0')[0], 'Keep it', 'what the first task has');
  say('a task is forked with its files, and each names the other');

  await page.locator('.tasktitle').click();
  await press(page, 'Shift+h');
  await dialog(page).getByLabel('Model').fill('scripted-2');
  await dialog(page).getByLabel('What to say to it').fill('bash cat kept.txt\nsay I took over.');
  await dialog(page).getByRole('button', { name: 'Hand off' }).click();
  await said(page, 'I took over.');
  await seen(page, 'Scripted · scripted-2, taken over from Scripted');
  await page.locator('.facts').first().getByText('scripted-2').waitFor();
  say('another agent takes over in the same box and goes on');

  await press(page, 'Escape');
  await page.locator('.tasktitle').click();
  await press(page, 'c');
  await page.getByLabel('What should the agent do?').fill('write answer.txt 42\ncommit Answer\nsay Answered.');
  await page.getByLabel('Repository').first().fill(stage.repository);
  await seen(page, 'On main');
  await press(page, 'Escape');
  await page.getByText('Scripted', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Run the same with…' }).click();
  const also = page.getByRole('region', { name: 'Run the same with…' });
  await also.getByLabel('Model').fill('scripted-2');
  await page.getByRole('textbox', { name: 'Check' }).fill('test -f answer.txt && test ! -f spoiled.txt && echo good');
  const worktree = page.getByText('Worktree', { exact: true });
  if (!(await worktree.isVisible())) await page.locator('details > summary').last().click();
  await worktree.click();
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.waitForURL('**/compare/**');
  const members = page.locator('.member');
  await until(async () => (await members.locator('.status', { hasText: 'finished' }).count()) === 2, 'both to end');
  await until(async () => (await members.getByText('answer.txt').count()) >= 2, 'both diffs');
  say('two agents do the same, side by side');

  const loser = (await members.nth(1).getByRole('link').first().getAttribute('href')).split('/').at(-1);
  stage.paddock('send', loser, 'write spoiled.txt x\nsay Spoiled.');
  await members.nth(1).getByText('spoiled.txt').waitFor();
  await until(async () => (await members.locator('.status', { hasText: 'finished' }).count()) === 2, 'it to end again');
  await page.getByRole('button', { name: 'Run the check' }).click();
  await members.nth(0).getByText('passed').waitFor();
  await members.nth(1).getByText('exit 1').waitFor();
  await members.nth(0).getByRole('button', { name: 'Choose this one' }).click();
  await dialog(page).getByRole('button', { name: 'Remove the others' }).click();
  await members.nth(0).getByText('✓ chosen').waitFor();
  await members.nth(1).getByText('marked for removal').waitFor();
  await members.nth(0).getByRole('link').first().click();
  await seen(page, 'This task was chosen');
  say('a check tells them apart, one is chosen and the other removed');
}
