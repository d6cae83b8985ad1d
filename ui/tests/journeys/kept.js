// Looking after what is kept: a journal that is checked and repaired, what can go, another browser that is let in.
import { tooLong } from '../fake/journals.js';
import { equal, gone, press, seen } from './expect.js';

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
      await open('/settings');
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
      await page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('button', { name: 'This browser' }).click();
      await page.getByRole('button', { name: 'Pair another browser' }).click();
      await seen(page, 'K7QF-2M9X');
      equal(await page.getByLabel('Open this address there').inputValue(), `${fake.url}/pair?code=K7QF-2M9X`, 'the address');
      await page.getByRole('button', { name: 'Copy the address' }).click();
      await seen(page, 'Copied');
      equal(await page.evaluate(() => navigator.clipboard.readText()), `${fake.url}/pair?code=K7QF-2M9X`, 'what was copied');
    },
  },
};
