// The inbox: triage by keyboard alone.
import { equal, events, focused, gone, press, seen, until } from './expect.js';

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
      await press(page, 'r', 't', 'a', 'g', 't');
      await until(() => new URL(page.url()).pathname === '/tasks', 'the list of tasks');
      await open('/tasks/t-deps');
      await focused(page, '.card');
      await page.locator('.sidebar').getByText('Plan the move').first().waitFor();
      await press(page, 'g', 'n');
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
      equal(await page.locator('.inboxdetail').getByRole('button', { name: 'Done' }).count(), 0, 'ways to put it aside');
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
  'opening a task takes it out of the inbox once it was seen': {
    go: async ({ page, open }) => {
      await open('/tasks/t-bench');
      await seen(page, 'The usage limit of this account is reached');
      await page.getByRole('link', { name: 'Inbox' }).first().click();
      await seen(page, 'Proposed plan');
      equal(await page.locator('.inboxrow', { hasText: 'Make the importer' }).count(), 0, 'rows');
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
