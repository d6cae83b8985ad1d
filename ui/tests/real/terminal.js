// Terminals in the page, in Chromium: a shell in the box, typed on, over a killed server, left by keyboard, closed;
// at the width of a phone too.
import { equal, focused, press, seen, until } from '../journeys/expect.js';
import * as screen from '../journeys/screen.js';

const { openShell, shown } = screen;
const shows = (page, text) => screen.shows(page, text);

export async function terminal({ page, stage, url }, say) {
  const told = stage.paddock('run', '--json', '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, 'say Ready.');
  const task = told.match(/"task_id":"([^"]+)"/)[1];
  await page.goto(`${url}/tasks/${task}/terminal`);
  await seen(page, 'No terminal is open');
  await openShell(page, 'shell-1');
  await page.keyboard.type("PS1='> '; kept=still-here; echo rea''dy; stty size; echo https://exam''ple.org/found\n");
  await shows(page, 'ready');
  await shows(page, 'https://example.org/found');
  const [rows, cols] = (await shown(page)).match(/^(\d+) (\d+)\s*$/m).slice(1).map(Number);
  say('a shell opens in the box, and has the keyboard and the size of its place');

  await page.setViewportSize({ width: 390, height: 700 });
  await until(() => page.evaluate(() => document.querySelector('.xterm-screen').offsetWidth < innerWidth), 'the terminal to take the width of a phone');
  await page.keyboard.type('stty size; echo nar""row\n');
  await shows(page, 'narrow');
  const narrow = Number((await shown(page)).match(/^(\d+) (\d+)\s*$/gm).at(-1).split(' ')[1]);
  if (!(narrow < cols && narrow > 20)) throw new Error(`${narrow} columns at 390 px, ${cols} of ${rows} rows before`);
  equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing hangs over at 390 px');
  await page.setViewportSize({ width: 1280, height: 800 });
  say('it takes the width of a phone');

  await stage.stopServer('SIGKILL');
  await seen(page, 'Reconnecting. The terminal goes on');
  await stage.serve(new URL(url).host);
  await page.getByText('Reconnecting. The terminal goes on').waitFor({ state: 'detached' });
  await shows(page, 'https://example.org/found');
  await page.keyboard.type('echo $kept-aga""in\n');
  await shows(page, 'still-here-again');
  say('the server is killed: the screen comes back, and the shell has gone on');

  await press(page, 'Shift+Escape');
  await focused(page, '[aria-pressed=true]');
  await openShell(page, 'shell-2');
  await page.keyboard.type('exit 3\n');
  await seen(page, 'ended, 3');
  await page.getByRole('button', { name: 'Close shell-2' }).click();
  await page.getByRole('button', { name: 'shell-2', exact: true }).waitFor({ state: 'detached' });
  await shows(page, 'still-here-again');
  say('the keyboard is given back, and a shell that ends says how');
}
