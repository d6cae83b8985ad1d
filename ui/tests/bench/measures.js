// The measures, each in a page of its own against the fake server: what is done, what is counted, and what
// it is held against. Start at `MEASURES`.
import { quantile } from './probe.js';

const ms = (value) => `${Math.round(value)} ms`;
const figure = (what, value, limit, text, note) => ({ what, value, met: value <= limit, measured: text, aim: `≤ ${limit}`, note });

/** From the side list to a task; milliseconds from the click until `words` were painted. */
async function goTo(page, name, words) {
  const link = page.locator('.side').getByRole('link', { name }).first();
  await link.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
  return link.evaluate(async (element, wanted) => {
    const began = performance.now();
    element.click();
    const shown = () => [...document.querySelectorAll('.conversation .vlist-row')].some((row) => row.textContent.includes(wanted));
    return (await window.probe_.painted(shown)) - began;
  }, words);
}

async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}

async function counted(page, work) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await page.evaluate(() => window.probe_.begin());
  await work();
  // The observers tell a little late.
  await page.waitForTimeout(150);
  const seen = await page.evaluate(() => window.probe_.end());
  return { ...seen, cpu: longestTask(await browser.stopTracing()) };
}

/** The longest task of the page's main thread in processor time, which other programs do not lengthen; in
    milliseconds. */
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = new Set(traceEvents.filter((one) => one.name === 'thread_name' && one.args.name === 'CrRendererMain').map((one) => `${one.pid} ${one.tid}`));
  const tasks = traceEvents.filter((one) => one.tdur && /RunTask$/.test(one.name) && mains.has(`${one.pid} ${one.tid}`));
  return Math.max(0, ...tasks.map((one) => one.tdur / 1000));
}

/** One transcript of 50,000 events: opened, scrolled from end to end by leaps, and by the wheel. */
async function transcript({ page, open }) {
  await open('/settings');
  await page.getByRole('heading', { name: 'Appearance' }).waitFor();
  await page.waitForTimeout(400);
  const before = await heapOf(page);
  const painted = await page.getByRole('link', { name: /Work for days/ }).first().evaluate(async (element) => {
    element.click();
    return window.probe_.painted(() => document.querySelectorAll('.vlist-row').length > 5);
  });
  const answered = await page.evaluate(() => window.probe_.answers[Object.keys(window.probe_.answers).find((path) => /tasks\/.*events/.test(path))]);
  await page.waitForFunction(() => document.querySelector('.conversation[data-whole]') !== null, undefined, { timeout: 60_000 });
  const whole = await page.evaluate(() => performance.now());
  await page.waitForTimeout(300);
  const leaps = await counted(page, () =>
    page.evaluate(async () => {
      const frame = document.querySelector('.vlist-frame');
      for (let step = 0; step <= 160; step += 1) {
        frame.scrollTop = (frame.scrollHeight * step) / 160;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }),
  );
  const box = await page.locator('.vlist-frame').boundingBox();
  const session = await page.context().newCDPSession(page);
  const wheel = await counted(page, () =>
    session.send('Input.synthesizeScrollGesture', { x: box.x + box.width / 2, y: box.y + box.height / 2, yDistance: 24_000, speed: 12_000, gestureSourceType: 'mouse' }),
  );
  const heap = (await heapOf(page)) - before;
  return [
    figure('transcript of 50,000 events, first paint after the answer', painted - answered, 300, ms(painted - answered), `from the headers of the event stream until rows are painted; the whole history stood ${ms(whole - painted)} later, folded beside.`),
    frames('the same, leaps of 1/160 from end to end, slowest frame', leaps, 50, 'every frame of it draws rows that were not there before, in plain words as long as the view flies past; they are drawn in full when it rests for 60 ms.'),
    frames('the same, by the wheel at 12,000 px/s, slowest frame', wheel, 50, '24,000 px upwards through rows of which many were not measured before.'),
    figure('the same, JavaScript heap that it adds', heap, 150, `${Math.round(heap)} MB`, 'after a collection, once it was scrolled through.'),
  ];
}

function frames(what, { frames: all, cpu }, limit, note) {
  const worst = Math.max(0, ...all);
  return figure(what, worst, limit, `${ms(worst)}, p95 ${ms(quantile(all, 0.95))}`, `${all.length} frames, ${all.filter((one) => one > 50).length} over 50 ms, longest task ${ms(cpu)} of processor time; ${note}`);
}

/** Twenty-four tasks that stream, one of them in view, while somebody types. */
async function streams({ page, open }) {
  // The same keys into a page where nothing happens: what the browser itself needs on this machine.
  await open('/new');
  const quiet = await typed(page, page.getByLabel('What should the agent do?'), 40);
  await open('/tasks/t-busy-0');
  await page.getByText('words that stream past').first().waitFor();
  await page.waitForTimeout(1500);
  const seen = await typed(page, page.getByLabel('Message to the agent'), 100);
  const p95 = quantile(seen.inputs, 0.95);
  const longest = Math.max(0, ...seen.tasks);
  return [
    figure('24 tasks streaming 40 KB/s each, longest task', longest, 100, seen.tasks.length === 0 ? 'below 50 ms' : ms(longest), `${seen.tasks.length} tasks over 50 ms in ${seen.frames.length} frames, longest ${ms(seen.cpu)} of processor time; all 24 come over the stream of all tasks, one of them piece by piece into the view.`),
    figure('the same, from a key to the paint that shows it, p95', p95, 50, ms(p95), `median ${ms(quantile(seen.inputs, 0.5))}, worst ${ms(Math.max(0, ...seen.inputs))} of ${seen.inputs.length} keys; beside a page where nothing streams: median ${ms(quantile(quiet.inputs, 0.5))}, p95 ${ms(quantile(quiet.inputs, 0.95))}.`),
  ];
}

async function typed(page, field, keys) {
  await field.focus();
  return counted(page, async () => {
    for (let nth = 0; nth < keys; nth += 1) {
      await page.keyboard.press('x');
      await page.waitForTimeout(60);
    }
  });
}

/** Going from task to task: first visits, and coming back. */
async function switching({ page, open }) {
  await open('/settings');
  await page.getByRole('link', { name: /Middling task 0\b/ }).first().waitFor();
  const first = [];
  const again = [];
  for (let round = 0; round < 4; round += 1) {
    for (let nth = 0; nth < 6; nth += 1) {
      (round === 0 ? first : again).push(await goTo(page, new RegExp(`Middling task ${nth}\\b`), `The end of task ${nth}.`));
      await page.waitForTimeout(120);
    }
  }
  const all = [...first, ...again];
  return [
    figure('task switch, from click to painted conversation, p95', quantile(all, 0.95), 100, ms(quantile(all, 0.95)), `tasks of 2,000 events; first visits median ${ms(quantile(first, 0.5))}, worst ${ms(Math.max(...first))}; coming back median ${ms(quantile(again, 0.5))}, worst ${ms(Math.max(...again))}.`),
  ];
}

export const MEASURES = {
  transcript: { scene: 'long', go: transcript },
  streams: { scene: 'busy', go: streams },
  switching: { scene: 'middling', go: switching },
};
