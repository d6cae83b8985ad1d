// A stand-in for `paddock serve`, for looking at pages and for browser checks: the same paths, the same
// JSON, stories of its own. Deterministic but for the clock: stories are told relative to its start.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handle } from './commands.js';
import { World } from './world.js';
import { scenes } from './stories.js';

const DIST = process.env.DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
const BASE = '/api/paddock/v1';
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };
const BODY_MAX = 2 << 20;
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Starts a fake with the stories of a scene; `url`, `world` to play with, `close`. */
export async function startFake({ port = 0, dist = false, scene = 'full' } = {}) {
  const world = new World();
  await scenes[scene](world);
  const server = createServer((request, response) => {
    answer(world, dist, request, response).catch((error) => send(response, 500, { error: { code: 'internal', message: String(error), details: null } }));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    world,
    close: () => {
      world.hangUp();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(world, dist, request, response) {
  const url = new URL(request.url, 'http://fake');
  if (!url.pathname.startsWith(BASE)) return dist ? file(url.pathname, response) : send(response, 404, refusal('not_found', 'no such page'));
  const path = url.pathname.slice(BASE.length);
  if (!world.signedIn && path !== '/auth/exchange' && path !== '/health') return send(response, 401, refusal('unauthenticated', 'pair this browser first'));
  const stream = /^\/tasks\/([^/]+)\/events$/.exec(path);
  if (world.away && (stream || path === '/events')) return send(response, 503, refusal('overloaded', 'the server is away'));
  if (stream || path === '/events') world.opened.set(path, (world.opened.get(path) ?? 0) + 1);
  if (stream) return taskEvents(world, stream[1], request, url, response);
  if (path === '/events') return allEvents(world, response);
  if (path === '/attachments' && request.method === 'POST') return send(response, 201, world.keep(await bytes(request), url.searchParams.get('name')));
  const kept = world.kept.get(/\/(?:attachments|artifacts)\/([0-9a-f]{64})$/.exec(path)?.[1]);
  if (kept) {
    response.writeHead(200, { 'content-type': kept.media_type });
    return response.end(kept.content);
  }
  const body = request.method === 'GET' ? undefined : await read(request);
  const { status = 200, json, text } = await handle(world, request.method, path, url.searchParams, body);
  if (text !== undefined) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
    return response.end(text);
  }
  return send(response, status, json ?? {});
}

function refusal(code, message, details = null) {
  return { error: { code, message, details } };
}

function send(response, status, json) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(json));
}

async function bytes(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > BODY_MAX) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function read(request) {
  const text = (await bytes(request)).toString();
  return text === '' ? {} : JSON.parse(text);
}

function open(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(':\n\n');
}

function taskEvents(world, id, request, url, response) {
  const task = world.tasks.get(id);
  if (!task) return send(response, 404, refusal('not_found', 'no such task'));
  open(response);
  const since = Number(request.headers['last-event-id'] ?? url.searchParams.get('since_seq') ?? 0);
  const history = task.events.filter((event) => event.seq > since).map(frame).join('');
  response.write(history);
  response.write(`event: ready\nid: ${task.events.length}\ndata: ${JSON.stringify({ cursor: String(task.events.length) })}\n\n`);
  for (const delta of task.streaming) response.write(`event: delta\ndata: ${JSON.stringify(delta)}\n\n`);
  const stop = world.listen(id, {
    event: (event) => response.write(frame(event)),
    delta: (delta) => response.write(`event: delta\ndata: ${JSON.stringify(delta)}\n\n`),
    frame: (name, data) => response.write(told(name, data)),
    end: () => response.end(),
  });
  if (task.view.link) response.write(told('link', { task_id: id, link: task.view.link }));
  response.on('close', stop);
}

function told(name, data) {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function frame(event) {
  return `event: event\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

function allEvents(world, response) {
  open(response);
  response.write(`event: ready\nid: fake-0\ndata: {"cursor":"fake-0"}\n\n`);
  let count = 0;
  const stop = world.listen('*', {
    event: (event) => response.write(`event: event\nid: fake-${(count += 1)}\ndata: ${JSON.stringify(event)}\n\n`),
    delta: () => undefined,
    frame: (name, data) => response.write(told(name, data)),
    end: () => response.end(),
  });
  response.on('close', stop);
}

function file(path, response) {
  const wanted = normalize(join(DIST, path));
  const there = wanted.startsWith(DIST) && existsSync(wanted) && statSync(wanted).isFile();
  const found = there ? wanted : join(DIST, 'index.html');
  response.writeHead(200, { 'content-type': KINDS[extname(found)] ?? 'application/octet-stream', 'content-security-policy': POLICY });
  createReadStream(found).pipe(response);
}

