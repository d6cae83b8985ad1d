// What else there is around a task, behind the story, in Chromium: what its box uses, messages for later, single
// commits, a server that is killed, the trash.
import { equal, press, seen, until } from '../journeys/expect.js';

export async function rest({ page, stage, url }, say) {
  await page.getByRole('link', { name: 'Conversation' }).click();
  const reply = page.getByLabel('Message to the agent');
  await reply.fill('bash sleep 60');
  await press(page, 'Enter');
  await seen(page, 'sleep 60');
  await page.getByRole('complementary').getByRole('img', { name: /^Processor over the last minutes/ }).waitFor({ timeout: 20_000 });
  await page.getByRole('complementary').locator('button.ref').last().click();
  await page.locator('.processes', { hasText: 'sleep 60' }).waitFor();
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
  await page.locator('.turnline', { hasText: 'Interrupted' }).nth(1).waitFor({ timeout: 20_000 });
  say('a turn is interrupted while messages wait');

  await seen(page, 'On hold: the last turn was interrupted.');
  await page.getByRole('button', { name: 'Send the first now' }).click();
  await page.locator('.agent', { hasText: 'Said after the turn.' }).waitFor({ timeout: 20_000 });
  equal(await page.locator('.queuewords').count(), 0, 'messages that wait');
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
  await page.locator('.linkbar').waitFor({ state: 'detached', timeout: 30_000 });
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.locator('.agent', { hasText: 'Sent while the server was away.' }).waitFor({ timeout: 30_000 });
  equal(await page.locator('.agent', { hasText: 'Said after the turn.' }).count(), 1, 'rows told once');
  say('the server is killed and comes back: nothing is lost, the message is sent again');

  await page.locator('.tasktitle').click();
  await press(page, 'g', 'x');
  await page.getByRole('heading', { name: /Trash|Nothing was taken away/ }).first().waitFor();
  say('the trash is looked at');
}
