// axe on every page and dialog, light and dark, wide and narrow: nothing serious.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE } from '../browser.js';
import { rivals } from '../fake/hand.js';
import { tooLong } from '../fake/journals.js';
import { focused, press, seen } from './expect.js';
import { shellOn } from './shell.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ids = ['t-auth', 't-plan', 't-deps', 't-port', 't-cache', 't-bench', 't-broken', 't-docs'];
const PAGES = ['/', '/tasks', ...ids.map((id) => `/tasks/${id}`), '/tasks/t-auth/review', '/tasks/t-auth/log', '/new', '/hosts', '/trash', '/search', '/search?q=auth', '/search?q=none', '/history', '/history/comparisons', ...['', '/general', '/shortcuts', '/agents', '/accounts', '/rules', '/boxes', '/keeping', '/git', '/network', '/files', '/about'].map((page) => `/settings${page}`), '/compare/g-auth', '/compare/g-none', '/tasks/t-auth/terminal', '/tasks/t-rival-3', '/nowhere'];

const DIALOGS = {
  palette: async (page) => press(page, 'Control+k'),
  'cheat sheet': async (page) => (await page.locator('#main').focus(), press(page, '?')),
  menu: async (page) => page.getByLabel('More actions').click(),
  remove: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Remove task' }).click(), seen(page, 'A snapshot is kept')),
  find: async (page) => press(page, 'Control+f'),
  fork: async (page) => (await page.locator('#main').focus(), await press(page, 'Shift+f'), focused(page, 'dialog[open] textarea')),
  'hand off': async (page) => (await page.locator('#main').focus(), await press(page, 'Shift+h'), seen(page, 'What to say to it')),
  journal: async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Check the journal' }).click(), seen(page, 'All is well')),
  'model and mode': async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Change model or mode' }).click()),
};
const COMPARE_DIALOGS = {
  checked: async (page) => (await page.getByRole('button', { name: 'Run the check' }).click(), seen(page, 'exit 101')),
  choice: async (page) => (await page.getByRole('button', { name: 'Choose this one' }).first().click(), seen(page, 'The others can stay')),
  chosen: async (page) => (await page.getByRole('button', { name: 'Choose this one' }).first().click(), await page.getByRole('button', { name: 'Keep the others' }).click(), seen(page, '✓ chosen')),
};
const NEW_DIALOGS = {
  'all fields': async (page) => page.locator('details > summary').last().click(),
  'several agents': async (page) => page.getByRole('button', { name: 'Run the same with…' }).click(),
  template: async (page) => (await page.getByLabel('What should the agent do?').fill('Greet {{who}}'), await page.getByRole('button', { name: 'Save as template' }).click(), await page.getByLabel('Name of the template').fill('greet'), await press(page, 'Enter'), await page.getByLabel('Begin from a template').selectOption('greet')),
};
const RULE_DIALOGS = {
  'a rule that is tried': async (page) => (await page.getByLabel('Try a command').fill('cargo test && rm -rf ~'), await press(page, 'Enter'), seen(page, 'You are asked')),
};
const BOXES_DIALOGS = {
  'what is not taken': async (page) => (await page.getByLabel('Tasks at work', { exact: true }).fill('many'), await page.getByRole('button', { name: 'Save', exact: true }).click(), seen(page, 'give 1 to 256')),
  'what was searched': async (page) => (await page.getByLabel('Search settings').fill('o'), seen(page, 'settings found')),
};
const HISTORY_DIALOGS = {
  'all checked': async (page) => (await page.getByRole('button', { name: 'Check all' }).click(), seen(page, 'needs a look')),
  'a journal looked at': async (page) => (await page.getByRole('button', { name: 'damaged' }).click(), seen(page, 'cut the half-written line off')),
};
const KEPT_DIALOGS = {
  'what can go': async (page) => (await page.getByRole('button', { name: 'Look for what can go' }).click(), seen(page, 'Remove 2 entries')),
};
const NETWORK_DIALOGS = {
  'another browser': async (page) => (await page.getByRole('button', { name: 'Pair another browser' }).click(), seen(page, 'Or type this code')),
};
const TERMINAL_DIALOGS = {
  'a shell': async (page) => (await page.getByRole('button', { name: 'New shell' }).click(), await page.locator('.xterm-rows', { hasText: '$' }).waitFor()),
  'a shell that ended': async (page) => (await focused(page, '.xterm-helper-textarea'), await page.keyboard.type('exit 3\n'), seen(page, 'ended, 3')),
};
const BOX_DIALOGS = {
  processes: async (page, narrow) => (narrow && (await page.getByRole('button', { name: 'Details' }).click()), await page.getByRole('complementary').getByRole('button', { name: '12' }).click(), seen(page, 'paddock-relay')),
  'queue edited': async (page) => page.locator('.queuewords').first().click(),
};
const chooseKept = (page, narrow) => narrow && page.locator('.trashrow').first().click();
const TRASH_DIALOGS = {
  restore: async (page, narrow) => (await chooseKept(page, narrow), await page.getByRole('button', { name: 'Restore…' }).click()),
  drop: async (page, narrow) => (await chooseKept(page, narrow), await page.getByRole('button', { name: 'Drop…' }).click()),
};
const REVIEW_DIALOGS = {
  commit: async (page) => (await page.getByRole('button', { name: 'Commit…' }).click(), seen(page, 'go in')),
  sync: async (page) => page.getByRole('button', { name: 'Sync…' }).click(),
  comment: async (page) => page.getByLabel('Comment on line 40').last().click(),
  // Two sides have no room on a phone.
  split: async (page, narrow) => narrow || page.getByLabel('Side by side').check({ force: true }),
};

