// Speed in real Chromium. The limits here are generous, for a shared machine; the figures are printed.
import { press, seen, until } from './expect.js';

/** How often a figure is taken while it is a bad one: what else this machine does at the moment is not the page's. */
const TRIES = 5;

/** Measures until `good` is what comes, a few times; the last figure. */
async function measured(measure, good) {
  for (let tried = 1; ; tried += 1) {
    const figure = await measure();
    if (good(figure) || tried === TRIES) return figure;
  }
}

const note = (text) => process.stdout.write(`     ${text}\n`);

/** Frames that nobody calls slow, and a switch that nobody waits for. */
const SMOOTH = ({ p95 }) => p95 <= 250;
const SWITCH_MS = 1500;

/** The longest time between two frames while `work` runs, in milliseconds. */
async function slowestFrame(page, work) {
  await page.evaluate(() => {
    window.frames_ = [];
    window.counting_ = true;
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      if (window.counting_) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await work();
  return page.evaluate(() => {
    window.counting_ = false;
    const sorted = window.frames_.slice(2).sort((a, b) => a - b);
    return { worst: sorted.at(-1), p95: sorted[Math.floor(sorted.length * 0.95)], count: sorted.length };
  });
}

export const speed = {
  'fifty thousand events are shown soon and scrolled smoothly': {
    scene: 'long',
    go: async ({ page, open }) => {
      await open('/settings');
      await seen(page, 'Appearance');
      await page.evaluate(() => {
        window.began_ = performance.now();
      });
      await page.getByRole('link', { name: /Work for days/ }).click();
      await page.locator('.vlist-row').first().waitFor();
      note(`shown after ${Math.round(await page.evaluate(() => performance.now() - window.began_))} ms, fetching included`);
      const scroll = () =>
        page.evaluate(async () => {
          const frame = document.querySelector('.vlist-frame');
          for (let step = 0; step <= 120; step += 1) {
            frame.scrollTop = (frame.scrollHeight * step) / 120;
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        });
      const frames = await measured(() => slowestFrame(page, scroll), SMOOTH);
      note(`scrolling end to end: p95 ${frames.p95.toFixed(0)} ms, worst ${frames.worst.toFixed(0)} ms of ${frames.count} frames`);
      if (!SMOOTH(frames)) throw new Error(`frames take ${frames.p95} ms`);
      await until(async () => (await page.locator('.vlist-row[data-plain]').count()) === 0 && (await page.locator('.vlist-row[data-row]').count()) > 5, 'rows in full where it rests');
      const rows = await page.locator('.vlist-row').count();
      note(`rows drawn: ${rows}`);
      const session = await page.context().newCDPSession(page);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      note(`heap: ${Math.round(usedSize / 1_000_000)} MB`);
      if (usedSize > 150_000_000) throw new Error('the heap is too large');
      if (rows > 150) throw new Error('too many rows are drawn');
    },
  },
  'twenty-four streaming tasks leave the page quick': {
    scene: 'busy',
    go: async ({ page, open }) => {
      await open('/tasks/t-busy-0');
      await seen(page, 'words that stream past');
      const type = async () => {
        await page.getByLabel('Message to the agent').focus();
        for (let nth = 0; nth < 20; nth += 1) {
          await press(page, 'x');
          await page.waitForTimeout(60);
        }
      };
      const frames = await measured(() => slowestFrame(page, type), SMOOTH);
      note(`typing beside the streams: p95 ${frames.p95.toFixed(0)} ms, worst ${frames.worst.toFixed(0)} ms of ${frames.count} frames`);
      if (!SMOOTH(frames)) throw new Error(`frames take ${frames.p95} ms`);
    },
  },
  'switching tasks is quick': {
    go: async ({ page, open }) => {
      await open('/tasks/t-auth');
      await seen(page, 'One thing is yours to decide');
      const switching = async () => {
        const times = [];
        for (let round = 0; round < 12; round += 1) {
          const [name, text] = round % 2 === 0 ? ['Cache rendered pages', 'All 57 tests pass.'] : ['Fix the authentication bug', 'One thing is yours'];
          await page.evaluate(() => {
            window.began_ = performance.now();
          });
          await page.getByRole('link', { name: new RegExp(name) }).first().click();
          await until(() => page.evaluate((wanted) => document.querySelector('.conversation')?.textContent.includes(wanted), text), text);
          times.push(await page.evaluate(() => performance.now() - window.began_));
        }
        return times.sort((a, b) => a - b);
      };
      const times = await measured(switching, (all) => all.at(-2) <= SWITCH_MS);
      note(`switching: median ${times[6].toFixed(0)} ms, worst ${times.at(-1).toFixed(0)} ms (with the time of the check)`);
      if (times.at(-2) > SWITCH_MS) throw new Error(`switching takes ${times.at(-2)} ms`);
    },
  },
};
