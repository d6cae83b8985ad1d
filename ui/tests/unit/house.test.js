// @vitest-environment node
// The walls of the house: what may know what, how long a file may be, how it opens, where colours live.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const LINES_MAX = 400;
/** Made by a program. */
const MADE = new Set(['api/schema.ts']);

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)))
  .filter((file) => !MADE.has(file));
const text = (file) => readFileSync(join(SRC, file), 'utf8');
const room = (file) => file.split('/')[0] ?? '';

/** What a file imports of ours, from src. */
function imports(file) {
  return [...text(file).matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, path]) => normalize(join(dirname(file), path ?? '')));
}

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

describe.each(files)('%s', (file) => {
  it('opens by saying what it is, and is short', () => {
    expect(text(file).startsWith(file.endsWith('.css') ? '/* ' : '// ')).toBe(true);
    expect(text(file).split('\n').length).toBeLessThanOrEqual(file === 'main.tsx' ? 40 : LINES_MAX);
  });

  it('knows only what it may', () => {
    const allowed = [room(file), ...(MAY[room(file)] ?? [])];
    expect(imports(file).filter((path) => !allowed.includes(room(path)))).toEqual([]);
  });

  it('is a feature that imports no other', () => {
    const feature = file.split('/')[1];
    const others = imports(file).filter((path) => room(path) === 'features' && path.split('/')[1] !== feature);
    if (room(file) === 'features') expect(others).toEqual([]);
  });

  it('has no colour of its own', () => {
    const colours = /#[0-9a-f]{3,8}\b(?=[\s;,)'"])|\brgba?\(|\bhsla?\(/i;
    if (file.endsWith('.css') && room(file) !== 'styles') expect(text(file)).not.toMatch(colours);
    if (/\.tsx?$/.test(file)) expect(text(file)).not.toMatch(/\b(?:rgba?|hsla?|oklch)\(/);
  });

  it('knows of the desktop shell only in platform/', () => {
    if (room(file) !== 'platform') expect(text(file)).not.toMatch(/__TAURI|@tauri-apps/);
  });
});

it('says every text in every language', async () => {
  const { en } = await import('../../src/i18n/en');
  const { de } = await import('../../src/i18n/de');
  const keys = (value, path = '') =>
    Object.entries(value).flatMap(([key, one]) => (typeof one === 'object' && one !== null ? keys(one, `${path}${key}.`) : [`${path}${key}`]));
  expect(keys(de)).toEqual(keys(en));
});
