// What is on every page: sign-in, palette, shortcuts, connection, themes, narrow windows.
import { PHONE } from '../browser.js';
import { byPalette, equal, focused, gone, press, rested, seen, stored, strokes, until } from './expect.js';

const PAGES = ['/', '/tasks', '/tasks/t-auth', '/tasks/t-auth/review', '/tasks/t-auth/log', '/tasks/t-plan', '/new', '/hosts', '/trash', '/search?q=auth', '/settings', '/settings/boxes', '/settings/accounts', '/history', '/history/comparisons', '/nowhere'];

export const everywhere = {
  'a browser is paired by a code that is typed': {
    signedIn: false,
    go: async ({ page, open }) => {
      await open('/');
      await page.getByLabel('One-time code').fill('bad');
      await press(page, 'Enter');
      await seen(page, 'This code is wrong');
      await page.getByLabel('One-time code').fill('good-code');
      await press(page, 'Enter');
      await seen(page, 'Proposed plan');
    },
  },
  'a code in the address pairs and leaves the address': {
    signedIn: false,
    go: async ({ page, open }) => {
      await open('/#code=good-code');
      await seen(page, 'Proposed plan');
      equal(new URL(page.url()).hash, '', 'hash');
    },
  },
  'the palette finds tasks and commands by a few letters': {
    go: async ({ page, open }) => {
      await open('/');
      await seen(page, 'Proposed plan');
      await byPalette(page, 'cacherend', /Cache rendered pages/);
      await page.waitForURL(/t-cache/);
      await byPalette(page, 'settings', /^Settings/);
      await page.waitForURL(/settings/);
      await press(page, 'Control+k');
      await focused(page, 'input[role=combobox]');
      await press(page, 'Escape');
      await until(async () => (await page.locator('dialog[open]').count()) === 0, 'the dialog to close');
    },
  },
  'a shortcut is changed and works as changed': {
    go: async ({ page, open }) => {
      await open('/settings/shortcuts');
      await page.getByRole('button', { name: 'Change: Hosts' }).click();
      await press(page, 'h', 'Enter');
      await page.locator('h1').click();
      await press(page, 'h');
      await page.waitForURL(/hosts/);
      await press(page, '?');
      await seen(page, 'Keyboard shortcuts');
    },
  },
  'a shortcut of two strokes is recorded, and one that is taken is not taken without a word': {
    go: async ({ page, open }) => {
      await open('/settings/shortcuts');
      const line = (name) => page.getByRole('row').filter({ has: page.getByRole('button', { name: `Change: ${name}`, exact: true }) });
      await page.getByRole('button', { name: 'Change: Deny', exact: true }).click();
      await press(page, 'g');
      await line('Deny').getByText('then another, or Enter').waitFor();
      await press(page, 'y');
      await line('Deny').locator('kbd').nth(1).waitFor();
      await page.getByRole('button', { name: 'Change: Switch between unified and side by side' }).click();
      await press(page, 'j', 'Enter');
      await page.getByRole('alert').filter({ hasText: 'is taken: Next file' }).waitFor();
      await page.getByRole('button', { name: 'Use it here' }).click();
      await line('Next file').getByText('none').waitFor();
      await page.getByRole('button', { name: 'Reset: Next file' }).click();
      equal(await page.getByText('Has the same key').count(), 2, 'both are told of each other');
      await open('/tasks/t-deps');
      await page.locator('.card').waitFor();
      await press(page, 'a');
      await strokes(page, 'g', 'y');
      await focused(page, '.card footer input');
      await press(page, 'Escape', '?');
      for (const name of ['Next file', 'Send now', 'Approve plan']) await page.locator('.cheats dt', { hasText: name }).first().waitFor();
    },
  },
  'the palette has what this task, this page and this machine offer, the nearest first': {
    go: async ({ page, world, open }) => {
      world.chosen.templates.set('nightly', { name: 'nightly', variables: [], spec: { prompt: 'Bump what is old', harness: 'claude', repositories: [], permission_mode: 'full_auto', host: 'local', box: {} }, saved_at: new Date().toISOString() });
      await open('/tasks/t-auth');
      await page.locator('.card').first().waitFor();
      await press(page, 'Control+k');
      const titles = () => page.locator('.palette li .truncate').allInnerTexts();
      await page.locator('.palette li', { hasText: 'nightly' }).waitFor();
      const all = await titles();
      const at = (title) => all.indexOf(title);
      equal([at('New shell') < at('Hosts'), at('Details') >= 0, at('Hosts') < at('New task')], [true, true, true], 'their order');
      const run = async (words, name) => {
        await page.keyboard.type(words);
        await page.getByRole('option', { name, selected: true }).waitFor();
        await press(page, 'Enter');
      };
      await run('new shell', /^New shell/);
      await page.waitForURL(/terminal/);
      await page.getByRole('button', { name: 'shell-1', exact: true }).waitFor();
      equal(new URL(page.url()).search, '', 'asked for once');
      await open('/tasks/t-auth');
      await page.locator('.card').first().waitFor();
      await press(page, 'Control+k');
      await page.locator('.palette li', { hasText: 'nightly' }).waitFor();
      await run('template nightly', /nightly/);
      await until(async () => (await page.getByLabel('What should the agent do?').inputValue()) === 'Bump what is old', 'the template');
      await open('/tasks/t-auth');
      await page.locator('.card').first().waitFor();
      await byPalette(page, 'run the same with', /^Run the same with/);
      await page.waitForURL(/new/);
      await page.locator('.contender').waitFor();
      equal(await page.locator('.contender').count(), 1, 'agents beside it');
    },
  },
  'a lost connection is said, and nothing is lost by it': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'Connected');
      world.away = true;
      world.hangUp();
      await seen(page, 'Reconnecting, last seen');
      world.tell('t-port', 'assistant_message', { blocks: [{ kind: 'text', content: 'Said while nobody listened' }] });
      world.away = false;
      await seen(page, 'Said while nobody listened');
      await gone(page, 'Reconnecting');
      equal(await page.getByText('Twelve verbs').count(), 1, 'rows told once');
    },
  },
  'a page that is older than the server loads itself anew, once, and keeps drafts': {
    go: async ({ page, open }) => {
      await open('/tasks/t-cache');
      await page.getByLabel('Message to the agent').fill('not lost');
      await stored(page, 'not lost');
      let gone = 1;
      await page.route('**/assets/Review-*.js', (route) => {
        gone -= 1;
        return gone >= 0 ? route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }) : route.continue();
      });
      await page.getByRole('link', { name: /Review/ }).click();
      await page.locator('.fileview .difflines').first().waitFor();
      await page.getByRole('link', { name: 'Conversation' }).click();
      equal(await page.getByLabel('Message to the agent').inputValue(), 'not lost', 'draft');
    },
  },
  'a page whose style was lost on its way asks for it once more': {
    go: async ({ page, open }) => {
      let lost = 0;
      await page.route('**/assets/index-*.css', (route) => (lost++ === 0 ? route.abort() : route.continue()));
      await open('/');
      await until(() => page.evaluate(() => getComputedStyle(document.body).overflow === 'hidden'), 'the style');
      equal(lost, 2, 'how often it was asked for');
    },
  },
  'the theme and the language are chosen and kept': {
    go: async ({ page, open }) => {
      await open('/settings');
      await page.getByRole('radio', { name: 'Dark' }).check();
      await page.getByRole('radio', { name: 'Deutsch' }).check();
      await seen(page, 'Einstellungen');
      await page.reload();
      await seen(page, 'Darstellung');
      equal(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang, getComputedStyle(document.body).colorScheme]), ['dark', 'de', 'dark'], 'kept');
    },
  },
  'the title says how many need you': {
    go: async ({ page, world, open }) => {
      await open('/settings');
      await until(async () => (await page.title()) === '(6) Paddock', 'the count');
      world.tell('t-plan', 'plan_resolved', { plan_id: 'p1', decision: null });
      world.state('t-plan', 'running', 'engaged');
      await until(async () => (await page.title()) === '(5) Paddock', 'the new count');
    },
  },
  'nothing is wider than a phone': {
    context: { viewport: PHONE, hasTouch: true, isMobile: true },
    go: async ({ page, open }) => {
      for (const path of PAGES) {
        await open(path);
        await page.locator('#main').waitFor();
        await rested(page);
        equal(await page.evaluate((width) => document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width, PHONE.width), true, `${path} fits`);
      }
    },
  },
  'nothing is wider than a phone, however long its name is': {
    scene: 'unbroken',
    context: { viewport: PHONE, hasTouch: true, isMobile: true },
    go: async ({ page, open }) => {
      // What is moved sideways on purpose: code, tables, tabs of terminals.
      const wide = (width) => [document.documentElement, ...document.querySelectorAll('body *:not(pre, table, .difflines, .terminalbar, .abilities, .unseen)')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && (one.scrollWidth > width || /auto|scroll/.test(getComputedStyle(one).overflowX)) && getComputedStyle(one).textOverflow !== 'ellipsis').map((one) => `${one.localName}.${one.className} ${one.scrollWidth}`);
      const fits = async (where) => {
        await rested(page);
        equal(await page.evaluate(wide, PHONE.width), [], `what is wider than ${where}`);
      };
      for (const path of ['/', '/tasks', '/tasks/t-deep', '/tasks/t-deep/review', '/tasks/t-deep/log', '/tasks/t-deeper', '/new', '/hosts', '/trash', '/history', '/settings/accounts', '/settings/files']) {
        await open(path);
        await page.locator('#main').waitFor();
        await fits(path);
      }
      await open('/tasks/t-deep');
      await page.getByRole('button', { name: 'Details' }).tap();
      await fits('the details of a task');
      await open('/');
      await page.locator('.inboxrow').first().tap();
      await fits('a task in the inbox');
      await open('/trash');
      await page.locator('.trashrow').first().tap();
      await fits('what is kept of a task');
      await open('/tasks/t-deep/review');
      const name = page.locator('.fileview header').first().getByText('the_end_of_it.generated.ts');
      const { x, width } = await name.boundingBox();
      equal(x + width <= PHONE.width, true, 'the end of a path is in view');
      await page.getByRole('button', { name: 'Commit…' }).tap();
      await seen(page, 'go in');
      await fits('the files of a commit');
    },
  },
  'a question is answered by touch on a phone': {
    context: { viewport: PHONE, hasTouch: true, isMobile: true },
    go: async ({ page, world, open }) => {
      await open('/');
      await page.locator('.inboxrow', { hasText: 'Fix the authentication bug' }).tap();
      await page.getByText('Opaque', { exact: true }).tap();
      await page.getByRole('button', { name: 'Answer' }).tap();
      await until(() => world.tasks.get('t-auth').view.questions.length === 1, 'the answer');
      await page.getByLabel('Back').tap();
      await page.locator('.inboxlist').waitFor();
    },
  },
};
