// Rules and accounts in the page, in Chromium: what is kept is shown before it is, holds from then on, says that it
// decided, and is tried and taken back in the settings; an account is kept and forgotten.
import { press, seen, strokes } from '../journeys/expect.js';

export async function policy({ page, stage, url }, say) {
  const told = stage.paddock('run', '--detach', '--json', '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, 'approve touch a.txt\napprove touch b.txt\nsay Both are there.');
  const task = told.match(/"task_id":"([^"]+)"/)[1];
  await page.goto(`${url}/tasks/${task}`);
  await page.getByRole('button', { name: /^Allow in this repository/ }).click();
  await page.locator('.keeprule').getByText('touch a.txt', { exact: true }).waitFor();
  await page.locator('.keeprule .offer', { hasText: 'touch *' }).click();
  await page.getByRole('button', { name: /^Allow and keep the rule/ }).click();
  await page.locator('.agent', { hasText: 'Both are there.' }).waitFor();
  await page.locator('.became', { hasText: 'from now on: allow command touch *' }).waitFor();
  await page.locator('.became', { hasText: 'by rule: allow command touch *' }).waitFor();
  say('an approval becomes a rule, which is shown before it is kept and decides the next');

  await press(page, 'Escape');
  await page.locator('.tasktitle').click();
  await strokes(page, 'g', 's');
  const pages = page.getByRole('navigation', { name: 'Parts of the settings' });
  await pages.getByRole('link', { name: 'Rules' }).click();
  const rule = page.getByRole('button', { name: 'Remove rule: touch *' });
  await rule.waitFor();
  const line = page.getByLabel('Try a command');
  await line.fill('touch c.txt && rm -rf ~');
  await line.press('Enter');
  await seen(page, 'You are asked');
  await line.fill('touch c.txt');
  await line.press('Enter');
  await rule.click();
  await rule.waitFor({ state: 'detached' });
  say('rules are tried and taken back');

  await pages.getByRole('link', { name: 'Accounts and keys' }).click();
  const accounts = page.locator('section', { has: page.getByRole('heading', { name: 'Accounts', exact: true }) });
  await accounts.getByLabel('Name', { exact: true }).fill('work');
  await accounts.getByLabel('Value', { exact: true }).fill('sk-not-real');
  await accounts.getByRole('button', { name: 'Add account' }).click();
  const forget = accounts.getByRole('button', { name: 'Forget account: work' });
  await forget.waitFor();
  await forget.click();
  await forget.waitFor({ state: 'detached' });
  say('an account is kept and forgotten');
}
