// The inbox: triage by keyboard alone.
import { equal, events, focused, gone, press, seen, strokes, until } from './expect.js';

const current = (page) => page.locator('.inboxrow[aria-current="true"] b').innerText();

export const inbox = {
  'the inbox is worked through by keyboard alone': {
    go: async ({ page, world, open }) => {
      await open('/');
      await seen(page, 'Proposed plan');
      await focused(page, '.card');
      await press(page, 'n');
      await page.keyboard.type('Keep polling for a release');
      await press(page, 'Enter');
      await until(() => events(world, 't-plan', 'plan_resolved').length === 1, 'the decision');
      equal(events(world, 't-plan', 'plan_resolved')[0].decision, { verdict: 'reject', comment: 'Keep polling for a release' }, 'decision');
      await until(async () => (await current(page)) === 'Upgrade the TLS stack and remove the patched fork', 'the next one');
      await focused(page, '.card');
      await press(page, 'Shift+T');
      await until(() => events(world, 't-deps', 'approval_resolved').length === 1, 'the approval');
      equal(events(world, 't-deps', 'approval_resolved')[0].decision, { verdict: 'allow', scope: 'task' }, 'approval');
      await until(async () => (await current(page)) === 'Fix the authentication bug', 'the question');
      await focused(page, '.card');
      await press(page, '2', 'Enter');
      await seen(page, 'Which clients must go on working');
      await focused(page, '.card');
      await press(page, '1', '3', 'Enter');
      await until(() => events(world, 't-auth', 'question_answered').length === 2, 'both answers');
      equal(events(world, 't-auth', 'question_answered').map((event) => event.answer), [{ choices: ['Opaque'] }, { choices: ['Web', 'Command line'] }], 'answers');
      await until(() => world.tasks.get('t-auth').view.state === 'running', 'the agent to go on');
    },
  },
  'keys that lead elsewhere never answer what is asked': {
    go: async ({ page, world, open }) => {
      await open('/');
      await page.locator('.inboxrow', { hasText: 'Upgrade the TLS stack' }).click();
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      await press(page, 'a');
      await focused(page, '.card');
      await press(page, 'r', 't', 'a');
      await strokes(page, 'g', 't');
      await until(() => new URL(page.url()).pathname === '/tasks', 'the list of tasks');
      await open('/tasks/t-deps');
      await focused(page, '.card');
      await page.locator('.sidebar').getByText('Plan the move').first().waitFor();
      await strokes(page, 'g', 'n');
      await until(() => !page.url().endsWith('/t-deps'), 'the next task');
      await open('/tasks/t-deps');
      await focused(page, '.card');
      await press(page, '?');
      await seen(page, 'An open question, while it has the focus');
      await press(page, 'Escape', 'r', 'y');
      await until(async () => (await page.getByLabel('Message to the agent').inputValue()) === 'y', 'the letter in the reply');
      equal(events(world, 't-deps', 'approval_resolved'), [], 'decisions');
    },
  },
  'an agent that falls silent needs the user until it stirs': {
    go: async ({ page, world, open }) => {
      const id = 't-port';
      const group = page.getByRole('region', { name: 'Needs you', exact: true });
      const title = 'Port the CLI from the old argument parser';
      await open(`/tasks/${id}`);
      await page.getByRole('region', { name: 'Working', exact: true }).getByText(title).waitFor();
      world.tell(id, 'agent_silent', { since_at: new Date(Date.now() - 300_000).toISOString() });
      await group.getByText(title).waitFor();
      await open('/');
      await page.locator('.inboxrow', { hasText: title }).click();
      await page.locator('.inboxrow', { hasText: title }).getByText('silent').waitFor();
      await page.locator('.inboxdetail').getByRole('button', { name: 'Restart agent' }).waitFor();
      await page.locator('.inboxdetail').getByRole('button', { name: 'Put aside' }).waitFor();
      world.tell(id, 'agent_stirred', {});
      await until(async () => (await page.locator('.inboxrow', { hasText: title }).count()) === 0, 'it to leave the inbox');
    },
  },
  'finished work is put aside and brought back': {
    go: async ({ page, open }) => {
      await open('/');
      const row = page.locator('.inboxrow', { hasText: 'Cache rendered pages' });
      await row.click();
      await seen(page, 'Pages are cached for sixty seconds');
      await page.locator('.pagehead h1').click();
      await press(page, 'e');
      await until(async () => (await row.count()) === 0, 'the row to go');
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      await page.reload();
      await row.waitFor();
    },
  },
  'what is put aside in one window is so in every other, until something new happens': {
    go: async ({ page, world, open }) => {
      const id = 't-deps';
      const title = 'Upgrade the TLS stack and remove the patched fork';
      await open('/');
      const other = await page.context().newPage();
      await other.goto(page.url());
      const row = (where) => where.locator('.inboxrow', { hasText: title });
      await row(other).waitFor();
      await row(page).click();
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      await page.locator('.pagehead h1').click();
      await press(page, 'Shift+E');
      await until(async () => (await row(page).count()) === 0, 'the row to go');
      await until(async () => (await row(other).count()) === 0, 'the row to go elsewhere');
      equal(events(world, id, 'put_aside').length, 1, 'marks');
      equal(events(world, id, 'approval_resolved'), [], 'decisions');
      world.tell(id, 'question_asked', { question_id: 'late', text: 'Which release?', choices: [], multiple: false });
      await row(other).waitFor();
    },
  },
  'opening a task takes it out of the inbox once it was seen': {
    go: async ({ page, open }) => {
      await open('/tasks/t-bench');
      await seen(page, 'The usage limit of this account is reached');
      await page.getByRole('link', { name: 'Inbox' }).first().click();
      await seen(page, 'Proposed plan');
      await until(async () => (await page.locator('.inboxrow', { hasText: 'Make the importer' }).count()) === 0, 'the row to go');
    },
  },
  'to look at a task twice marks it once, and what asks is never marked by a look': {
    go: async ({ page, world, open }) => {
      const marks = () => [...world.tasks.values()].flatMap((one) => one.events.filter((event) => event.type === 'put_aside').map((event) => event.task_id));
      for (const id of ['t-bench', 't-deps', 't-bench']) {
        await open(`/tasks/${id}`);
        await page.locator('.taskhead h1').waitFor();
        await page.locator('.vlist-row').first().waitFor();
      }
      await until(() => marks().length > 0, 'the mark');
      equal(marks(), ['t-bench'], 'marks');
      await page.getByLabel('More actions').click();
      await page.getByRole('menuitem', { name: 'Take up again' }).click();
      await page.getByRole('region', { name: 'Needs you', exact: true }).getByText(world.tasks.get('t-bench').view.title).waitFor();
      equal(world.tasks.get('t-bench').view.needs_me, true, 'it to be needed');
    },
  },
  'an empty Paddock says what to do first': {
    scene: 'empty',
    go: async ({ page, open }) => {
      await open('/');
      await seen(page, 'Welcome to Paddock');
      await seen(page, 'paddock harness install codex');
      await press(page, 'c');
      await seen(page, 'Start task');
    },
  },
  'an agent is installed and given a key on the first page, by keyboard alone': {
    scene: 'empty',
    go: async ({ page, world, open }) => {
      await open('/');
      await seen(page, 'Welcome to Paddock');
      await seen(page, 'Claude Code is ready');
      const codex = page.getByRole('listitem').filter({ has: page.locator('b', { hasText: 'Codex' }) }).last();
      world.installs = { steps: ['Fetching Codex 0.58.0'], problem: 'the release cannot be fetched: look at the network, then try again' };
      await codex.getByRole('button', { name: 'Install: Codex' }).focus();
      await press(page, 'Enter');
      await codex.getByRole('alert').filter({ hasText: 'look at the network' }).waitFor();
      world.installs = { steps: ['Fetching Codex 0.58.0'] };
      await press(page, 'Enter');
      await codex.getByText('0.58.0').waitFor();
      equal(await codex.getByRole('alert').count(), 0, 'what went wrong before');
      await codex.getByRole('button', { name: 'Set a key: Codex' }).focus();
      await press(page, 'Enter');
      await focused(page, 'input[type=password]');
      await page.keyboard.type('sk-a-key');
      await press(page, 'Enter');
      await seen(page, 'Keys found: OPENAI_API_KEY');
      equal(world.policy.secrets.includes('provider.codex.OPENAI_API_KEY'), true, 'kept');
      equal(await page.getByText('sk-a-key').count(), 0, 'shown again');
    },
  },
  'a question that is answered elsewhere leaves the page': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-deps');
      await seen(page, 'Allow once');
      world.tell('t-deps', 'approval_resolved', { approval_id: 'a1', decision: null });
      world.state('t-deps', 'running', 'engaged');
      await gone(page, 'Allow once');
    },
  },
};
