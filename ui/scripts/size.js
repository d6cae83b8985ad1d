// What a first visit loads, in brotli: the page, its scripts and styles, nothing that comes later.
// `npm run size` prints it and fails when it is over the limit.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const LIMIT = 150_000;
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

/** The files of a first visit with their sizes, and their sum against the limit. */
export function firstVisit() {
  const html = readFileSync(`${DIST}index.html`, 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path);
  const first = new Set(['index.html', ...named]);
  // What the entry imports without being asked is loaded with it.
  for (const path of first) {
    if (!path.endsWith('.js')) continue;
    for (const [, name] of readFileSync(DIST + path, 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) first.add(`assets/${name}`);
  }
  const files = [...first].map((path) => ({ path, size: brotliCompressSync(readFileSync(DIST + path)).length }));
  return { files, sum: files.reduce((sum, file) => sum + file.size, 0), limit: LIMIT };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { files, sum, limit } = firstVisit();
  for (const { path, size } of files) process.stdout.write(`${String(size).padStart(8)}  ${path}\n`);
  const all = readdirSync(`${DIST}assets`).filter((name) => !/\.(br|gz)$/.test(name)).length;
  process.stdout.write(`${String(sum).padStart(8)}  of at most ${limit}; ${all - files.length + 1} more files come when they are needed\n`);
  process.exit(sum > limit ? 1 : 0);
}