/** What stands there when a page can be used. */
const READY = [[/review$/, '.difflines'], [/^\/trash/, '.trashrow'], [/^\/compare/, '.member'], [/^\/new/, '#main form'], [/^\/settings/, '.settingsection'], [/^\/history/, '.historyline'], [/terminal$/, '.terminalbar'], [/./, '.vlist-row']];
const WALKS = [
  ['/tasks/t-auth', DIALOGS], ['/tasks/t-auth/review', REVIEW_DIALOGS], ['/tasks/t-port', BOX_DIALOGS], ['/trash', TRASH_DIALOGS],
  ['/compare/g-auth', COMPARE_DIALOGS], ['/new', NEW_DIALOGS], ['/settings/rules', RULE_DIALOGS], ['/settings/boxes', BOXES_DIALOGS], ['/settings/keeping', KEPT_DIALOGS], ['/settings/network', NETWORK_DIALOGS], ['/history', HISTORY_DIALOGS], ['/tasks/t-auth/terminal', TERMINAL_DIALOGS],
];

/** Everything that axe counts as serious or critical. */
async function check(page, where) {
  await page.waitForTimeout(250);
  const found = await page.evaluate(async (axe) => {
    if (!window.axe) (0, eval)(axe);
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
  }, AXE);
  const bad = found.filter((text) => /^(serious|critical|moderate)/.test(text));
  if (bad.length > 0) throw new Error(`${where}\n${bad.join('\n')}`);
}

async function walk({ page, world, open }) {
  rivals(world);
  tooLong(world);
  world.damaged.add('t-bench');
  await shellOn(page);
  const narrow = page.viewportSize().width < DESKTOP.width;
  const problems = [];
  const look = (where) => check(page, where).catch((error) => problems.push(error.message));
  for (const path of PAGES) {
    await open(path);
    await page.locator('#main').waitFor().then(() => look(path), (error) => problems.push(`${path}: ${error.message}`));
  }
  for (const [base, dialogs] of WALKS) {
    for (const [name, show] of Object.entries(dialogs)) {
      await open(base);
      await page.locator(READY.find(([path]) => path.test(base))[1]).first().waitFor();
      const where = `${base} ${name}`;
      await show(page, narrow).then(() => look(where), (error) => problems.push(`${where} cannot be opened: ${error.message}`));
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n\n'));
}

// The page's policy forbids scripts but its own; axe is let in past it.
const context = (more) => ({ bypassCSP: true, reducedMotion: 'reduce', ...more });

export const accessibility = {
  'axe finds nothing serious in light': { context: context({ viewport: DESKTOP, colorScheme: 'light' }), go: walk },
  'axe finds nothing serious in dark': { context: context({ viewport: DESKTOP, colorScheme: 'dark' }), go: walk },
  'axe finds nothing serious on a phone': { context: context({ viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: 'light' }), go: walk },
  'axe finds nothing serious before pairing and at first': {
    scene: 'empty',
    context: context({ viewport: DESKTOP }),
    go: async ({ page, world, open }) => {
      await open('/');
      await seen(page, 'Welcome to Paddock');
      await check(page, 'first run');
      world.signedIn = false;
      await page.reload();
      await seen(page, 'One-time code');
      await check(page, 'pairing');
    },
  },
};
