// Chromium for browser checks and screenshots: Debian's, or the one that CHROMIUM names.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS, env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL('./fonts.conf', import.meta.url)) } });
}

/** Requests that `page` loses. Chromium gives up all that are under way when a network appears on this machine or
    goes, as those of containers do: a page is left without its style or its code, whoever serves it. */
export function lostRequests(page) {
  const lost = [];
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // What a page gives up by itself is nothing lost.
    if (why !== 'net::ERR_ABORTED') lost.push(`${request.method()} ${new URL(request.url()).pathname}: ${why}`);
  });
  return lost;
}

/** How often a page is opened and a journey is gone under which the network changes. */
const TRIES = 4;
const CHANGED = 'net::ERR_NETWORK_CHANGED';

/** Opens a page as a whole: anew where the network changed while it was loaded. `lost` is what `lostRequests` gave. */
export async function openWhole(page, url, lost) {
  for (let tried = 1; ; tried += 1) {
    const before = lost.length;
    const answer = await page.goto(url).catch((error) => error);
    const changed = [...lost.slice(before), answer instanceof Error ? answer.message : ''].some((one) => one.includes(CHANGED));
    if (changed && tried < TRIES) continue;
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** Goes a journey by `go`, which gives why it failed and what its page `lost`; and again where that tells nothing,
    as the network changed under it. Gives what came of it in the end. */
export async function goThrough(name, go) {
  for (let tried = 1; ; tried += 1) {
    const went = await go();
    const changed = went.problem && went.lost.some((one) => one.endsWith(CHANGED));
    if (!changed || tried === TRIES) return went;
    process.stdout.write(`     the network of this machine changed under a journey, which begins again: ${name}\n`);
  }
}

export const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 844 };
