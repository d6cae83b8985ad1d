// @vitest-environment node
// The settings: each that the server has is called something in each language and stands on one page; how values are
// typed, sent and read; who chose them; what a search finds.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { kindOf, readable, sentOf, shownOf, sourceOf, typedOf } from '../../src/features/settings/fields';
import { PAGES, find, settingsOf } from '../../src/features/settings/pages';
import { writeFigures } from '../../src/lib/format';
import { deSettings } from '../../src/i18n/de/settings';
import { enSettings } from '../../src/i18n/en/settings';

const TABLE = readFileSync(fileURLToPath(new URL('../../../src-tauri/crates/config/src/key/table.rs', import.meta.url)), 'utf8');
/** The settings that the server has. */
const KEYS = [...TABLE.matchAll(/^ {8}name: "([^"]+)",\n {8}allowed: "([^"]+)",\n {8}default: "([^"]*)"/gm)].map(([, key, allowed, preset]) => ({ key, allowed, preset }));
const setting = (key, more = {}) => ({ key, origin: 'default', allowed: '', default: '', about: 'about it', editable: true, live: true, waits: false, ...more });

describe('every setting of the server', () => {
  it('is known here', () => expect(KEYS.length).toBeGreaterThan(25));
  it.each(KEYS)('$key has words in each language and one place', ({ key }) => {
    for (const words of [enSettings.keys[key], deSettings.keys[key]]) {
      expect(words?.label).toBeTruthy();
      expect(words?.help).toMatch(/\.$/);
    }
    expect(Boolean(enSettings.keys[key]?.unset)).toBe(Boolean(deSettings.keys[key]?.unset));
    const places = PAGES.flatMap(({ sections }) => sections).filter((section) => 'keys' in section && section.keys.includes(key));
    expect(places).toHaveLength(1);
  });
  it.each(KEYS.filter(({ allowed }) => /\((?:seconds|milliseconds|hours|days|MiB|bytes)/.test(allowed)))('$key is a number in the unit that the server says', ({ key, allowed }) => {
    const kind = kindOf(key);
    const unit = kind.as === 'number' ? enSettings.units[kind.unit] : '';
    expect(allowed).toContain(unit);
    expect(unit).not.toBe('');
  });
  it.each(KEYS.filter(({ key }) => kindOf(key).as === 'choice'))('$key offers what the server takes', ({ key, allowed, preset }) => {
    const kind = kindOf(key);
    const values = kind.as === 'choice' ? kind.options().map(({ value }) => value) : [];
    for (const value of values.filter((one) => one !== '')) expect(allowed.split(/, | or /)).toContain(value);
    expect(values).toContain(preset);
  });
  it('is not called here when there is none', () => {
    expect(Object.keys(enSettings.keys).filter((key) => !KEYS.some((one) => one.key === key))).toEqual([]);
  });
});

describe('values', () => {
  it('of lists stand a line each and are sent with commas', () => {
    expect(typedOf('scan.allow', '["a b", "c/*"]')).toBe('a b\nc/*');
    expect(sentOf('scan.allow', ' a b\n\nc/* \n')).toBe('a b,c/*');
    expect(typedOf('scan.allow', 'not a list')).toBe('not a list');
    expect(typedOf('log', '["x"]')).toBe('["x"]');
    writeFigures('de');
    expect([typedOf('box.cpus', '1.5'), shownOf('box.cpus', '1.5').split(' ')[0], readable('mib', '1536')]).toEqual(['1,5', '1,5', '1,5 GiB']);
    writeFigures('en');
    expect([sentOf('box.cpus', ' 1,5 '), sentOf('box.cpus', '1.5'), typedOf('box.cpus', '1.5')]).toEqual(['1.5', '1.5', '1.5']);
  });
  it('are said as people say them', () => {
    expect(readable('s', '3600')).toBe('1 h');
    expect(readable('s', '45')).toBeUndefined();
    expect(readable('ms', '10000')).toBe('10 s');
    expect(readable('h', '168')).toBe('7 d');
    expect(readable('mib', '8192')).toBe('8 GiB');
    expect(readable('mib', '512')).toBeUndefined();
    expect(readable('bytes', '500000')).toBe('500 KB');
    expect(readable('days', '90')).toBeUndefined();
    expect(readable('s', 'soon')).toBeUndefined();
    expect(shownOf('limits.parallel_tasks', '8')).toBe('8 tasks');
    expect(shownOf('box.network', 'none')).toBe('None');
  });
  it('say who chose them', () => {
    const of = (origin) => sourceOf({ origin });
    expect(of('default')).toEqual({ is: 'default' });
    expect(of('set in Paddock (/x/settings.json)')).toEqual({ is: 'saved' });
    expect(of('flag for `listen`')).toEqual({ is: 'flag' });
    expect(of('environment variable `PADDOCK_LOG`')).toEqual({ is: 'environment', variable: 'PADDOCK_LOG' });
    expect(of('/home/ada/paddock.toml:12')).toEqual({ is: 'file', place: '/home/ada/paddock.toml:12' });
  });
});

describe('a search', () => {
  const all = [setting('box.memory_mib', { value: '8192' }), setting('listen', { value: '127.0.0.1:7230' }), setting('new.one', { value: 'x' })];
  const keys = (words) => find(words, all).flatMap(({ settings }) => settings.map(({ key }) => key));
  it('finds by words, name and value', () => {
    expect(keys('memory')).toEqual(['box.memory_mib']);
    expect(keys('BOX.mem')).toEqual(['box.memory_mib']);
    expect(keys('7230')).toEqual(['listen']);
    expect(keys('container most')).toEqual(['box.memory_mib']);
    expect(find('theme language appearance nothing', all)).toEqual([]);
    expect(find('language', all).map(({ page, parts }) => [page, parts])).toEqual([['general', [{ part: 'appearance' }]]]);
    expect(find('shortcuts', all).map(({ page }) => page)).toContain('shortcuts');
  });
  it('finds what no page names where everything else is', () => {
    expect(keys('new.one')).toEqual(['new.one']);
    expect(settingsOf({ group: 'others', keys: [] }, all).map(({ key }) => key)).toEqual(['new.one']);
  });
});
