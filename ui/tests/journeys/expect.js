// The few expectations that journeys need; each waits for what it expects.

/** A machine that does much else at the same time is slow, not broken. */
export const PATIENCE_MS = 90_000;

/** Waits until `check` gives something true. */
export async function until(check, what, ms = PATIENCE_MS) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    last = await check();
    if (last) return last;
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** What `look` gives once it gives the same for a while. */
export async function still(look, what) {
  let [last, since] = [undefined, 0];
  await until(async () => {
    const now = JSON.stringify(await look());
    since = now === last && now !== undefined ? since + 1 : 0;
    last = now;
    return since >= 5;
  }, `${what} to rest`);
  return JSON.parse(last);
}

/** Waits until the page is what it will be: it waits for nothing, changes no more, and nothing fades in or out. */
export const rested = (page) => still(() => page.evaluate(() => {
  const fades = document.getAnimations().some((one) => one.playState === 'running' && Number.isFinite(one.effect.getComputedTiming().endTime));
  const waits = document.querySelector('[aria-busy="true"], .skeleton') !== null;
  return fades || waits ? performance.now() : document.documentElement.outerHTML;
}), 'the page');

/** Waits until the browser keeps `text`, as drafts are kept a moment after they were written. */
export const stored = (page, text) => until(() => page.evaluate((wanted) => Object.values(localStorage).some((one) => one.includes(wanted)), text), `${text} to be kept`);

export const seen = (page, text) => page.getByText(text, { exact: false }).first().waitFor({ state: 'visible' });
export const gone = (page, text) => until(async () => (await page.getByText(text, { exact: false }).count()) === 0, `${text} to go`);

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} is not ${b}`);
}

/** The events of a type in a task's journal. */
export const events = (world, id, type) => world.tasks.get(id).events.filter((event) => event.type === type);

/** Types keys one after the other. */
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses the strokes of one shortcut with no wait between: they belong together only for a moment. */
export const strokes = (page, ...keys) => Promise.all(keys.map((key) => page.keyboard.press(key)));

/** Chooses a radio button whose own place is covered by how it is drawn, by keyboard: what loads moves it under a pointer. */
export async function choose(page, radio) {
  await radio.focus();
  await press(page, 'Space');
}

/** Runs what the palette finds first by `words`. */
export async function byPalette(page, words, name) {
  await press(page, 'Control+k');
  await focused(page, 'input[role=combobox]');
  await page.keyboard.type(words);
  await page.getByRole('option', { name, selected: true }).waitFor();
  await press(page, 'Enter');
}

/** Waits until `copy` has put `text` into the clipboard: all pages of a browser have one, so one does it at a time. */
export function copies(page, copy, text) {
  const mine = clipboard.then(async () => {
    await copy();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === text, `${text} in the clipboard`);
  });
  clipboard = mine.catch(() => undefined);
  return mine;
}
let clipboard = Promise.resolve();

/** Presses Tab until `locator` has the focus. */
export async function reach(page, locator, keys = 20) {
  for (let nth = 0; nth < keys; nth += 1) {
    if (await locator.first().evaluate((element) => element === document.activeElement)) return;
    await press(page, 'Tab');
  }
  throw new Error('it is not reached by Tab');
}

export const focused = (page, selector) => until(() => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector), `focus on ${selector}`);
