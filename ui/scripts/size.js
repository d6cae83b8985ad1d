// What a first visit loads, in brotli: the page, its scripts and styles, nothing that comes later.
// `npm run size` prints it and fails when it is over the limit.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const LIMIT = 150_000;
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const size = (path) => brotliCompressSync(readFileSync(DIST + path)).length;

const html = readFileSync(`${DIST}index.html`, 'utf8');
const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path);
const first = new Set(['index.html', ...named]);
// What the entry imports without being asked is loaded with it.
for (const path of first) {
  if (!path.endsWith('.js')) continue;
  for (const [, name] of readFileSync(DIST + path, 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) first.add(`assets/${name}`);
}
let sum = 0;
for (const path of first) {
  sum += size(path);
  process.stdout.write(`${String(size(path)).padStart(8)}  ${path}\n`);
}
process.stdout.write(`${String(sum).padStart(8)}  of at most ${LIMIT}; ${readdirSync(`${DIST}assets`).filter((name) => !/\.(br|gz)$/.test(name)).length - first.size + 1} more files come when they are needed\n`);
process.exit(sum > LIMIT ? 1 : 0);
