// Looking after what is kept: journals that are listed, checked, repaired and saved as files, comparisons, what can go,
// another browser that is let in.
import { execFileSync } from 'node:child_process';
import { rivals } from '../fake/hand.js';
import { tooLong } from '../fake/journals.js';
import { byPalette, copies, equal, gone, press, seen, until } from './expect.js';

export const kept = {
  'a journal is checked, and one that is damaged is repaired': {
    go: async ({ page, world, open }) => {
      const check = async () => {
        await page.getByLabel('More actions').click();
        await page.getByRole('menuitem', { name: 'Check the journal' }).click();
      };
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass');
      await check();
      await seen(page, 'All is well');
      equal(await page.getByRole('button', { name: 'Repair' }).count(), 0, 'a repair of what is well');
      await press(page, 'Escape');
      await gone(page, 'All is well');
      world.damaged.add('t-cache');
      await check();
      await seen(page, '1 thing is wrong with it');
      await seen(page, 'cut the half-written line off');
      await page.getByRole('button', { name: 'Repair' }).click();
      await seen(page, 'The original is kept as journal.before-repair.1');
      await seen(page, 'All is well');
      await gone(page, 'cut the half-written line off');
    },
  },
  'what is kept too long is shown, and removed when it is asked once more': {
    go: async ({ page, world, open }) => {
      await open('/settings/keeping');
      const look = page.getByRole('button', { name: 'Look for what can go' });
      await look.click();
      await seen(page, 'Nothing is kept longer than wanted');
      tooLong(world);
      await look.click();
      await page.getByRole('row', { name: /Move the build to another runner journal/ }).waitFor();
      await page.getByRole('button', { name: 'Remove 2 entries' }).click();
      await seen(page, '2 entries are gone');
      equal(world.expired, [], 'what is left');
    },
  },
  'another browser is let in by an address that is good once': {
    go: async ({ page, fake, open }) => {
      await open('/settings');
      await page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link', { name: 'Network and devices' }).click();
      await page.getByRole('button', { name: 'Pair another browser' }).click();
      await seen(page, 'K7QF-2M9X');
      equal(await page.getByLabel('Open this address there').inputValue(), `${fake.url}/pair?code=K7QF-2M9X`, 'the address');
      await copies(page, () => page.getByRole('button', { name: 'Copy the address' }).click(), `${fake.url}/pair?code=K7QF-2M9X`);
      await seen(page, 'Copied');
    },
  },
  'all journals are listed and checked, and one that is damaged leads to its repair': {
    go: async ({ page, world, open }) => {
      world.damaged.add('t-bench');
      await open('/tasks');
      await page.getByRole('link', { name: 'History', exact: true }).click();
      await seen(page, 't-long-gone');
      await page.getByRole('row', { name: /t-long-gone.*removed.*4120.*9\.4 MB.*812 KB/ }).waitFor();
      await page.getByRole('button', { name: 'damaged' }).waitFor();
      await page.getByText('Largest', { exact: true }).click();
      await until(async () => (await page.locator('.historyline').first().innerText()).includes('t-long-gone'), 'the largest to be the first');
      await page.getByLabel('Filter journals').fill('cache');
      await until(async () => (await page.locator('.historyline').count()) === 1, 'the filter');
      await page.getByRole('button', { name: 'Check 1' }).click();
      await page.locator('.historyline', { hasText: '✓ whole' }).waitFor();
      await page.getByLabel('Filter journals').fill('importer');
      await page.getByRole('button', { name: 'Check 1' }).click();
      await seen(page, '1 journal needs a look');
      await page.getByRole('button', { name: '1 finding' }).click();
      await page.getByRole('button', { name: 'Repair' }).click();
      await seen(page, 'The original is kept as journal.before-repair.1');
    },
  },
  'a task is saved as a file, from its menu, the palette and the list of journals': {
    go: async ({ page, open }) => {
      const save = async (how) => {
        const [file] = await Promise.all([page.waitForEvent('download'), how()]);
        equal(file.suggestedFilename(), 'paddock-t-cache.tar', 'its name');
        return execFileSync('tar', ['-tf', await file.path()], { encoding: 'utf8' }).trim().split('\n');
      };
      await open('/tasks/t-cache');
      await seen(page, 'All 57 tests pass');
      const inside = await save(async () => (await page.getByLabel('More actions').click(), page.getByRole('menuitem', { name: 'Export' }).click()));
      equal(inside.slice(0, 3), ['t-cache/task.json', 't-cache/journal.jsonl', 't-cache/transcript.md'], 'what is in it');
      await seen(page, 'Saved as paddock-t-cache.tar');
      await save(() => byPalette(page, 'export', 'Export'));
      await open('/history');
      await save(async () => (await page.getByRole('button', { name: /^Actions for Cache/ }).click(), page.getByRole('menuitem', { name: 'Export' }).click()));
    },
  },
  'comparisons are listed with how far they are, and lead to where one chooses': {
    go: async ({ page, world, open }) => {
      await open('/history/comparisons');
      await seen(page, 'Nothing was compared yet');
      await page.getByRole('link', { name: 'New task', exact: true }).last().waitFor();
      rivals(world);
      await page.getByRole('link', { name: 'Journals' }).click();
      await page.getByRole('link', { name: 'Comparisons' }).click();
      await page.getByRole('row', { name: /Refuse tokens that have expired.*Claude Code, Codex, Claude Code.*all done.*nobody yet/ }).waitFor();
      await page.locator('.historyline').getByRole('link', { name: /Refuse tokens/ }).click();
      await page.waitForURL(/compare\/g-auth/);
    },
  },
};
