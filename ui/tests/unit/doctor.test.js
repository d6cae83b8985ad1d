// @vitest-environment node
// What is found on the machine: all that the server can say of it is said in every language.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { deDoctor } from '../../src/i18n/de/doctor';
import { enDoctor } from '../../src/i18n/en/doctor';

const source = (path) => readFileSync(fileURLToPath(new URL(`../../../src-tauri/crates/${path}`, import.meta.url)), 'utf8');
const PLACES = [source('boxes/src/doctor.rs'), source('orchestrator/src/keys.rs').replace(/^.*(?=pub\(crate\) async fn checks)/s, '')];
/** The texts of the server's own words, with a name where one goes; of several words, or else the same everywhere. */
const TEXTS = PLACES.flatMap((place) => {
  const code = place.split('#[cfg(test)]')[0].replace(/^\s*\/\/.*$/gm, '').replace(/contains\("[^"]*"\)/g, '');
  const texts = [...code.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text.replace(/\{[^}]*\}/g, 'x7'));
  return texts.filter((text) => /[a-z]{2,} [a-z]{2,}/i.test(text));
});

it('there are such texts', () => expect(TEXTS.length).toBeGreaterThan(25));
it.each(TEXTS)('%s', (text) => {
  expect(enDoctor.said(text)).toBe(text);
  // Where a key is from goes on from its name.
  const said = /^the [a-z]+$/.test(text) ? `KEY from ${text}` : text;
  expect(deDoctor.said(said)).not.toBe(said);
});
it('names and figures stay in them', () => {
  expect(deDoctor.said('77 GB free at /home/me/a b')).toBe('77 GB frei unter /home/me/a b');
  expect(deDoctor.said('Docker 20.10.24 at /var/run/docker.sock, rootless')).toBe('Docker 20.10.24 unter /var/run/docker.sock, ohne root');
  expect(deDoctor.said('claude: ANTHROPIC_API_KEY from the vault, ANTHROPIC_AUTH_TOKEN from the environment is not used')).toBe(
    'claude: ANTHROPIC_API_KEY aus dem Tresor, ANTHROPIC_AUTH_TOKEN aus der Umgebung (nicht benutzt)',
  );
  expect(deDoctor.said('said by a program')).toBe('said by a program');
});
