// Pictures of the main pages, light and dark, wide and narrow, of real tasks: `npm run screenshots` makes those of
// docs/img, `npm run screenshots -- DIR [name…]` all or those named in DIR. Starts a real server with a directory of
// its own (`PADDOCK` names the program) and takes everything down again. `npm run looks` shows the states that are
// hard to come by, with the stories of the fake server.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DESKTOP, PHONE, openBrowser } from '../browser.js';
import { until } from '../real/hand.js';
import { Stage } from '../real/stage.js';
import { AROUND, CONTEST, REPOSITORIES, TASKS } from './tasks.js';

const DOCUMENTATION = ['inbox', 'inbox-dark', 'inbox-phone', 'task', 'task-dark', 'task-phone', 'working-dark', 'review', 'review-split-dark', 'review-phone', 'plan', 'new', 'tasks-dark', 'palette-dark', 'trash', 'compare', 'compare-dark', 'search', 'search-dark', 'terminal', 'terminal-dark', 'settings', 'settings-dark', 'history', 'history-dark', 'first', 'first-dark'];
const [dir = fileURLToPath(new URL('../../../docs/img', import.meta.url)), ...named] = process.argv.slice(2);
const wanted = process.argv.length > 2 ? named : DOCUMENTATION;
mkdirSync(dir, { recursive: true });

