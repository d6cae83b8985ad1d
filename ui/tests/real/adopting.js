// Sessions from outside Paddock, in Chromium: found in the composer, gone on with, told above the conversation.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, press, seen } from '../journeys/expect.js';

/** A session that the user had by hand, as the agent program wrote it down. */
function byHand(stage, id, directory, title, remembered) {
  const dir = join(stage.env.HOME, '.scripted/sessions');
  mkdirSync(dir, { recursive: true });
  const said = [{ by: 'user', text: title }, { by: 'agent', text: 'Noted by hand.' }];
  const file = join(dir, `${id}.json`);
  writeFileSync(file, JSON.stringify({ id, model: 'scripted-1', turns: 1, remembered, cwd: directory, said }));
  return file;
}

export async function adopting({ page, stage, url }, say) {
  const file = byHand(stage, 's-00000000000000a1', stage.repository, 'say Paint it', ['the colour is blue']);
  byHand(stage, 's-00000000000000b2', stage.dir, 'say Elsewhere', []);
  const before = readFileSync(file, 'utf8');
  await page.goto(`${url}/new`);
  await page.getByLabel('What should the agent do?').fill('recall');
  await page.getByRole('button', { name: 'Go on with an earlier session…' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('button', { name: /Elsewhere/ }).waitFor();
  await dialog.getByLabel('Filter').fill('paint');
  await dialog.getByRole('button', { name: /Elsewhere/ }).waitFor({ state: 'detached' });
  await press(page, 'Tab');
  await dialog.getByRole('button', { name: /Paint it/ }).focus();
  await press(page, 'Enter');
  await dialog.waitFor({ state: 'detached' });
  await seen(page, 'Goes on with the Scripted session');
  equal(await page.getByLabel('Repository').first().inputValue(), stage.repository, 'the repository of the session');
  await seen(page, 'On main');
  say('a session by hand is found in the composer and brings its repository');

  await press(page, 'Escape');
  const worktree = page.getByText('Worktree', { exact: true });
  if (!(await worktree.isVisible())) await page.locator('details > summary').last().click();
  await worktree.click();
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.waitForURL('**/tasks/*');
  await page.locator('.agent', { hasText: 'Remembered: the colour is blue' }).waitFor();
  const past = page.getByRole('button', { name: /Before this task, with Scripted/ });
  await past.getByText('2 messages').waitFor();
  await past.click();
  await seen(page, 'Noted by hand.');
  equal(readFileSync(file, 'utf8'), before, 'the session of the user');
  say('the task goes on with it, and what was said before stands above');
}
