// One long journey against the real server, relay and scripted agent, in real Chromium:
// `npm run journey:real`. Needs the programs built (`PADDOCK` names the binary; target/debug otherwise)
// and the client (`npm run build`).
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DESKTOP, openBrowser } from '../browser.js';
import { equal, press, seen, until } from '../journeys/expect.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PADDOCK = process.env.PADDOCK ?? here('../../../target/debug/paddock');
const dir = mkdtempSync(join(tmpdir(), 'paddock-ui-'));
const data = join(dir, 'data');
const repository = join(dir, 'sample');
const env = { ...process.env, HOME: join(dir, 'home') };
const paddock = (...args) => execFileSync(PADDOCK, ['--data', data, ...args], { env, encoding: 'utf8' });
const PROMPT = `Say hello in main.rs
say I look first.
think What does main do?
todo Look|Change|Check
read main.rs
bash ls -la
edit main.rs {} => { println!("hello"); }
commit Say hello
write notes.txt not committed
ask Which colour?|red|blue
approve echo allowed > allowed.txt
plan First this, then **that**
delta 40 pieces of 12 bytes at 60 per second
say All of it is done.`;

let server;
/** Starts the server; its address. */
async function serve(listen) {
  server = spawn(PADDOCK, ['serve', '--data', data, '--listen', listen, '--ui', here('../../dist')], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', (text) => resolve([text])));
  return JSON.parse(line).url;
}

async function stopServer(signal) {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

function makeRepository() {
  const git = (...args) => execFileSync('git', args, { cwd: repository, env, stdio: 'pipe' });
  mkdirSync(repository, { recursive: true });
  mkdirSync(env.HOME, { recursive: true });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'ada@example.org');
  git('config', 'user.name', 'Ada');
  writeFileSync(join(repository, 'main.rs'), 'fn main() {}\n');
  git('add', '.');
  git('commit', '-qm', 'Begin');
}

async function journey(page, url) {
  const step = (text) => process.stdout.write(`ok   ${text}\n`);
  const pairing = paddock('pair').trim();
  await page.goto(pairing);
  await seen(page, 'Welcome to Paddock');
  step('a browser is paired by its link and sees the first page');

  await press(page, 'c');
  await page.getByLabel('What should the agent do?').fill(PROMPT);
  await page.getByLabel('Repository').fill(repository);
  await seen(page, 'On main');
  await page.getByRole('radio', { name: 'Scripted' }).check({ force: true });
  await page.getByText('Model, permissions and box').click();
  await page.getByRole('radio', { name: 'Worktree' }).check({ force: true });
  await page.getByRole('button', { name: 'Start task' }).click();
  await page.waitForURL(/\/tasks\/.+/);
  await seen(page, 'Ready in');
  await seen(page, 'Which colour?');
  step('a task is set up and works until it asks');

  await page.locator('.card').focus();
  await press(page, '2', 'Enter');
  await seen(page, 'Allow once');
  await page.locator('.card').focus();
  await press(page, 'y');
  await seen(page, 'Approve plan');
  await page.locator('.card').focus();
  await press(page, 'y');
  await seen(page, 'All of it is done.');
  await seen(page, 'Turn done');
  await seen(page, 'You answered: blue');
  equal(await page.locator('.requests').count(), 0, 'requests left');
  step('a question, a permission and a plan are answered by keyboard');

  await page.getByRole('link', { name: /Review/ }).click();
  await page.locator('.difflines').first().waitFor({ timeout: 20_000 });
  await seen(page, 'println!');
  await until(async () => !(await page.getByRole('button', { name: 'Commit…' }).isDisabled()), 'something to commit', 20_000);
  await page.getByRole('button', { name: 'Commit…' }).click();
  await seen(page, '2 files go in');
  await page.getByLabel('Message', { exact: true }).fill('Keep the notes');
  await press(page, 'Control+Enter');
  await seen(page, /^Committed [0-9a-f]{7}/);
  await seen(page, 'everything committed');
  step('the change is reviewed, and what was left is committed');

  await page.getByRole('button', { name: 'Sync…' }).click();
  await page.getByRole('radio', { name: 'Local branch only' }).check({ force: true });
  await page.getByRole('button', { name: 'Sync', exact: true }).click();
  await page.locator('.syncreport').waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Close' }).last().click();
  const subjects = execFileSync('git', ['log', '--format=%s', 'paddock-0'], { cwd: repository, encoding: 'utf8' }).trim().split('\n');
  equal(subjects, ['Keep the notes', 'Say hello', 'Begin'], 'commits on the branch');
  step('commits are on the local branch');

  await page.getByRole('link', { name: 'Conversation' }).click();
  const reply = page.getByLabel('Message to the agent');
  await reply.fill('bash sleep 60');
  await press(page, 'Enter');
  await seen(page, 'sleep 60');
  await page.getByRole('complementary').getByRole('img', { name: /^Processor over the last minutes/ }).waitFor({ timeout: 20_000 });
  await page.getByRole('complementary').locator('button.ref').last().click();
  await page.locator('.processes', { hasText: 'sleep 60' }).waitFor();
  await press(page, 'Escape');
  step('the box says what it uses, and what runs in it');

  await reply.fill('say Said after the turn.');
  await press(page, 'Alt+Enter');
  await page.locator('.queuewords', { hasText: 'Said after the turn.' }).waitFor();
  await reply.fill('say Never said.');
  await press(page, 'Alt+Enter');
  await page.locator('.queuewords', { hasText: 'Never said.' }).focus();
  await press(page, 'Delete');
  await until(async () => (await page.locator('.queuewords').count()) === 1, 'the second message to go');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.locator('.turnline', { hasText: 'Interrupted' }).waitFor({ timeout: 20_000 });
  step('a turn is interrupted');

  await seen(page, 'On hold: the last turn was interrupted.');
  await page.getByRole('button', { name: 'Send the first now' }).click();
  await page.locator('.agent', { hasText: 'Said after the turn.' }).waitFor({ timeout: 20_000 });
  equal(await page.locator('.queuewords').count(), 0, 'messages that wait');
  step('a message that waited is sent, one that was removed is not');

  await page.getByRole('link', { name: 'Review' }).click();
  await page.locator('.fileview').nth(2).waitFor();
  await page.getByLabel('Part of the work').selectOption({ index: 4 });
  await until(async () => (await page.locator('.fileview').count()) === 1, 'one commit by itself');
  await page.getByRole('link', { name: 'Conversation' }).click();
  step('one commit is reviewed by itself');

  await stopServer('SIGKILL');
  await seen(page, 'Reconnecting, last seen');
  await reply.fill('say Sent while the server was away.');
  await press(page, 'Enter');
  await seen(page, 'Not sent');
  await serve(new URL(url).host);
  await page.locator('.linkbar').waitFor({ state: 'detached', timeout: 30_000 });
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.locator('.agent', { hasText: 'Sent while the server was away.' }).waitFor({ timeout: 30_000 });
  equal(await page.locator('.agent', { hasText: 'All of it is done.' }).count(), 1, 'rows told once');
  step('the server is killed and comes back: nothing is lost, the message is sent again');

  await page.getByRole('button', { name: 'Stop agent' }).click();
  await seen(page, 'Stopped. The box is kept.');
  await page.getByRole('button', { name: 'Revive agent' }).click();
  await page.getByRole('button', { name: 'Stop agent' }).waitFor({ timeout: 30_000 });
  await reply.fill('say Back again.');
  await press(page, 'Enter');
  await page.locator('.agent', { hasText: 'Back again.' }).waitFor({ timeout: 30_000 });
  step('the agent is stopped and revived with its session');

  await page.getByLabel('More actions').click();
  await page.getByRole('menuitem', { name: 'Remove task' }).click();
  await seen(page, 'A snapshot is kept');
  await page.locator('.dialog footer button').last().click();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await seen(page, 'Restored.');
  step('a removal is taken back');

  await page.locator('.tasktitle').click();
  await press(page, 'g', 'x');
  await page.getByRole('heading', { name: /Trash|Nothing was taken away/ }).first().waitFor();
  step('the trash is looked at');
}

makeRepository();
const browser = await openBrowser();
let failed = false;
let page;
try {
  const url = await serve('127.0.0.1:0');
  paddock('harness', 'install', 'scripted');
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB' });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => process.stdout.write(`page: ${error.message}\n`));
  await journey(page, url);
} catch (error) {
  failed = true;
  process.stdout.write(`FAIL ${error.stack}\n`);
  await page?.screenshot({ path: join(tmpdir(), 'paddock-ui-failure.png') });
} finally {
  await browser.close();
  if (server?.exitCode === null && server.signalCode === null) await stopServer('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
process.stdout.write(failed ? '0 passed, 1 failed\n' : '1 passed, 0 failed\n');
process.exit(failed ? 1 : 0);
