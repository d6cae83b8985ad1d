// Tasks that go on otherwise: forked, handed to another agent, run by several agents that are compared.
import { rivals } from '../fake/hand.js';
import { equal, events, focused, gone, press, reach, seen, stored, until } from './expect.js';

const dialog = (page) => page.locator('dialog[open]');
const made = (world, prompt) => [...world.tasks.values()].find((task) => task.view.spec.prompt === prompt);

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAEElEQVR4nGM44OAARwzIHACGGgoBGeOLCwAAAABJRU5ErkJggg==', 'base64');

export const hand = {
  'a task goes to another host where there is one, and is not asked where there is none': {
    go: async ({ page, world, open }) => {
      await open('/new');
      await page.getByLabel('Repository').waitFor();
      await until(() => page.evaluate(() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/hosts'))), 'the hosts');
      equal(await page.getByLabel('Host', { exact: true }).count(), 0, 'a choice of one');
      world.hosts.push({ name: 'build-1', parallel_tasks: 4, working: 1, pending: 0, orphans: [], at_work: [], line: [] });
      await page.reload();
      const host = page.getByLabel('Host', { exact: true });
      await host.selectOption('build-1');
      await page.getByLabel('What should the agent do?').fill('Build it there');
      await stored(page, 'Build it there');
      await page.reload();
      await until(async () => (await host.inputValue()) === 'build-1', 'the draft');
      await page.getByRole('button', { name: 'Start task' }).click();
      await page.waitForURL(/\/tasks\/t-new/);
      equal(made(world, 'Build it there').view.spec.host, 'build-1', 'host');
    },
  },
  'files are pasted, dropped and chosen, looked at, taken out, and go along': {
    go: async ({ page, world, open }) => {
      await open('/new');
      const area = page.getByLabel('What should the agent do?');
      await area.fill('Look at these');
      const files = page.getByRole('list', { name: 'Files that go along' });
      const give = (how, target, name, bytes, text = '') =>
        target.evaluate(
          (element, [type, called, content, words]) => {
            const data = new DataTransfer();
            if (words !== '') data.setData('text/plain', words);
            data.items.add(new File([Uint8Array.from(content)], called));
            const event = type === 'paste' ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }) : new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
            element.dispatchEvent(event);
            return event.defaultPrevented;
          },
          [how, name, [...bytes], text],
        );
      equal(await give('paste', area, 'pasted.png', PNG), true, 'taken');
      await page.getByRole('img', { name: 'pasted.png' }).waitFor();
      // Of a table and the picture of it, it is the words that are pasted.
      equal(await give('paste', area, 'table.png', PNG, 'one\ttwo'), false, 'words taken for a file');
      equal(await give('dragover', area, 'dropped.txt', Buffer.from('x')), true, 'may be dropped');
      equal(await page.locator('.promptbox[data-over]').count(), 1, 'marked');
      equal(await give('drop', area, 'dropped.txt', Buffer.from('a note')), true, 'taken');
      equal(await page.locator('[data-over]').count(), 0, 'no mark');
      await files.getByText('dropped.txt').waitFor();
      // Beside the field a file is not taken, and the page is not left for it.
      equal(await give('drop', page.locator('h1'), 'beside.txt', Buffer.from('y')), true, 'held');
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach files' }).click();
      await (await choosing).setFiles([{ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen') }]);
      await files.getByText('chosen.txt').waitFor();
      equal(await files.getByRole('listitem').count(), 3, 'files');
      await page.getByRole('button', { name: 'Show pasted.png large' }).click();
      await page.getByRole('dialog', { name: 'pasted.png' }).waitFor();
      await press(page, 'Escape');
      await page.getByRole('button', { name: 'Leave out dropped.txt' }).click();
      await page.reload();
      await files.getByText('chosen.txt').waitFor();
      await page.getByRole('button', { name: 'Start task' }).click();
      await page.waitForURL(/\/tasks\/t-new/);
      const sent = world.tasks.get(page.url().split('/').at(-1)).view.spec.attachments;
      equal(sent.map((one) => [one.name, one.media_type]), [['pasted.png', 'image/png'], ['chosen.txt', 'text/plain']], 'files sent');
    },
  },
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
