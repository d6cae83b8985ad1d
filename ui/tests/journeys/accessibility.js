// axe on every page and dialog, light and dark, wide and narrow: nothing serious.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE } from '../browser.js';
import { rivals } from '../fake/hand.js';
import { tooLong } from '../fake/journals.js';
import { OFFERS as OF_THE_PROGRAM } from '../fake/offers.js';
import { choose, focused, press, rested, seen } from './expect.js';
import { shellOn } from './shell.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ids = ['t-auth', 't-plan', 't-deps', 't-port', 't-cache', 't-bench', 't-broken', 't-docs'];
const PAGES = ['/', '/tasks', '/tasks?archive', ...ids.map((id) => `/tasks/${id}`), '/tasks/t-auth/review', '/tasks/t-auth/log', '/new', '/hosts', '/trash', '/search', '/search?q=auth', '/search?q=none', '/history', '/history/comparisons', ...['', '/general', '/shortcuts', '/agents', '/accounts', '/rules', '/boxes', '/keeping', '/git', '/network', '/files', '/about'].map((page) => `/settings${page}`), '/compare/g-auth', '/compare/g-none', '/tasks/t-auth/terminal', '/tasks/t-rival-3', '/nowhere'];

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
  'sync held back': async (page) => (await page.getByRole('button', { name: 'Sync…' }).click(), await page.getByRole('button', { name: 'Sync', exact: true }).click(), seen(page, 'generic-api-key')),
  'sync report': async (page) => (await page.getByRole('button', { name: 'Sync…' }).click(), await page.getByRole('button', { name: 'Sync', exact: true }).click(), await page.getByLabel('Let pass').check(), await page.getByRole('button', { name: 'Sync with what I let pass' }).click(), seen(page, 'Pushed to origin')),
  'squash preview': async (page) => (await page.getByRole('button', { name: 'Sync…' }).click(), await page.getByText('Squash onto the default branch').click(), seen(page, '1 file conflicts')),
  // Two sides have no room on a phone.
  split: async (page, narrow) => narrow || choose(page, page.getByLabel('Side by side')),
};

const PLAN_DIALOGS = {
  'plan edited': async (page) => (await page.getByRole('button', { name: 'Edit' }).click(), focused(page, 'textarea')),
  'plan sent back': async (page) => (await page.getByRole('button', { name: 'Reject' }).click(), focused(page, 'section input')),
};
/** What a yes to the approval could keep. */
const OFFERS = [[{ on: 'command', command: 'cargo update *' }, { on: 'command', command: 'cargo tree *' }], [{ on: 'tool', tool: 'Bash' }]].map((subjects) => ({ subjects }));
const APPROVAL_DIALOGS = {
  'deny with a reason': async (page) => (await page.getByRole('button', { name: 'Deny' }).click(), focused(page, 'section input')),
  'a rule to keep': async (page) => (await page.getByRole('button', { name: 'Allow in this repository' }).click(), focused(page, 'input[type=radio]')),
  'input edited': async (page) => (await page.getByRole('button', { name: 'Edit' }).click(), focused(page, 'section textarea')),
  'input that is none': async (page) => (await page.getByRole('button', { name: 'Edit' }).click(), await page.getByLabel('Input to use instead').fill('{'), await page.getByRole('button', { name: 'Allow the edited one' }).click()),
};
const HOST_DIALOGS = {
  'a box to remove': async (page) => (await page.getByRole('button', { name: 'Remove…' }).last().click(), seen(page, 'goes into the trash')),
  'a box that would lose': async (page) => (await page.getByRole('button', { name: 'Remove…' }).last().click(), await page.getByRole('button', { name: 'Remove box' }).click(), seen(page, 'nothing can be kept')),
  'an agent that is installed': async (page) => (await page.route('**/install', () => undefined), await page.getByRole('button', { name: 'Install' }).first().click(), page.getByRole('status').filter({ hasText: 'Installing' }).waitFor()),
  'an agent that cannot be': async (page) => (await page.unroute('**/install'), await page.getByRole('button', { name: 'Install' }).first().click(), page.locator('.install [role=alert]').waitFor()),
};
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const FRAME_DIALOGS = {
  'the menu of a phone': async (page, narrow) => narrow && (await page.getByRole('button', { name: 'Tasks' }).filter({ visible: true }).first().click(), page.locator('dialog[open]').getByRole('link', { name: 'Trash' }).waitFor()),
};
const TOLD_DIALOGS = {
  'a large image': async (page) => (await page.getByLabel('Message to the agent').fill(''), await page.getByRole('button', { name: 'Show shot.png large' }).first().click(), page.locator('dialog[open] img').waitFor()),
  'commands of the program': async (page) => (await page.getByLabel('Message to the agent').fill('/'), page.getByRole('option').first().waitFor()),
  'a message with a way back': async (page) => (await page.getByLabel('More actions').click(), await page.getByRole('menuitem', { name: 'Remove task' }).click(), await page.locator('dialog[open]').getByRole('button', { name: /^Remove/ }).click(), page.getByRole('button', { name: 'Undo' }).waitFor()),
};