const PAGES = [
  { name: 'inbox', path: () => '/', wait: '.card' },
  { name: 'task', path: (ids) => `/tasks/${ids.auth}`, wait: '.card' },
  { name: 'working', path: (ids) => `/tasks/${ids.port}`, wait: '.vlist-row' },
  { name: 'plan', path: (ids) => `/tasks/${ids.plan}`, wait: '.card' },
  { name: 'approval', path: (ids) => `/tasks/${ids.tls}`, wait: '.card' },
  { name: 'finished', path: (ids) => `/tasks/${ids.cache}`, wait: '.turnline' },
  { name: 'crashed', path: (ids) => `/tasks/${ids.importer}`, wait: '.vlist-row' },
  { name: 'review', path: (ids) => `/tasks/${ids.auth}/review`, wait: '.difflines' },
  { name: 'review-split', path: (ids) => `/tasks/${ids.auth}/review`, wait: '.difflines', act: (page) => page.keyboard.press('s') },
  { name: 'log', path: (ids) => `/tasks/${ids.auth}/log`, wait: '.vlist-row' },
  { name: 'new', path: () => '/new', act: fillIn },
  { name: 'tasks', path: () => '/tasks' },
  { name: 'hosts', path: () => '/hosts' },
  { name: 'compare', path: (ids) => `/compare/${ids.contest}`, wait: '.difflines' },
  { name: 'choice', path: (ids) => `/compare/${ids.contest}`, wait: '.difflines', act: (page) => page.getByRole('button', { name: 'Choose this one' }).first().click() },
  { name: 'chosen', path: (ids) => `/tasks/${ids.rival}`, wait: '.turnline' },
  { name: 'search', path: () => '/search?q=session', wait: '.hit' },
  { name: 'search-none', path: () => '/search?q=nothingofthekind' },
  { name: 'search-start', path: () => '/search' },
  { name: 'terminal', path: (ids) => `/tasks/${ids.auth}/terminal`, wait: '.terminalbar', act: useShell },
  { name: 'terminal-none', path: (ids) => `/tasks/${ids.cache}/terminal`, wait: '.terminalbar' },
  { name: 'settings', path: () => '/settings/boxes', wait: '.setting' },
  { name: 'history', path: () => '/history', wait: '.historyline', act: (page) => page.getByRole('button', { name: 'Check all' }).click().then(() => page.getByText('are whole').waitFor()) },
  { name: 'comparisons', path: () => '/history/comparisons', wait: '.historyline' },
  ...['agents', 'accounts', 'rules', 'keeping'].map((page) => ({ name: `settings-${page}`, path: () => `/settings/${page}`, wait: '.settingsection' })),
  { name: 'fork', path: (ids) => `/tasks/${ids.auth}`, wait: '.card', act: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Fork' }).click()) },
  { name: 'handoff', path: (ids) => `/tasks/${ids.cache}`, wait: '.turnline', act: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Hand off' }).click()) },
  { name: 'tune', path: (ids) => `/tasks/${ids.cache}`, wait: '.turnline', act: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Change model' }).click()) },
  { name: 'new-more', path: () => '/new', act: async (page, world) => (await fillIn(page, world), await page.getByRole('button', { name: 'Run the same with…' }).click(), await page.locator('details > summary').last().click()) },
  { name: 'palette', path: () => '/', wait: '.card', act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: (ids) => `/tasks/${ids.cache}`, wait: '.turnline', act: async (page) => (await page.locator('.tasktitle').click(), await page.keyboard.press('?')) },
  { name: 'purge', path: (ids) => `/tasks/${ids.auth}`, wait: '.card', act: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Remove task' }).click(), await page.getByText('A snapshot is kept').waitFor()) },
  { name: 'trash', path: () => '/trash', wait: '.trashrow' },
];
const KINDS = [
  { suffix: '', viewport: DESKTOP, colorScheme: 'light' },
  { suffix: '-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { suffix: '-phone', viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true },
  { suffix: '-phone-dark', viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true },
];

const stage = new Stage();
const url = await stage.serve();
const api = async (method, path, body) => {
  const token = readFileSync(join(stage.data, 'token'), 'utf8').trim();
  const answer = await fetch(`${url}/api/paddock/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
};
const browser = await openBrowser();
const { storage } = await pair();
try {
  await take([{ name: 'first', path: () => '/' }], {});
  stage.paddock('harness', 'install', 'scripted');
  const ids = await begin();
  await take(PAGES, ids);
} finally {
  await browser.close();
  await stage.end();
}

async function fillIn(page, { repository }) {
  await page.getByLabel('What should the agent do?').fill('Fix the authentication bug: expired tokens are accepted.');
  await page.getByLabel('Repository').first().fill(repository);
  await page.getByText('On main').waitFor();
  await page.locator('h1').click();
}

/** A shell in which somebody looks at the work. */
async function useShell(page) {
  if ((await page.locator('.terminaltab').count()) === 0) await page.getByRole('button', { name: 'New shell' }).click();
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type("PS1='$ '; clear\n");
  await page.waitForTimeout(300);
  await page.keyboard.type('git log --oneline --decorate -3; git status --short --branch\n');
  await page.locator('.xterm-rows', { hasText: '??' }).waitFor();
  await page.keyboard.type('python3 -m unittest -q\n');
  await page.locator('.xterm-rows', { hasText: 'OK' }).waitFor();
}

/** A browser's session, for all pictures. */
async function pair() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.paddock('pair').trim());
  await page.locator('#main').waitFor();
  const storage = await context.storageState();
  await context.close();
  return { storage };
}

/** Begins the tasks, one after the other, and waits for what each of them comes to; their ids by name. */
async function begin() {
  for (const [name, files] of Object.entries(REPOSITORIES)) stage.repositoryAt(join(stage.dir, name), files);
  const ids = {};
  const state = async (id) => (await api('GET', `/tasks/${id}`)).state;
  for (const [name, { title, repository, prompt, permission, until: goal }] of Object.entries(TASKS)) {
    const spec = { title, prompt, repositories: [{ path: join(stage.dir, repository) }], harness: 'scripted', box: { kind: 'worktree' }, ...(permission ? { permission_mode: permission } : {}) };
    const { task_id: id } = await api('POST', '/tasks', spec);
    await until(async () => (await state(id)) === goal, `${name} to be ${goal}`);
    ids[name] = id;
  }
  // One that was removed, with what it had left, for the trash.
  const spec = { title: 'Try another way to store sessions', prompt: 'write idea.md Sessions in a file each.', repositories: [{ path: join(stage.dir, 'api-server') }], harness: 'scripted', box: { kind: 'worktree' } };
  const { task_id: gone } = await api('POST', '/tasks', spec);
  await until(async () => (await state(gone)) === 'waiting', 'the last to end');
  stage.paddock('purge', gone, '--force', '--now');
  for (const [path, body] of AROUND) await api('POST', path, body);
  await contest(ids, state);
  return ids;
}

/** Two agents of which one is led astray, so that a check tells them apart. */
async function contest(ids, state) {
  const { title, repository, prompt, astray, check } = CONTEST;
  const task = { title, prompt, repositories: [{ path: join(stage.dir, repository) }], harness: 'scripted', model: 'scripted-large', box: { kind: 'worktree' } };
  const group = await api('POST', '/groups', { task, also: [{ harness: 'scripted', model: 'scripted-small' }], check });
  const [first, second] = group.members.map((one) => one.task.task_id);
  for (const id of [first, second]) await until(async () => (await state(id)) === 'waiting', 'both to end');
  stage.paddock('send', second, astray);
  await until(async () => (await api('GET', `/tasks/${second}`)).turns === 2 && (await state(second)) === 'waiting', 'it to go astray');
  await api('POST', `/groups/${group.group_id}/check`, {});
  Object.assign(ids, { contest: group.group_id, rival: second });
}

async function take(pages, ids) {
  for (const page of pages) {
    for (const { suffix, ...kind } of KINDS) {
      const name = `${page.name}${suffix}`;
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const context = await browser.newContext({ ...kind, locale: 'en-GB', reducedMotion: 'reduce', storageState: storage });
      const tab = await context.newPage();
      tab.on('pageerror', (error) => process.stderr.write(`${name}: ${error.message}\n`));
      await tab.goto(url + page.path(ids));
      await tab.waitForSelector(page.wait ?? '#main', { timeout: 15_000, state: 'attached' });
      await tab.waitForTimeout(700);
      await page.act?.(tab, { repository: join(stage.dir, 'api-server') });
      await tab.waitForTimeout(500);
      await tab.screenshot({ path: `${dir}/${name}.png` });
      await context.close();
    }
  }
}
