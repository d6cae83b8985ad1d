// What is on every page: sign-in, palette, shortcuts, connection, themes, narrow windows.
import { PHONE } from '../browser.js';
import { equal, focused, gone, press, seen, stored, until } from './expect.js';

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
      await press(page, 'Control+k');
      await focused(page, 'input[role=combobox]');
      await page.keyboard.type('cacherend');
      await press(page, 'Enter');
      await page.waitForURL(/t-cache/);
      await press(page, 'Control+k');
      await page.keyboard.type('settings');
      await press(page, 'Enter');
      await page.waitForURL(/settings/);
      await press(page, 'Control+k', 'Escape');
      equal(await page.locator('dialog[open]').count(), 0, 'dialogs');
    },
  },
  'a shortcut is changed and works as changed': {
    go: async ({ page, open }) => {
      await open('/settings/shortcuts');
      await page.getByRole('button', { name: 'Change: Hosts' }).click();
      await press(page, 'h');
      await page.locator('h1').click();
      await press(page, 'h');
      await page.waitForURL(/hosts/);
      await press(page, '?');
      await seen(page, 'Keyboard shortcuts');
    },
  },
  'a lost connection is said, and nothing is lost by it': {
    go: async ({ page, fake, world, open }) => {
      await open('/tasks/t-port');
      await seen(page, 'Connected');
      let away = true;
      await page.route('**/events', (route) => (away ? route.abort() : route.continue()));
      fake.world.hangUp();
      await seen(page, 'Reconnecting, last seen');
      world.tell('t-port', 'assistant_message', { blocks: [{ kind: 'text', content: 'Said while nobody listened' }] });
      away = false;
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
        await page.waitForTimeout(250);
        equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth), true, `${path} fits`);
      }
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
