// Journeys with the real server, relay and scripted agent: `npm run journeys:real` in Chromium, and with `window`
// behind it in the desktop window, which needs a display (src-tauri/tests/window.sh gives one). `PADDOCK` names the
// `paddock` program, target/debug otherwise; `PADDOCK_SHOTS` a folder for pictures.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DESKTOP, goThrough, lostRequests, openBrowser } from '../browser.js';
import { PATIENCE_MS } from '../journeys/expect.js';
import { adopting } from './adopting.js';
import { ASKING, askAll } from './asking.js';
import { chromiumPage } from './chromium.js';
import { Hand } from './hand.js';
import { home } from './home.js';
import { others } from './others.js';
import { outward } from './outward.js';
import { policy } from './policy.js';
import { rest } from './rest.js';
import { Stage } from './stage.js';
import { tell } from './story.js';
import { terminal } from './terminal.js';
import { openWindow } from './webkit.js';
import { WIDER, around } from './wider.js';

const inWindow = process.argv.includes('window');
const SHOTS = process.env.PADDOCK_SHOTS ?? tmpdir();
mkdirSync(SHOTS, { recursive: true });
const say = (text) => process.stdout.write(`ok   ${text}\n`);

/** What the page under way lost. */
let lost = [];

/** Chromium with a server of its own. */
async function chromium(stage, journey) {
  const url = await stage.serve();
  stage.paddock('harness', 'install', 'scripted');
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB' });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error));
    lost = lostRequests(page);
    await page.goto(stage.paddock('pair').trim());
    await journey(chromiumPage(page), { page, url });
    if (errors.length > 0) throw errors[0];
  } finally {
    await browser.close();
  }
}

/** The desktop program, which serves by itself. */
async function desktop(stage, journey) {
  const window = await openWindow(stage.desktop, ['--data', stage.data, '--set', 'listen=127.0.0.1:0', '--ui', stage.ui], stage.env);
  try {
    stage.paddock('harness', 'install', 'scripted');
    await journey(window, {});
  } finally {
    // A window whose agents live stays in the tray.
    stage.clearAway();
    await window.close();
  }
}

const asked = (manner) => (world) => tell(manner, { ...world, task: askAll(world.stage) }, say, ASKING);
const further = (manner) => (world) => tell(manner, { ...world, ...around(world.stage) }, say, WIDER);
const JOURNEYS = [
  // What is around the story is gone through where it is cheaper.
  ['by mouse', async (world) => (await tell('mouse', world, say), inWindow || (await rest(world, say)))],
  ['by keyboard alone', (world) => tell('keys', world, say)],
  ['what it asks, by mouse', asked('mouse')],
  ['what it asks, by keyboard alone', asked('keys')],
  ['what goes further, by mouse', further('mouse')],
  ['what goes further, by keyboard alone', further('keys')],
  // The page itself is driven, which only Chromium's driver can.
  ...(inWindow ? [] : [['terminals', (world) => terminal(world, say)], ['rules', (world) => policy(world, say)], ['others', (world) => others(world, say)], ['sessions', (world) => adopting(world, say)], ['home', (world) => home(world, say)], ['beyond', (world) => outward(world, say)]]),
];

/** What stands on the page, and what its program said: all that is known of a failure where no picture is seen. */
async function scene(hand, name) {
  const picture = join(SHOTS, `failure-${name}.png`);
  await hand.picture(picture).catch(() => undefined);
  const page = await hand.page.evaluate(() => `${location.pathname}, at ${document.activeElement?.outerHTML.slice(0, 160)}\n${document.body.innerText.slice(0, 4000)}`).catch((error) => `the page does not answer: ${error.message}`);
  const said = hand.page.said?.();
  return `--- a picture: ${picture}\n--- the page: ${page}${said ? `\n--- the program said:\n${said}` : ''}\n---`;
}

let failed = 0;
const words = process.argv.slice(2).filter((word) => word !== 'window');
const wanted = JOURNEYS.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
for (const [name, go] of wanted) {
  process.stdout.write(`${inWindow ? 'in the window' : 'in Chromium'}, ${name}:\n`);
  const { problem } = await goThrough(name, async () => ({ problem: await once(name, go), lost }));
  if (!problem) continue;
  failed += 1;
  process.stdout.write(`FAIL ${problem.stack}\n${lost.length > 0 ? `requests that were lost:\n${lost.join('\n')}\n` : ''}`);
}
process.stdout.write(`${wanted.length - failed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

/** Goes one journey on a stage of its own; why it failed. */
async function once(name, go) {
  lost = [];
  const stage = new Stage();
  try {
    await (inWindow ? desktop : chromium)(stage, async (page, more) => {
      const hand = new Hand(page);
      try {
        await hand.sees('Welcome to Paddock');
        say('a newcomer sees the first page');
        await go({ hand, stage, branch: 'paddock-0', ...more });
      } catch (error) {
        throw new Error(`${error.stack}\n${await scene(hand, `${inWindow ? 'window' : 'browser'}-${name.replaceAll(' ', '-')}`)}`);
      }
    });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await stage.end();
  }
}
