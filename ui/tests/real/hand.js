// The hand of a story: looks, clicks and types in a window, whichever it is. Every look waits; `page` is one of
// those in chromium.js and webkit.js, which can do six things: evaluate, click, select, type, press and picture.
import { find, isFocused } from './find.js';

/** How long something that is looked for may take to come. */
const PATIENCE_MS = 120_000;
/** Most keys on the way to something. */
const KEYS_MAX = 80;

/** What stories look for again and again. */
export const button = (name) => ({ role: 'button', name });
export const link = (name) => ({ role: 'link', name });
export const radio = (name) => ({ role: 'radio', name });
export const FIELD = { label: 'Message to the agent' };
/** Nowhere in particular: keys are commands there. */
export const away = (hand) => hand.presses('Escape');

/** Chooses a task or a command by its words, once it is what the palette would take. */
export async function palette(hand, words) {
  await away(hand);
  await hand.presses('Control+k');
  await hand.holds({ css: 'input[role=combobox]' });
  await hand.types(words);
  await hand.sees({ css: '[role=option][aria-selected=true]', text: words });
  await hand.presses('Enter');
}

export class Hand {
  constructor(page) {
    this.page = page;
  }

  /** Waits until `query` is in view; a plain text is looked for anywhere. */
  sees(query) {
    const wanted = typeof query === 'string' ? { text: query } : query;
    return until(() => this.has(wanted), `in view: ${JSON.stringify(wanted)}`);
  }

  gone(query) {
    const wanted = typeof query === 'string' ? { text: query } : query;
    return until(async () => !(await this.has(wanted)), `gone: ${JSON.stringify(wanted)}`);
  }

  has(query) {
    return this.page.evaluate((see, wanted) => see(wanted) !== null, find, query);
  }

  count(css) {
    return this.page.evaluate((_, wanted) => document.querySelectorAll(wanted).length, find, css);
  }

  async clicks(what) {
    const query = { ...what, enabled: true };
    await this.sees(query);
    // What moved away under the pointer is looked for again.
    await until(() => this.page.click(query).then(() => true, (error) => ((this.refused = error), false)), `to be clicked: ${JSON.stringify(query)}`).catch((error) => {
      throw new Error(`${error.message}: ${this.refused?.message}`);
    });
  }

  /** Clicks a radio button or a checkbox until it is chosen: what appears above one pushes it away under the pointer. */
  async chooses(query) {
    const chosen = { ...query, css: 'input:checked' };
    await until(async () => {
      if (await this.has(chosen)) return true;
      await this.clicks(query);
      return this.has(chosen);
    }, `chosen: ${JSON.stringify(query)}`);
  }

  /** Chooses what a list that opens offers under `label`. */
  async selects(query, label) {
    await this.sees(query);
    await this.page.select(query, label);
  }

  /** Writes over what stands in a field. */
  async fills(query, text) {
    await this.clicks(query);
    await this.presses('Control+a');
    await this.types(text);
  }

  types(text) {
    return this.page.type(text);
  }

  async presses(...keys) {
    for (const key of keys) await this.page.press(key);
  }

  /** Presses `key` until `query` has the focus: the way of who has no mouse. */
  async reaches(query, key = 'Tab') {
    await this.sees(query);
    for (let nth = 0; nth < KEYS_MAX; nth += 1) {
      if (await this.isAt(query)) return;
      await this.presses(key);
    }
    throw new Error(`${JSON.stringify(query)} is not reached by ${key}`);
  }

  /** Waits until `query` has the focus by itself. */
  holds(query) {
    return until(() => this.isAt(query), `to have the focus: ${JSON.stringify(query)}`);
  }

  isAt(query) {
    return this.page.evaluate((see, wanted, at) => at(see(wanted)), find, query, isFocused);
  }

  path() {
    return this.page.evaluate(() => location.pathname, find);
  }

  picture(file) {
    return this.page.picture(file);
  }
}

/** Waits until `check` gives something true. */
export async function until(check, what, ms = PATIENCE_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const last = await check();
    if (last) return last;
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
