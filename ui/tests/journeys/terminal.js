// Terminals in the box of a task: opened, typed on, sized, left by keyboard, over a lost connection, ended, closed.
import { equal, focused, press, seen, still, until } from './expect.js';
import { openShell, shown, shows } from './screen.js';
import { shellOn } from './shell.js';

export const terminal = {
  'a shell is opened, typed on, sized, left, and says how it ended': {
    go: async ({ page, world, open }) => {
      const shell = await shellOn(page);
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours');
      await press(page, '4');
      await seen(page, 'No terminal is open');
      await openShell(page, 'shell-1');
      await page.keyboard.type('echo hea""rd\n');
      await shows(page, 'hea""rd');
      await until(() => shell.typed === 'echo hea""rd\r', 'all that was typed');
      const { cols: wide } = await still(() => shell.sizes.at(-1), 'the size');
      await page.setViewportSize({ width: 390, height: 800 });
      await until(() => shell.sizes.at(-1).cols < wide / 2, 'the size of a phone');
      equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing hangs over');
      await page.setViewportSize({ width: 1360, height: 860 });
      await until(() => shell.sizes.at(-1).cols === wide, 'the size from before');
      await page.locator('.xterm-helper-textarea').focus();
      await press(page, 'Shift+Escape');
      await focused(page, '[aria-pressed=true]');

      await openShell(page, 'shell-2');
      await page.keyboard.type('exit 3\n');
      await seen(page, 'ended, 3');
      await page.getByRole('button', { name: 'shell-1', exact: true }).click();
      await shows(page, 'hea""rd');
      await page.getByRole('button', { name: 'Close shell-2' }).click();
      await page.getByRole('button', { name: 'Close shell-1' }).click();
      await seen(page, 'No terminal is open');
      equal(world.terminals.get('t-auth'), [], 'terminals that are left');
    },
  },
  'a terminal comes back with its screen when the connection was lost': {
    go: async ({ page, open }) => {
      const shell = await shellOn(page);
      await open('/tasks/t-auth/terminal');
      await openShell(page, 'shell-1');
      await page.keyboard.type('echo kept\n');
      await shows(page, 'kept\n');
      shell.away = true;
      shell.hangUp();
      await seen(page, 'Reconnecting. The terminal goes on');
      await page.keyboard.type('lost');
      shell.away = false;
      await page.getByText('Reconnecting. The terminal goes on').waitFor({ state: 'detached' });
      await shows(page, 'echo kept');
      await page.keyboard.type('echo again\n');
      await shows(page, 'echo again');
      equal((await shown(page)).includes('lost'), false, 'what was typed meanwhile');
    },
  },
};
