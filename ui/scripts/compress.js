// Puts a brotli and a gzip copy beside every text file of the built client, for the server to send as
// they are.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SMALLEST = 1024;
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(html|js|css|svg)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const text = readFileSync(path);
  if (text.length < SMALLEST) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}
