// What texts refer to: what becomes a link, and what does not.
import { describe, expect, it } from 'vitest';
import { STEADY, growth } from './growth';
import { REFS_MAX, TEXT_MAX, piecesOf, wholeRef, type Ref } from '../../src/lib/refs';

const refs = (text: string): Ref[] => piecesOf(text).filter((piece) => typeof piece === 'object');
const joined = (text: string): string => piecesOf(text).map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');

describe('references', () => {
  it.each([
    ['see https://example.org/a?b=1#c.', 'https://example.org/a?b=1#c'],
    ['(http://127.0.0.1:3000/)', 'http://127.0.0.1:3000/'],
    ['https://en.wikipedia.org/wiki/Pen_(enclosure), and', 'https://en.wikipedia.org/wiki/Pen_(enclosure)'],
  ])('finds the address in %s', (text, href) => expect(refs(text)).toEqual([{ kind: 'url', text: href, href }]));

  it.each([
    ['  --> src/lib.rs:4:5', 'src/lib.rs', 4],
    ['at login.rs:40', 'login.rs', 40],
    ['/home/ada/api-server/src/m.rs', '/home/ada/api-server/src/m.rs', undefined],
    ['Look at ./a/b.test.ts.', './a/b.test.ts', undefined],
    ['~/notes/today.md', '~/notes/today.md', undefined],
    ['ui/src/components/Icon.tsx, then', 'ui/src/components/Icon.tsx', undefined],
  ])('finds the path in %s', (text, path, line) => expect(refs(text)).toEqual([{ kind: 'path', text: expect.stringContaining(path), path, ...(line ? { line } : {}) }]));

  it('finds commits', () => expect(refs('fixed in 4f1c2ab and 99103a0e1b2c').map((ref) => ref.text)).toEqual(['4f1c2ab', '99103a0e1b2c']));

  it.each(['and/or', '12/31', 'javascript:alert(1)', 'file:///etc/passwd', 'vscode://x', 'data:text/html,x', '1234567', 'deadbee', 'a.b', 'version 1.2.3', 'https://', '3/4', 'Result<(), Error>', 'nothing here', 'n/a', ''])('finds nothing in %s', (text) => expect(refs(text).filter((ref) => ref.kind !== 'path')).toEqual([]));
  it.each(['and/or', '12/31', '1.2.3', 'a.b', '3/4', 'n/a', 'read/write'])('takes %s for no path', (text) => expect(refs(text)).toEqual([]));

  it('loses no character of a text', () => {
    for (const text of ['a https://x.org/. b/c.rs:1:2) [d](e) 4f1c2ab…', '/a/b/c/\n\n--> x/y.rs:3', 'ä/ö.rs 日本/語.ts:4', '((((https://x.org/))))']) expect(joined(text)).toBe(text);
  });

  it('has bounds', () => {
    expect(refs('a/b.rs '.repeat(REFS_MAX * 2))).toHaveLength(REFS_MAX);
    expect(refs('a/b.rs '.repeat(TEXT_MAX))).toHaveLength(0);
  });

  it.each(['a', '/a.', 'a.a-', 'a/b.rs '])('takes longer with the number of %s, not with its square', (piece) => {
    expect(growth((size) => () => piecesOf(piece.repeat(size / piece.length)), Math.floor(TEXT_MAX / 8))).toBeLessThan(STEADY);
  });

  it('knows a text that is a reference as a whole', () => {
    expect(wholeRef('src/a.rs:4')).toMatchObject({ kind: 'path', line: 4 });
    expect(wholeRef('see src/a.rs')).toBeUndefined();
    expect(wholeRef('cargo check')).toBeUndefined();
  });
});
