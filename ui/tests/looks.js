// Looks at the pages in states that are hard to come by, with the stories of the fake server: `npm run looks -- DIR
// [name…]` makes all pictures, or those named, in DIR. Pictures of real tasks are made by tests/pictures.
import { mkdirSync } from 'node:fs';
import { DESKTOP, PHONE, openBrowser } from './browser.js';
import { rivals } from './fake/hand.js';
import { startFake } from './fake/server.js';

const [dir, ...only] = process.argv.slice(2);
if (!dir) throw new Error('say where the pictures go: npm run looks -- DIR');
mkdirSync(dir, { recursive: true });

const PAGES = [
  { name: 'inbox', path: '/' },
  { name: 'task', path: '/tasks/t-auth' },
  { name: 'working', path: '/tasks/t-port' },
  { name: 'review', path: '/tasks/t-auth/review', wait: '.difflines' },
  { name: 'review-split', path: '/tasks/t-auth/review', wait: '.difflines', act: (page) => page.keyboard.press('s') },
  { name: 'plan', path: '/tasks/t-plan' },
  { name: 'approval', path: '/tasks/t-deps' },
  { name: 'finished', path: '/tasks/t-cache' },
  { name: 'crashed', path: '/tasks/t-bench' },
  { name: 'failed', path: '/tasks/t-broken' },
  { name: 'log', path: '/tasks/t-auth/log' },
  { name: 'new', path: '/new', act: (page) => page.getByLabel('Repository').first().fill('/home/ada/api-server') },
  { name: 'new-open', path: '/new', act: (page) => page.locator('details > summary').click() },
  { name: 'tasks', path: '/tasks' },
  { name: 'tasks-repositories', path: '/tasks', before: (world) => world.create('t-far', { prompt: 'Measure the cold start on the build machine', host: 'workshop', repositories: [{ path: '/home/ada/web' }] }), act: (page) => page.getByLabel('Group by').selectOption('repository') },
  { name: 'archive', path: '/tasks?archive', wait: '.taskline', before: (world) => ['t-cache', 't-bench'].forEach((id) => (world.state(id, 'stopped', 'ended'), world.tell(id, 'archived'))) },
  { name: 'archive-none', path: '/tasks?archive' },
  { name: 'hosts', path: '/hosts' },
  { name: 'trash', path: '/trash', wait: '.trashrow' },
  { name: 'processes', path: '/tasks/t-port', act: (page) => page.getByRole('complementary').getByRole('button', { name: '12' }).click() },
  { name: 'queue', path: '/tasks/t-port', act: (page) => page.locator('.queuewords').nth(1).focus() },
  { name: 'reconnecting', path: '/tasks/t-port', world: (world) => world.link('t-port', { state: 'reconnecting', since_at: new Date(Date.now() - 14_000).toISOString(), attempt: 3, next_try_at: new Date(Date.now() + 6000).toISOString(), last_seq: 214, reason: 'the relay does not answer' }) },
  { name: 'lost', path: '/tasks/t-port', world: (world) => world.link('t-port', { state: 'lost', since_at: new Date(Date.now() - 184_000).toISOString(), attempt: 12, next_try_at: new Date(Date.now() + 20_000).toISOString(), last_seq: 214, reason: 'the container engine does not answer: is it running?' }) },
  { name: 'full', path: '/', world: (world) => world.health({ disk: { state: 'full', free_bytes: 4_100_000, low_water_bytes: 512 << 20, message: 'x' } }) },
  { name: 'loading', path: '/', world: (world) => world.health({ loading: true, phases: { journals: 'done', repositories: 'loading', hosts: 'loading' } }) },
  { name: 'line', path: '/tasks/t-docs' },
  { name: 'settings', path: '/settings' },
  ...['shortcuts', 'agents', 'accounts', 'rules', 'boxes', 'keeping', 'git', 'network', 'files', 'about'].map((page) => ({ name: `settings-${page}`, path: `/settings/${page}` })),
  { name: 'settings-refused', path: '/settings/boxes', act: async (page) => (await page.getByLabel('Tasks at work').fill('many'), await page.getByRole('button', { name: 'Save', exact: true }).click()) },
  { name: 'settings-search', path: '/settings', act: (page) => page.getByLabel('Search settings').fill('keep') },
  { name: 'settings-none', path: '/settings', act: (page) => page.getByLabel('Search settings').fill('nothing') },
  { name: 'history', path: '/history', wait: '.historyline', before: (world) => world.damaged.add('t-bench'), act: (page) => page.getByRole('button', { name: 'Check all' }).click() },
  { name: 'history-none', path: '/history', scene: 'empty' },
  { name: 'comparisons', path: '/history/comparisons', wait: '.historyline', before: rivals },
  { name: 'comparisons-none', path: '/history/comparisons' },
  { name: 'search', path: '/search?q=auth', wait: '.hit' },
  { name: 'search-start', path: '/search' },
  { name: 'compare', path: '/compare/g-auth', wait: '.member', before: rivals },
  { name: 'terminal-none', path: '/tasks/t-auth/terminal', wait: '.empty' },
  { name: 'palette', path: '/', act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/tasks/t-auth', act: async (page) => (await page.locator('body').click({ position: { x: 700, y: 5 } }), page.keyboard.press('?')) },
  { name: 'purge', path: '/tasks/t-auth', act: async (page) => (await page.getByLabel('More actions').click(), page.getByRole('menuitem', { name: 'Remove task' }).click()) },
  { name: 'aside', path: '/tasks/t-auth/review', act: (page) => page.getByRole('button', { name: 'Details' }).click() },
  { name: 'inbox-detail', path: '/', act: (page) => page.locator('.inboxrow', { hasText: 'Cache rendered' }).click() },
  { name: 'menu', path: '/tasks/t-auth', act: (page) => page.getByLabel('More actions').click() },
  { name: 'first', path: '/', scene: 'empty' },
  { name: 'signin', path: '/', out: true },
];
const KINDS = [
  { suffix: '', viewport: DESKTOP, colorScheme: 'light' },
  { suffix: '-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { suffix: '-german', viewport: DESKTOP, colorScheme: 'light', language: 'de' },
  { suffix: '-phone', viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true },
];

const browser = await openBrowser();
for (const page of PAGES) {
  for (const { suffix, ...kind } of KINDS) {
    const name = `${page.name}${suffix}`;
    if (only.length > 0 && !only.includes(name)) continue;
    const fake = await startFake({ dist: true, scene: page.scene ?? 'full' });
    page.before?.(fake.world);
    if (page.out) fake.world.signedIn = false;
    const { language = 'en', ...look } = kind;
    const context = await browser.newContext({ ...look, locale: language === 'de' ? 'de-DE' : 'en-GB', reducedMotion: 'reduce' });
    const tab = await context.newPage();
    tab.on('pageerror', (error) => process.stderr.write(`${name}: ${error.message}\n`));
    tab.on('console', (message) => message.type() === 'error' && process.stderr.write(`${name}: ${message.text()}\n`));
    await tab.goto(fake.url + page.path);
    await tab.waitForSelector(page.wait ?? '#main');
    await tab.waitForTimeout(500);
    page.world?.(fake.world);
    await page.act?.(tab);
    await tab.waitForTimeout(400);
    await tab.screenshot({ path: `${dir}/${name}.png` });
    await context.close();
    fake.close();
  }
}
await browser.close();
