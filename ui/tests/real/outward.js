// What reaches beyond one page, in Chromium: addresses that lead into the middle of Paddock, and more contrast where it
// is asked for.
import { PATIENCE_MS, seen, until } from '../journeys/expect.js';

const file = (page, name) => page.getByRole('region', { name, exact: true });

/** A task at rest, begun from the command line; its id. */
function rested(stage, title, ...lines) {
  const told = stage.paddock('run', '--json', '--title', title, '--harness', 'scripted', '--box', 'worktree', '--repo', stage.repository, lines.join('\n'));
  return told.match(/"task_id":"([^"]+)"/)[1];
}

export async function outward(world, say) {
  await leading(world, say);
  await contrasting(world, say);
}

/** An address leads to a file of a review, in a browser that was let in; one that leads nowhere says so. */
async function leading({ page, stage, url }, say) {
  const id = rested(stage, 'Led to', 'write long/one.txt 1', 'bash seq 400 > two.txt', 'write zebra.txt 3', 'say Led here.');
  const context = await page.context().browser().newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(PATIENCE_MS);
  const there = await context.newPage();
  await there.goto(`${url}/tasks/${id}/review#zebra.txt`);
  await seen(there, 'This browser is not paired');
  await there.goto(stage.paddock('pair').trim());
  await there.getByRole('heading', { name: 'Inbox' }).waitFor();
  await there.goto(`${url}/tasks/${id}/review#zebra.txt`);
  await file(there, 'zebra.txt').waitFor();
  await until(() => file(there, 'zebra.txt').evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight), 'the file of the address in view');
  await there.goto(`${url}/tasks/${id}/log`);
  await seen(there, 'Led here.');
  await there.goto(`${url}/tasks/01m0000000000000000000none`);
  await seen(there, 'the task was removed for good');
  await context.close();
  say('an address leads into a review, in a browser that was let in alone, and a wrong one says so');
}

/** How much what is read stands out, and what parts of the page are parted by. */
function contrasts() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/^rgba\(.*, 0\)$|transparent/.test(colour)) return colour;
    }
    return 'white';
  };
  const texts = [...document.querySelectorAll('#main *')].filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') && !one.closest('button, a, [data-tone], code, pre, .added, .removed, table'));
  const faintest = Math.min(...texts.map((one) => ratio(getComputedStyle(one).color, behind(one))));
  const field = document.querySelector('#main input[list]');
  return { faintest, texts: texts.length, edge: ratio(getComputedStyle(field).borderTopColor, behind(field.parentElement)) };
}

async function contrasting({ page, url }, say) {
  await page.goto(`${url}/new`);
  await page.getByLabel('What should the agent do?').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, contrast: 'no-preference' });
    const before = await page.evaluate(contrasts);
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    const after = await page.evaluate(contrasts);
    if (!(after.texts > 5 && before.faintest >= 4.5 && before.edge >= 3 && after.faintest >= 7 && after.edge >= 4.5)) throw new Error(`${colorScheme}: ${JSON.stringify({ before, after })}`);
  }
  await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
  say('who asks for more contrast gets it, in light and in dark');
}
