// What the agent's program offers: its commands in the reply, its models where one is chosen, and what each agent can.
import { PHONE } from '../browser.js';
import { OFFERS } from '../fake/offers.js';
import { equal, events, press, seen, until } from './expect.js';

const COMPOSER = 'Message to the agent';
const offer = (world) => world.tell('t-cache', 'agent_offers', OFFERS);
const names = (page) => page.getByRole('option').locator('.name').allInnerTexts();
const options = (page, expected) => until(async () => (await names(page)).map((name) => name.trim()).join(' ') === expected, `the commands: ${expected}`);

export const offers = {
  'commands of the program are listed as they are typed, and taken by keyboard': {
    go: async ({ page, world, open }) => {
      offer(world);
      await open('/tasks/t-cache');
      const area = page.getByLabel(COMPOSER);
      await area.focus();
      await page.keyboard.type('/');
      await options(page, '/review [pr] /init /security-review');
      await page.keyboard.type('re');
      await options(page, '/review [pr] /security-review');
      await press(page, 'ArrowDown');
      equal(await page.getByRole('option', { selected: true }).count(), 1, 'options chosen');
      await press(page, 'ArrowDown');
      await press(page, 'Tab');
      equal(await area.inputValue(), '/review ', 'what was taken');
      equal(await page.getByRole('option').count(), 0, 'options after taking');
      await page.keyboard.type('the last commit');
      await press(page, 'Enter');
      await until(async () => (await area.inputValue()) === '', 'the message to go');
      await until(() => events(world, 't-cache', 'user_message').at(-1).content === '/review the last commit', 'the server to have it');
    },
  },
  'the list of commands closes with Escape, takes a click, and a command typed whole is sent': {
    go: async ({ page, world, open }) => {
      offer(world);
      await open('/tasks/t-cache');
      const area = page.getByLabel(COMPOSER);
      await area.focus();
      await page.keyboard.type('/in');
      await options(page, '/init');
      await press(page, 'Escape');
      equal(await page.getByRole('option').count(), 0, 'options after Escape');
      equal(await area.inputValue(), '/in', 'text after Escape');
      await page.keyboard.type('i');
      await page.getByRole('option', { name: '/init' }).click();
      equal(await area.inputValue(), '/init', 'what was clicked');
      await area.fill('/nothing');
      equal(await page.getByRole('option').count(), 0, 'options for what there is not');
      await area.fill('/init');
      await press(page, 'Enter');
      await until(async () => (await area.inputValue()) === '', 'the message to go');
      await until(() => events(world, 't-cache', 'user_message').at(-1).content === '/init', 'the server to have it');
    },
  },
  'a command is taken by touch on a phone': {
    context: { viewport: PHONE, hasTouch: true, isMobile: true },
    go: async ({ page, world, open }) => {
      offer(world);
      await open('/tasks/t-cache');
      const area = page.getByLabel(COMPOSER);
      await area.tap();
      await page.keyboard.type('/');
      await options(page, '/review [pr] /init /security-review');
      const [list, screen] = [await page.getByRole('listbox').boundingBox(), page.viewportSize()];
      equal(list.y >= 0 && list.x >= 0 && list.x + list.width <= screen.width, true, 'the list is on the screen');
      await page.getByRole('option', { name: '/init' }).tap();
      equal(await area.inputValue(), '/init', 'what was touched');
    },
  },
  'the models of the program are proposed, and one that it does not list is said to be unlisted': {
    go: async ({ page, world, open }) => {
      offer(world);
      await open('/tasks/t-cache');
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Change model or mode…' }).click();
      const dialog = page.getByRole('dialog');
      await until(async () => (await dialog.locator('datalist option').evaluateAll((all) => all.map((one) => `${one.value} ${one.label}`).join('; '))) === 'default Default (recommended) · now; haiku Haiku', 'the models');
      const model = dialog.getByLabel('Model');
      await model.fill('haiku');
      await seen(page, 'For quick answers');
      await model.fill('other');
      await seen(page, 'The program does not list this model.');
    },
  },
  'what each agent can do is in the settings of agents': {
    go: async ({ page, open }) => {
      await open('/settings/agents');
      const table = page.getByRole('region', { name: 'What each agent can do' }).getByRole('table');
      await table.getByRole('columnheader', { name: 'Claude Code' }).waitFor();
      const row = table.getByRole('row', { name: /start anew/ });
      equal(await row.getByRole('cell').allInnerTexts(), ['no', 'no'], 'who starts anew');
      equal(await table.getByRole('row').count(), 17, 'rows');
    },
  },
};
