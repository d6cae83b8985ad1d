// Review: diffs, comments, committing, bringing out.
import { equal, events, press, seen, until } from './expect.js';

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
