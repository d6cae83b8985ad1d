// What a terminal of the page shows, for journeys with a shell of the fake server's and with a real one.
import { focused, until } from './expect.js';

/** It as text. */
export const shown = (page) => page.locator('.terminalscreen .xterm-rows').innerText();

/** Waits until it shows `text`. */
export const shows = (page, text, ms) => until(async () => (await shown(page)).includes(text), `${text} in the terminal`, ms);

/** Opens a shell and waits until it stands as `name` and has the keyboard. */
export async function openShell(page, name) {
  await page.getByRole('button', { name: 'New shell' }).click();
  await page.getByRole('button', { name, exact: true }).waitFor();
  await focused(page, '.xterm-helper-textarea');
}
