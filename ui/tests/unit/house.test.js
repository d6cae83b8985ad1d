// @vitest-environment node
// The walls of the house: what may know what, how long a file may be, how it opens, where colours live. Each
// wall is a function from a file to what is wrong with it, held against the tree and, so that it is known to
// hold something, against a file that breaks it.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const LINES_MAX = 400;
/** Made by a program. */
const MADE = new Set(['api/schema.ts']);
/** Rooms that a room may import from; itself always. */
const MAY = {
  api: [],
  lib: [],
  platform: [],
  i18n: ['lib'],
  styles: [],
  components: ['lib', 'i18n'],
  state: ['api', 'lib', 'i18n'],
  features: ['api', 'lib', 'i18n', 'components', 'state', 'platform'],
  routes: ['api', 'lib', 'i18n', 'components', 'state', 'platform', 'features'],
  'main.tsx': ['routes', 'styles', 'components', 'i18n', 'lib'],
};

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)))
  .filter((file) => !MADE.has(file))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
const [room, feature] = [0, 1].map((nth) => (path) => path.split('/')[nth] ?? '');

/** What a file imports of ours, from src. */
function imports({ path, text }) {
  return [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, from]) => normalize(join(dirname(path), from)));
}

const WALLS = {
  'every file opens by saying what it is': {
    look: ({ path, text }) => (text.startsWith(path.endsWith('.css') ? '/* ' : '// ') ? [] : [text.slice(0, 40)]),
    broken: { path: 'lib/a.ts', text: 'export const a = 1;\n' },
  },
  'every file is short': {
    look: ({ path, text }) => (text.split('\n').length > (path === 'main.tsx' ? 40 : LINES_MAX) ? ['too long'] : []),
    broken: { path: 'main.tsx', text: '\n'.repeat(41) },
  },
  'a room knows only what it may': {
    look: (file) => imports(file).filter((from) => ![room(file.path), ...(MAY[room(file.path)] ?? [])].includes(room(from))),
    broken: { path: 'components/A.tsx', text: "import type { Task } from '../api/types';" },
  },
  'a feature imports no other': {
    look: (file) => (room(file.path) === 'features' ? imports(file).filter((from) => room(from) === 'features' && feature(from) !== feature(file.path)) : []),
    broken: { path: 'features/task/A.tsx', text: "import { B } from '../tasks/B';" },
  },
  'colours are tokens': {
    look: ({ path, text }) => (room(path) === 'styles' ? [] : (text.match(path.endsWith('.css') ? /#[0-9a-f]{3,8}\b(?=[\s;,)'"])|\b(?:rgba?|hsla?|oklch)\(/i : /\b(?:rgba?|hsla?|oklch)\(/) ?? [])),
    broken: { path: 'components/a.css', text: 'a { color: #fff; }' },
  },
  'only platform/ knows of the desktop shell': {
    look: ({ path, text }) => (room(path) === 'platform' ? [] : (text.match(/__TAURI|@tauri-apps/) ?? [])),
    broken: { path: 'state/a.ts', text: 'window.__TAURI__' },
  },
};

it.each(Object.entries(WALLS))('%s', (_, { look, broken }) => {
  expect(look(broken)).not.toEqual([]);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => look(file).map((wrong) => `${file.path}: ${wrong}`))).toEqual([]);
});

it('says every text in every language', async () => {
  const { en } = await import('../../src/i18n/en');
  const { de } = await import('../../src/i18n/de');
  const keys = (value, path = '') =>
    Object.entries(value).flatMap(([key, one]) => (typeof one === 'object' && one !== null ? keys(one, `${path}${key}.`) : [`${path}${key}`]));
  expect(keys(de)).toEqual(keys(en));
});
