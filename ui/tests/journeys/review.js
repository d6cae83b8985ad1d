// Review: diffs, comments, committing, bringing out.
import { equal, events, focused, press, reach, seen, until } from './expect.js';

export const review = {
  'comments on lines go to the agent as one message': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      await page.locator('.fileview .difflines').first().waitFor();
      await page.locator('[aria-label="src/login.rs"]').getByLabel('Comment on line 40').last().click();
      await page.keyboard.type('Compare in constant time');
      await press(page, 'Enter');
      await page.locator('[aria-label="docs/authentication.md"]').getByLabel('Comment on line 15').last().click();
      await page.keyboard.type('Say how long');
      await press(page, 'Enter');
      await page.reload();
      await page.getByRole('button', { name: 'Send 2 comments to the agent' }).click();
      await until(() => events(world, 't-auth', 'user_message').length === 2, 'the message');
      const { content } = events(world, 't-auth', 'user_message')[1];
      for (const part of ['docs/authentication.md:15', 'Say how long', 'src/login.rs:40', '`self.id == token.session && now < token.expires_at`', 'Compare in constant time']) {
        equal(content.includes(part), true, part);
      }
      await until(async () => (await page.locator('.comment').count()) === 0, 'the comments to go');
    },
  },
  'comments that the server does not take stay where they were written': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      await page.locator('.fileview .difflines').first().waitFor();
      await page.locator('[aria-label="src/login.rs"]').getByLabel('Comment on line 40').last().click();
      await page.keyboard.type('please refuse this');
      await press(page, 'Enter');
      await page.getByRole('button', { name: 'Send 1 comment to the agent' }).click();
      await seen(page, 'the queue of this task is full');
      equal([await page.locator('.comment').count(), events(world, 't-auth', 'user_message').length], [1, 1], 'comments left, messages');
    },
  },
  'of several repositories the first that changed is looked at, and a part with the same text is shown as well': {
    go: async ({ page, world, open }) => {
      const { repositories } = world.tasks.get('t-auth').view;
      repositories.unshift({ path: '/home/ada/untouched', diff: { files: [], added: 0, removed: 0, commits: 0, uncommitted: 0 } });
      const [, diff] = [...world.tasks.get('t-auth').diffs][0];
      await page.route(/\/diff\?/, (route) => route.fulfill({ contentType: 'text/plain', body: diff }));
      await open('/tasks/t-auth/review');
      await page.locator('.fileview').nth(5).waitFor();
      equal(await page.getByLabel('Repository').inputValue(), repositories[1].path, 'the repository');
      const part = page.getByLabel('Part of the work');
      await part.selectOption('committed');
      await page.waitForURL(/what=committed/);
      await page.locator('.fileview').nth(5).waitFor();
      await part.selectOption('all');
      await page.locator('.fileview').nth(5).waitFor();
    },
  },
  'what the agent left is committed after a look at it': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      // What of it is in commits is told when the turn has ended, and not before.
      await seen(page, '0 of 6 viewed');
      equal(await page.locator('.reviewsum').innerText().then((text) => text.includes('commit')), false, 'claimed in mid-turn');
      await page.getByRole('button', { name: 'Interrupt' }).click();
      await seen(page, '3 files not committed');
      await page.locator('.reviewhead').click({ position: { x: 2, y: 2 } });
      await press(page, 'Shift+C');
      await seen(page, '3 files go in');
      await page.getByLabel('Message', { exact: true }).fill('session: Say why a token is refused');
      await press(page, 'Control+Enter');
      await until(() => events(world, 't-auth', 'commit_made').length === 2, 'the commit');
      await seen(page, 'everything committed');
    },
  },
  'the files of a commit are chosen by keys, and the others stay': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      await page.getByRole('button', { name: 'Interrupt' }).click();
      await seen(page, '3 files not committed');
      await page.locator('.reviewhead').click({ position: { x: 2, y: 2 } });
      await press(page, 'Shift+C');
      await seen(page, '3 files go in');
      await page.getByLabel('Message', { exact: true }).fill('login: Compare with the clock');
      const all = page.getByLabel('All files', { exact: true });
      await reach(page, all);
      await press(page, 'Space');
      await seen(page, 'No file is chosen');
      equal(await page.getByRole('button', { name: 'Commit', exact: true }).isDisabled(), true, 'nothing to commit');
      await press(page, 'Tab', 'ArrowDown', 'Space');
      await seen(page, '1 of 3 files goes in');
      equal(await all.evaluate((box) => box.indeterminate), true, 'some of them');
      await focused(page, '.commitfiles input:checked');
      await press(page, 'Control+Enter');
      await until(() => events(world, 't-auth', 'commit_made').length === 2, 'the commit');
      equal(world.tasks.get('t-auth').chosen, ['src/session/token.rs'], 'files sent');
      await seen(page, '2 files not committed');
    },
  },
  'many files are reviewed by keys alone': {
    go: async ({ page, open }) => {
      await open('/tasks/t-auth/review');
      await page.locator('.fileview .difflines').first().waitFor();
      const paths = await page.locator('.fileview').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      const at = (path) => until(() => page.evaluate((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, path), `the focus on ${path}`);
      await page.locator('.reviewhead').click({ position: { x: 2, y: 2 } });
      await press(page, 'j');
      await at(paths[0]);
      await press(page, 'j');
      await at(paths[1]);
      await press(page, 'k', 'v');
      await at(paths[1]);
      await seen(page, `1 of ${paths.length} viewed`);
      const folded = () => page.locator('.fileview > header [aria-expanded=false]').count();
      equal(await folded(), 1, 'the viewed one is folded');
      await press(page, 'x');
      await until(async () => (await folded()) === 2, 'the second to be folded');
      await press(page, 'Shift+X');
      await until(async () => (await folded()) === 0, 'all to be open');
      await press(page, 'Shift+X');
      await until(async () => (await folded()) === paths.length, 'all to be folded');
      await press(page, '/');
      await focused(page, '.filelist input');
      await page.keyboard.type('token session');
      await until(async () => (await page.locator('.filelist li').count()) === 1, 'the list to be narrowed');
      await press(page, 'Enter');
      await at('src/session/token.rs');
      await press(page, 'x');
      await page.locator('[aria-label="src/session/token.rs"] .difflines').waitFor();
    },
  },
  'a finding holds a sync back until it is let pass by name': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      await page.getByRole('button', { name: 'Sync…' }).click();
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await seen(page, 'generic-api-key');
      const again = page.getByRole('button', { name: 'Sync with what I let pass' });
      equal(await again.isDisabled(), true, 'held back');
      equal(events(world, 't-auth', 'branch_pushed').length, 0, 'pushes');
      await page.getByLabel('Let pass').check();
      await again.click();
      await seen(page, 'Pushed to origin/paddock-7');
    },
  },
  'files are shown side by side, marked as viewed, and new again when they change': {
    go: async ({ page, world, open }) => {
      await open('/tasks/t-auth/review');
      const file = page.locator('[aria-label="src/session.rs"]');
      await file.locator('.difflines').waitFor();
      await press(page, 's');
      await page.locator('.difflines[data-split]').first().waitFor();
      await file.getByLabel('Viewed').check();
      await seen(page, '1 of 6 viewed');
      equal(await file.locator('.difflines').count(), 0, 'folded');
      const task = world.tasks.get('t-auth');
      const [path, diff] = [...task.diffs][0];
      task.diffs.set(path, diff.replace('+mod clock;', '+mod clocks;'));
      world.tell('t-auth', 'diff_stat', { repository: path, stat: { ...task.view.repositories[0].diff, added: 90 } });
      await seen(page, '0 of 6 viewed');
    },
  },
  'binary files and big files do not hurt': {
    go: async ({ page, world, open }) => {
      const lines = Array.from({ length: 20_000 }, (_, nth) => `+const value_${nth} = ${nth};`).join('\n');
      const task = world.tasks.get('t-auth');
      const [path, diff] = [...task.diffs][0];
      task.diffs.set(path, `diff --git a/big.ts b/big.ts\nnew file mode 100644\n--- /dev/null\n+++ b/big.ts\n@@ -0,0 +1,20000 @@\n${lines}\n${diff}`);
      await open('/tasks/t-auth/review');
      await seen(page, '20001 lines: show this diff');
      await page.getByRole('button', { name: /logo\.png/ }).first().click();
      await seen(page, 'Binary file');
    },
  },
};
