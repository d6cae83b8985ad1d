// What went wrong, in the language of the page.
import { afterAll, describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../../src/api/error';
import type { ErrorCode } from '../../src/api/types';
import { useLanguage } from '../../src/i18n';
import { causeOf, messageOf, sayFailures } from '../../src/lib/message';
import { wordsOf } from '../../src/state/failures';

const refused = (code: ErrorCode, message = 'stop it first'): ApiError => new ApiError(409, { code, message, details: null });

describe('a failure', () => {
  sayFailures(wordsOf);
  afterAll(() => useLanguage('en', false));

  it('is told in English by the words of the server', async () => {
    await useLanguage('en', false);
    expect([messageOf(refused('not_now')), messageOf(refused('not_now', '')), messageOf('x')]).toEqual(['Stop it first', 'That is not possible now.', 'x']);
  });
  it('is told in another language by its code, and below it by the words of the server', async () => {
    await useLanguage('de', false);
    expect(messageOf(refused('not_now'))).toBe('Das geht jetzt nicht.\nStop it first');
    expect(messageOf(refused('unknown'))).toBe('Stop it first');
    expect(messageOf(new Unreachable('gone'))).toBe('Paddock ist nicht zu erreichen');
    expect(messageOf(new Error('own'))).toBe('own');
  });
  it('begins as a sentence where it is one, and goes on small after a colon', async () => {
    await useLanguage('en', false);
    const told = (text: string): string => messageOf(new Error(text));
    expect([told("the box's git is busy"), told('pi has no model `x`'), told('a, b')]).toEqual(["The box's git is busy", 'Pi has no model `x`', 'A, b']);
    for (const kept of ['/data is full', '`x` is no branch', 'rate_limit_error: slow down', 'main.rs is gone', 'fatal: bad', 'feature/x is out']) expect(told(kept)).toBe(kept);
    expect(causeOf(refused('not_now'))).toBe('stop it first');
  });
});
