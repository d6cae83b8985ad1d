// A page in Chromium, for the hand of a story.
import { find } from './find.js';
import { source } from './source.js';

export function chromiumPage(page) {
  return {
    evaluate: (work, ...args) => page.evaluate(source(work, args)),
    async click(query) {
      const handle = await page.evaluateHandle(source((see, wanted) => see(wanted), [find, query]));
      const element = handle.asElement();
      if (!element) throw new Error('it is not there any more');
      // A radio button is clicked where it is drawn.
      const label = await element.evaluateHandle((one) => (one.matches('input[type=radio], input[type=checkbox]') ? (one.labels?.[0] ?? one) : one));
      await label.asElement().click({ timeout: 10_000 });
    },
    async select(query, label) {
      const handle = await page.evaluateHandle(source((see, wanted) => see(wanted), [find, query]));
      await handle.asElement().selectOption({ label });
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    picture: (file) => page.screenshot({ path: file }),
  };
}
