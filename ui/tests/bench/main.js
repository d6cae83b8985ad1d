// The speed of the client in real Chromium: `npm run bench` measures everything and writes it into
// docs/PERFORMANCE.md, below the figures of the programs; `npm run bench -- NAME…` measures those named and
// writes nothing. `--profile DIR` keeps a profile of each.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, getPriority, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { firstVisit } from '../../scripts/size.js';
import { DESKTOP, openBrowser } from '../browser.js';
import { startFake } from '../fake/server.js';
import { MEASURES } from './measures.js';
import { install } from './probe.js';

const PAGE = fileURLToPath(new URL('../../../docs/PERFORMANCE.md', import.meta.url));
const HEAD = '## The web client';
/** Runs of each measure. */
const RUNS = 4;
const words = process.argv.slice(2);
const at = words.indexOf('--profile');
const profiles = at === -1 ? undefined : words.splice(at, 2)[1];
const say = ({ what, measured, aim, met }) => process.stdout.write(`${met ? 'ok  ' : 'MISS'} ${what}: ${measured} (aim ${aim})\n`);

const browser = await openBrowser();
const figures = [];
for (const [name, { scene, go }] of Object.entries(MEASURES)) {
  if (words.length > 0 && !words.includes(name)) continue;
  for (const one of await leastDisturbed(name, scene, go)) {
    say(one);
    process.stdout.write(`     ${one.note}\n`);
    figures.push(one);
  }
}
await browser.close();
const { sum, limit } = firstVisit();
figures.push({ what: 'what a first visit loads, brotli', measured: `${Math.round(sum / 1000)} KB`, aim: `≤ ${limit / 1000} KB`, met: sum <= limit, note: 'page, scripts and styles; everything else is loaded when it is needed.' });
say(figures.at(-1));
if (words.length === 0) writeDown();

/** Every figure from the one of several runs in which it was best: what other programs do in between can only
    make it worse. The others are told beside it. */
async function leastDisturbed(name, scene, go) {
  const runs = [];
  for (let nth = 0; nth < RUNS; nth += 1) runs.push(await measure(name, scene, go));
  return runs[0].map((_, nth) => {
    const sorted = runs.map((run) => run[nth]).sort((a, b) => a.value - b.value);
    const others = sorted.slice(1).map((one) => one.measured).join('; ');
    return { ...sorted[0], note: `${sorted[0].note} Other runs: ${others}.` };
  });
}

async function measure(name, scene, go) {
  const fake = await startFake({ dist: true, scene });
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB' });
  await context.addInitScript(install);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const session = await context.newCDPSession(page);
  if (profiles) {
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: 250 });
    await session.send('Profiler.start');
  }
  try {
    return await go({ page, world: fake.world, open: (path) => page.goto(fake.url + path) });
  } finally {
    if (profiles) writeFileSync(`${profiles}/${name}.cpuprofile`, JSON.stringify((await session.send('Profiler.stop')).profile));
    await context.close();
    fake.close();
  }
}

/** Replaces our part of the page, which goes to its end. */
function writeDown() {
  const page = readFileSync(PAGE, 'utf8');
  const before = page.includes(HEAD) ? page.slice(0, page.indexOf(HEAD)) : `${page.trimEnd()}\n\n`;
  const rows = figures.map((one) => `| ${one.what} | ${one.measured} | ${one.aim} | ${one.met ? 'met' : '**missed**'} |`);
  const notes = figures.map((one) => `- **${one.what}**: ${one.note}`);
  const load = loadavg()[2].toFixed(2);
  const ahead = getPriority() < 0 ? ', with a priority above the other work of the machine' : '';
  const head = `${HEAD}\n\nMeasured by \`npm run bench\` in \`ui/\`, the built client in headless Chromium without a graphics card, server, client, browser and whatever else ran on the same ${cpus().length} cores (load average of the last 15 minutes: ${load})${ahead}, and written here by it. Of ${RUNS} runs the least disturbed counts; processor time is of the page's main thread alone.`;
  writeFileSync(PAGE, [`${before}${head}`, '', '| figure | measured | aim | |', '|---|---|---|---|', ...rows, '', ...notes, ''].join('\n'));
}
