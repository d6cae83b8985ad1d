// Journeys in real Chromium against the built client and the fake server: `npm run journeys [-- WORD…]`
// runs those whose names have one of the words. Each begins with a fresh server and a fresh browser
// profile. Ends with one line of counts, and with 1 when any failed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DESKTOP, goThrough, lostRequests, openBrowser, openWhole } from '../browser.js';
import { startFake } from '../fake/server.js';
import { accessibility } from './accessibility.js';
import { around } from './around.js';
import { chosen } from './chosen.js';
import { conversation } from './conversation.js';
import { everywhere } from './everywhere.js';
import { PATIENCE_MS } from './expect.js';
import { hand } from './hand.js';
import { home } from './home.js';
import { inbox } from './inbox.js';
import { kept } from './kept.js';
import { offers } from './offers.js';
import { review } from './review.js';
import { speed } from './speed.js';
import { terminal } from './terminal.js';
import { truth } from './truth.js';

if (!existsSync(join(process.env.DIST ?? fileURLToPath(new URL('../../dist', import.meta.url)), 'index.html'))) {
  process.stderr.write('build the client first: npm run build\n');
  process.exit(2);
}
/** Journeys that run at once, each with a server and a profile of its own. */
const AT_ONCE = 2;
const words = process.argv.slice(2);
const browser = await openBrowser();
let passed = 0;
let failed = 0;
// The long ones first. Speed is measured when nothing else runs.
const wanted = (journeys) => Object.entries(journeys).filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
const queue = wanted({ ...accessibility, ...inbox, ...home, ...conversation, ...offers, ...around, ...review, ...hand, ...terminal, ...chosen, ...kept, ...truth, ...everywhere });
await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
await work(wanted(speed));
await browser.close();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

async function work(journeys) {
  for (let next = journeys.shift(); next; next = journeys.shift()) {
    const [name, journey] = next;
    const { problem, lost } = await goThrough(name, () => run(journey).catch((problem) => ({ problem, lost: [] })));
    if (problem) failed += 1;
    else passed += 1;
    process.stdout.write(`${problem ? 'FAIL' : 'ok  '} ${name}\n`);
    if (problem) process.stdout.write(`     ${String(problem.stack ?? problem).split('\n').slice(0, 30).join('\n     ')}\n`);
    if (problem && lost.length > 0) process.stdout.write(`     requests that were lost:\n     ${lost.join('\n     ')}\n`);
  }
}

async function run({ scene = 'full', signedIn = true, context: wanted = {}, go }) {
  const fake = await startFake({ dist: true, scene });
  fake.world.signedIn = signedIn;
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'], ...wanted });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error));
  const lost = lostRequests(page);
  try {
    await go({ page, fake, world: fake.world, context, open: (path) => openWhole(page, fake.url + path, lost) });
    return { problem: errors[0], lost };
  } catch (problem) {
    return { problem, lost };
  } finally {
    await context.close();
    fake.close();
  }
}
