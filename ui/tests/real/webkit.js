// The desktop window, by WebDriver: WebKit's driver starts the program and speaks to its page. It is what
// tauri-driver hands everything on to; asking it oneself saves a program. For the hand of a story.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { find } from './find.js';
import { source } from './source.js';
import { until } from './hand.js';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const KEYS = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', Backspace: '\uE003', Delete: '\uE017', ArrowUp: '\uE013', ArrowDown: '\uE015', ArrowLeft: '\uE012', ArrowRight: '\uE014', End: '\uE010', Home: '\uE011', Control: '\uE009', Shift: '\uE008', Alt: '\uE00A' };

/** Lines of what the program said that a failure shows. */
const TAIL = 80;
/** How long a look at a page that comes just then may take. */
const LOOK_MS = 10_000;
/** How long the driver may take to have a window that stands. */
const SESSION_MS = 60_000;
/** How long the program may take to be gone when its driver is. */
const END_MS = 20_000;

/** Starts `program` with `args` in a window; its page, what it `said`, and `close`. */
export async function openWindow(program, args, env) {
  const first = await drive(program, args, env);
  if (first) return first;
  // The window stands, so the program did its part: what the driver and the toolkit owe is asked for anew.
  process.stdout.write('     (the driver did not come to a window that stands: another driver)\n');
  const second = await drive(program, args, env);
  if (!second) throw new Error('no driver came to the window, which stands');
  return second;
}

/** The program by a driver of its own; nothing where the window stands and the driver has not come to it. */
async function drive(program, args, env) {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], { env: { ...env, TAURI_AUTOMATION: 'true', TAURI_WEBVIEW_AUTOMATION: 'true' }, stdio: ['ignore', 'ignore', 'pipe'] });
  // The program speaks where its driver does: that falls silent when the last of both is gone.
  const gone = new Promise((resolve) => driver.once('close', resolve));
  let said = [];
  driver.stderr.setEncoding('utf8').on('data', (text) => {
    process.stderr.write(text);
    said = [...said, ...text.split('\n').filter(Boolean)].slice(-TAIL);
  });
  const ask = async (method, path, body, ms) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(ms ? { signal: AbortSignal.timeout(ms) } : {}), ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(value?.message ?? `${method} ${path}: ${answer.status}`);
    return value;
  };
  let at;
  const run = (script, args = [], ms) => ask('POST', `${at}/execute/sync`, { script, args }, ms);
  const keys = (actions) => ask('POST', `${at}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] });
  const close = async () => {
    if (at) await ask('DELETE', at).catch(() => undefined);
    const left = at ? [] : children(driver.pid);
    driver.kill('SIGTERM');
    // A driver that has no session leaves the program it has started.
    for (const child of left) end(child);
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, END_MS).unref())]);
  };
  try {
    await until(() => ask('GET', '/status').catch(() => undefined), 'the driver');
    const options = { binary: program, args };
    const session = await ask('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }, SESSION_MS).catch((error) => error);
    if (session instanceof Error) {
      if (session.name !== 'TimeoutError' || !stands()) throw session;
      await close();
      return undefined;
    }
    at = `/session/${session.sessionId}`;
    // The window comes with the page that pairs it, which leads to the one that stays: a look in between finds neither, and may
    // never be answered.
    await until(() => run("return !location.pathname.startsWith('/pair') && document.readyState === 'complete' && document.querySelector('#root')?.childElementCount > 0;", [], LOOK_MS).catch(() => false), 'the page');
  } catch (error) {
    await close();
    throw new Error(`${error.message}; the program said:\n${said.join('\n')}`);
  }
  return {
    said: () => said.join('\n'),
    close,
    evaluate: (work, ...args) => run(`return ${source(work, args)};`),
    async click(query) {
      const element = await run(`const found = ${source((see, wanted) => see(wanted), [find, query])}; const drawn = found?.matches('input[type=radio], input[type=checkbox]') ? (found.labels?.[0] ?? found) : found; drawn?.scrollIntoView({ block: 'nearest' }); return drawn;`);
      if (!element) throw new Error('it is not there any more');
      await ask('POST', `${at}/element/${element[ELEMENT]}/click`, {});
    },
    async select(query, label) {
      const option = await run(`return [...(${source((see, wanted) => see(wanted), [find, query])}?.options ?? [])].find((one) => one.label === ${JSON.stringify(label)});`);
      if (!option) throw new Error(`${label} is not offered`);
      await ask('POST', `${at}/element/${option[ELEMENT]}/click`, {});
    },
    type: (text) => keys([...text].flatMap((one) => stroke(one === '\n' ? KEYS.Enter : one))),
    press: (key) => {
      const parts = key.split('+').map((part) => KEYS[part] ?? part);
      // A letter with Shift comes as the capital that a keyboard makes of it.
      const last = key.includes('Shift+') && parts.at(-1).length === 1 ? parts.at(-1).toUpperCase() : parts.at(-1);
      const held = parts.slice(0, -1);
      return keys([...held.map((value) => ({ type: 'keyDown', value })), ...stroke(last), ...held.toReversed().map((value) => ({ type: 'keyUp', value }))]);
    },
    picture: async (file) => writeFileSync(file, Buffer.from(await ask('GET', `${at}/screenshot`), 'base64')),
  };
}

const stroke = (value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }];

/** Whether the program shows a window. */
const stands = () => execFileSync('wmctrl', ['-l'], { encoding: 'utf8' }).split('\n').some((line) => line.endsWith(' Paddock'));

/** The processes that a process has started. */
function children(pid) {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return [];
  return readdirSync(threads).flatMap((thread) => readFileSync(`${threads}/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
}

/** Ends a process, which may have ended by itself. */
function end(pid) {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
