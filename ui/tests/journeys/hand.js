// Tasks that go on otherwise: forked, handed to another agent, run by several agents that are compared.
import { rivals } from '../fake/hand.js';
import { equal, events, focused, gone, press, reach, seen, until } from './expect.js';

const dialog = (page) => page.locator('dialog[open]');
const made = (world, prompt) => [...world.tasks.values()].find((task) => task.view.spec.prompt === prompt);

export const hand = {
  'a task is forked by keyboard, with another agent, and each names the other': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours');
      await press(page, 'Shift+f');
      await focused(page, 'dialog[open] textarea');
      equal(await dialog(page).getByRole('button', { name: 'Fork', exact: true }).isDisabled(), true, 'a fork that has nothing to do');
      await page.keyboard.type('Try opaque tokens, full of doubt');
      await dialog(page).getByLabel('Agent', { exact: true }).selectOption({ label: 'Claude Code' });
      await dialog(page).getByLabel('Model').fill('haiku');
      await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'the disk of this host is full' }).waitFor();
      await dialog(page).getByRole('textbox').first().fill('Try opaque tokens');
      await dialog(page).getByRole('checkbox').focus();
      await press(page, 'Space');
      await reach(page, dialog(page).getByRole('button', { name: 'Fork', exact: true }));
      await press(page, 'Enter');
      await page.waitForURL(/t-fork/);
      const fork = made(world, 'Try opaque tokens');
      equal([fork.view.spec.harness, fork.view.spec.model, fork.uncommitted, fork.view.spec.origin.task_id], ['claude', 'haiku', false, 't-auth'], 'what was asked');
      await page.locator('.agent', { hasText: 'Done, and the tests pass.' }).waitFor();
      await page.locator('.facts', { hasText: 'forked from' }).getByRole('link', { name: 'Fix the authentication bug' }).click();
      await page.waitForURL(/t-auth/);
      await page.locator('.facts', { hasText: 'Forks' }).getByRole('link', { name: 'Try opaque tokens' }).waitFor();
    },
  },
  'a task is handed to another agent, which is told to go on': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass');
      await press(page, 'Shift+h');
      const agent = dialog(page).getByLabel('Agent', { exact: true });
      await until(async () => (await agent.inputValue()) === 'claude', 'the likeliest agent');
      await dialog(page).getByLabel('What to say to it').fill('Say it in the changelog too.');
      await dialog(page).getByRole('button', { name: 'Hand off' }).click();
      await seen(page, 'Claude Code takes over');
      await page.locator('.said', { hasText: 'Say it in the changelog too.' }).waitFor();
      await seen(page, 'Claude Code, taken over from Codex');
      await page.locator('.facts').first().getByText('Claude Code').waitFor();
      await page.locator('.agent', { hasText: 'Done, and the tests pass.' }).waitFor();
      equal(events(world, 't-cache', 'provider_switched').length, 1, 'hand-offs');
    },
  },
  'one prompt is run by several agents, checked, compared, and one is chosen': {
    go: async ({ page, world, open }) => {
      await open('/new');
      await page.getByLabel('What should the agent do?').fill('Refuse what has expired');
      await page.getByLabel('Repository').first().fill('/home/ada/api-server');
      await seen(page, 'On main');
      await page.getByRole('button', { name: 'Run the same with…' }).click();
      const others = page.getByRole('region', { name: 'Run the same with…' });
      await others.getByLabel('Model').fill('haiku');
      await page.getByRole('button', { name: 'Another agent' }).click();
      equal(await others.getByLabel('Agent', { exact: true }).count(), 2, 'other agents');
      await others.getByRole('button', { name: 'Without Claude Code' }).last().click();
      await page.getByRole('textbox', { name: 'Check' }).fill('cargo test');
      await page.getByRole('button', { name: /^Start/ }).click();
      await page.waitForURL(/\/compare\/g-1/);
      const members = page.locator('.member');
      await until(async () => (await members.count()) === 2, 'both of them');
      await page.locator('.member', { hasText: 'haiku' }).getByText('finished').waitFor();
      await until(async () => (await page.locator('.member .status', { hasText: 'finished' }).count()) === 2, 'both to end');
      equal(await page.getByLabel('Check', { exact: true }).inputValue(), 'cargo test', 'the check of the group');

      // One changed something, the other did not: the check tells them apart.
      world.tell('t-g-1-1', 'diff_stat', { repository: '/home/ada/api-server', stat: { files: [{ path: 'src/login.rs', added: 2, removed: 1 }], added: 2, removed: 1, commits: 1, uncommitted: 0 } });
      await page.getByRole('button', { name: 'Run the check' }).click();
      await members.nth(0).getByText('passed').waitFor();
      await members.nth(1).getByText('exit 101').waitFor();
      await members.nth(1).getByText('test an_expired_token_is_refused ... FAILED').waitFor();
      await members.nth(0).getByRole('button', { name: 'Choose this one' }).focus();
      await press(page, 'Enter');
      await seen(page, 'The others can stay as they are');
      await dialog(page).getByRole('button', { name: 'Remove the others' }).click();
      await members.nth(0).getByText('✓ chosen').waitFor();
      await gone(page, 'The others can stay as they are');
      await until(() => world.tasks.get('t-g-1-2').view.state === 'purging', 'the other to be removed');
      await members.nth(1).getByText('marked for removal').waitFor();
      await members.nth(0).getByRole('link', { name: /Claude Code/ }).click();
      await seen(page, 'This task was chosen');
    },
  },
  'what several agents did is seen side by side, on a phone one below the other': {
    go: async ({ page, world, open }) => {
      const group = rivals(world);
      await open(`/compare/${group}`);
      await page.locator('.member .difflines').last().waitFor();
      await page.locator('.member summary', { hasText: 'src/login.rs' }).waitFor();
      const tops = () => page.locator('.member').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      equal(new Set(await tops()).size, 1, 'rows of them');
      await page.locator('.member', { hasText: 'haiku' }).getByText('Nothing changed yet.').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await until(async () => new Set(await tops()).size === 3, 'a row each');
      equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing hangs over');
      await open('/compare/g-none');
      await seen(page, 'No such group');
    },
  },
};