/** What stands there when a page can be used. */
const READY = [[/review$/, '.difflines'], [/^\/trash/, '.trashrow'], [/^\/compare/, '.member'], [/^\/new/, '#main form'], [/^\/settings/, '.settingsection'], [/^\/history/, '.historyline'], [/^\/hosts/, '#main h3'], [/^\/$/, '.inboxrow'], [/terminal$/, '.terminalbar'], [/./, '.vlist-row']];
const WALKS = [
  ['/tasks/t-auth', DIALOGS], ['/tasks/t-plan', PLAN_DIALOGS], ['/tasks/t-deps', APPROVAL_DIALOGS], ['/hosts', HOST_DIALOGS], ['/tasks/t-auth/review', REVIEW_DIALOGS], ['/tasks/t-port', BOX_DIALOGS], ['/trash', TRASH_DIALOGS],
  ['/compare/g-auth', COMPARE_DIALOGS], ['/new', NEW_DIALOGS], ['/settings/rules', RULE_DIALOGS], ['/settings/boxes', BOXES_DIALOGS], ['/settings/keeping', KEPT_DIALOGS], ['/settings/network', NETWORK_DIALOGS], ['/history', HISTORY_DIALOGS], ['/tasks/t-auth/terminal', TERMINAL_DIALOGS], ['/tasks/t-cache', TOLD_DIALOGS], ['/', FRAME_DIALOGS],
];

/** Everything that axe counts as serious or critical; with `more` contrast is held to what who asks for it needs. */
async function check(page, where, more = false) {
  await rested(page);
  const found = await page.evaluate(async ([axe, rules]) => {
    if (!window.axe) (0, eval)(axe);
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}) });
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
  }, [AXE, more ? ['color-contrast-enhanced'] : undefined]);
  const bad = found.filter((text) => /^(serious|critical|moderate)/.test(text));
  if (bad.length > 0) throw new Error(`${where}\n${bad.join('\n')}`);
}

async function walk({ page, world, open }) {
  rivals(world);
  tooLong(world);
  world.damaged.add('t-bench');
  world.tasks.get('t-deps').view.approvals[0].offers = OFFERS;
  world.tell('t-cache', 'user_message', { input_id: 'with-image', content: 'As in this picture', attachments: [{ sha256: 'ab'.repeat(32), name: 'shot.png', media_type: 'image/png', size: PIXEL.length }] });
  world.tell('t-cache', 'agent_offers', OF_THE_PROGRAM);
  await page.route('**/artifacts/**', (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }));
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

/** Pages that between them show every colour. */
const COLOURFUL = ['/', '/tasks', '/tasks/t-auth', '/tasks/t-plan', '/tasks/t-deps', '/tasks/t-port', '/tasks/t-bench', '/tasks/t-broken', '/tasks/t-auth/review', '/tasks/t-auth/log', '/new', '/search?q=auth', '/settings/rules', '/compare/g-auth'];

/** Twice as much contrast as otherwise, for who asks for more. */
async function walkStark({ page, world, open }) {
  rivals(world);
  const problems = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, contrast: 'more', reducedMotion: 'reduce' });
    for (const path of COLOURFUL) {
      await open(path);
      await page.locator('#main h1').first().waitFor();
      await check(page, `${path} in ${colorScheme}`, true).catch((error) => problems.push(error.message));
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
  'axe finds enough contrast for who asks for more': { context: context({ viewport: DESKTOP }), go: walkStark },
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
