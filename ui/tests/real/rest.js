// What else there is around a task, behind the story, in Chromium: what its box uses, messages for later, single
// commits, a server that is killed, the trash.
import { execFileSync } from 'node:child_process';
import { PATIENCE_MS, equal, press, seen, strokes, until } from '../journeys/expect.js';

export async function rest({ page, stage, url }, say) {
  await page.getByRole('link', { name: 'Conversation' }).click();
  const reply = page.getByLabel('Message to the agent');
  await reply.fill('bash sleep 600');
  await press(page, 'Enter');
  await seen(page, 'sleep 600');
  await page.getByRole('complementary').getByRole('img', { name: /^Processor over the last minutes/ }).waitFor();
  await page.getByRole('complementary').getByRole('button', { name: /^Processes/ }).click();
  await page.locator('.processes', { hasText: 'sleep 600' }).waitFor();
  await press(page, 'Escape');
  say('the box says what it uses, and what runs in it');

  await reply.fill('say Said after the turn.');
  await press(page, 'Alt+Enter');
  await page.locator('.queuewords', { hasText: 'Said after the turn.' }).waitFor();
  await reply.fill('say Never said.');
  await press(page, 'Alt+Enter');
  await page.locator('.queuewords', { hasText: 'Never said.' }).focus();
  await press(page, 'Delete');
  await until(async () => (await page.locator('.queuewords').count()) === 1, 'the second message to go');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.locator('.turnline', { hasText: 'Interrupted' }).nth(1).waitFor();
  say('a turn is interrupted while messages wait');

  await seen(page, 'On hold: the last turn was interrupted.');
  await page.getByRole('button', { name: 'Send the first now' }).click();
  await page.locator('.agent', { hasText: 'Said after the turn.' }).waitFor();
  await until(async () => (await page.locator('.queuewords').count()) === 0, 'no message that waits');
  say('a message that waited is sent, one that was removed is not');

  await page.getByRole('link', { name: 'Review' }).click();
  await page.locator('.fileview').nth(2).waitFor();
  await page.getByLabel('Part of the work').selectOption({ index: 4 });
  await until(async () => (await page.locator('.fileview').count()) === 1, 'one commit by itself');
  await page.getByRole('link', { name: 'Conversation' }).click();
  say('one commit is reviewed by itself');

  await stage.stopServer('SIGKILL');
  await seen(page, 'Reconnecting, last seen');
  await reply.fill('say Sent while the server was away.');
  await press(page, 'Enter');
  await seen(page, 'Not sent');
  await stage.serve(new URL(url).host);
  await page.locator('.linkbar').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.locator('.agent', { hasText: 'Sent while the server was away.' }).waitFor();
  equal(await page.locator('.agent', { hasText: 'Said after the turn.' }).count(), 1, 'rows told once');
  say('the server is killed and comes back: nothing is lost, the message is sent again');

  const told = page.url();
  await page.locator('.tasktitle').click();
  await press(page, 'Control+Shift+f');
  await page.getByLabel('Search in what was said and done').fill('"said after the turn" kind:agent');
  await page.locator('.hit', { hasText: 'Said after the turn' }).first().click();
  await page.locator('.row[data-found]', { hasText: 'Said after the turn' }).waitFor();
  equal(new URL(page.url()).pathname, new URL(told).pathname, 'the task of the hit');
  say('what was said is searched, and the hit leads to its place');

  await strokes(page, 'g', 's');
  const pages = page.getByRole('navigation', { name: 'Parts of the settings' });
  await pages.getByRole('link', { name: 'Keeping' }).click();
  await page.getByLabel('Undo a removal for').fill('soon');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await seen(page, 'give 0 to 2592000');
  await page.getByLabel('Undo a removal for').fill('7200');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Back to the default: Undo a removal for' }).waitFor();
  await pages.getByRole('link', { name: 'Accounts and keys' }).click();
  const keys = page.locator('[data-part=keys]');
  await keys.getByRole('textbox', { name: 'Variable' }).fill('SOME_KEY');
  await keys.getByLabel('Value', { exact: true }).fill('a secret value');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Forget: SOME_KEY' }).click();
  await page.getByRole('button', { name: 'Forget: SOME_KEY' }).waitFor({ state: 'detached' });
  say('a setting is refused and taken, a key is kept and forgotten');

  await pages.getByRole('link', { name: 'Keeping' }).click();
  await page.getByRole('button', { name: 'Look for what can go' }).click();
  await seen(page, 'Nothing is kept longer than wanted');
  await pages.getByRole('link', { name: 'Network and devices' }).click();
  await page.getByRole('button', { name: 'Pair another browser' }).click();
  const address = await page.getByLabel('Open this address there').inputValue();
  const other = await page.context().browser().newContext();
  other.setDefaultTimeout(PATIENCE_MS);
  const there = await other.newPage();
  await there.goto(address);
  await there.getByRole('heading', { name: 'Inbox' }).waitFor();
  await other.close();
  say('another browser is let in by its address');

  await press(page, 'c');
  await page.getByLabel('What should the agent do?').fill('say Hello {{name}}.');
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByLabel('Name of the template').fill('hello');
  await page.getByRole('button', { name: 'Save as template' }).click();
  await page.getByLabel('Begin from a template').selectOption('hello');
  await page.getByLabel('name', { exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await until(async () => (await page.getByLabel('What should the agent do?').inputValue()) === 'say Hello Ada.', 'the gap to be filled');
  await page.getByLabel('What should the agent do?').fill('');
  say('a template is saved and filled in');

  await page.goto(told);
  await page.getByLabel('More actions').click();
  await page.getByRole('menuitem', { name: 'Check the journal' }).click();
  await seen(page, 'All is well');
  await press(page, 'Escape');
  say('the journal of all of it is whole');

  const saved = page.waitForEvent('download');
  await page.getByLabel('More actions').click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const file = await saved;
  const inside = execFileSync('tar', ['-tf', await file.path()], { encoding: 'utf8' }).trim().split('\n');
  const id = new URL(told).pathname.split('/')[2];
  equal(['task.json', 'journal.jsonl', 'transcript.md', '1-sample.diff'].filter((name) => !inside.includes(`${id}/${name}`)), [], 'what is missing in the file');
  const lines = execFileSync('tar', ['-xOf', await file.path(), `${id}/journal.jsonl`], { encoding: 'utf8', maxBuffer: 64 << 20 }).trim().split('\n');
  equal(lines.map((line) => JSON.parse(line).seq), lines.map((_, nth) => nth + 1), 'the events in the file');
  say('the task is saved as a file that holds its whole journal');

  await page.locator('.tasktitle').click();
  await strokes(page, 'g', 'j');
  await page.locator('.historyline').first().waitFor();
  await page.getByRole('button', { name: 'Check all' }).click();
  await seen(page, /The journal is whole|All \d+ journals are whole/);
  await page.getByRole('link', { name: 'Comparisons' }).click();
  await seen(page, 'Nothing was compared yet');
  await page.goto(told);
  say('all journals are listed and checked, and there are no comparisons yet');

  await page.locator('.tasktitle').click();
  await strokes(page, 'g', 'x');
  await page.getByRole('heading', { name: /Trash|Nothing was taken away/ }).first().waitFor();
  say('the trash is looked at');
}
