// What went wrong, in the language of the page.
import { afterAll, describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from '../../src/api/error';
import type { ErrorCode } from '../../src/api/types';
import { useLanguage } from '../../src/i18n';
import { messageOf, sayFailures } from '../../src/lib/message';
import { wordsOf } from '../../src/state/failures';

const refused = (code: ErrorCode, message = 'stop it first'): ApiError => new ApiError(409, { code, message, details: null });

describe('a failure', () => {
  sayFailures(wordsOf);
  afterAll(() => useLanguage('en', false));

  it('is told in English by the words of the server', async () => {
    await useLanguage('en', false);
    expect([messageOf(refused('not_now')), messageOf(refused('not_now', '')), messageOf('x')]).toEqual(['stop it first', 'That is not possible now.', 'x']);
  });
  it('is told in another language by its code, and below it by the words of the server', async () => {
    await useLanguage('de', false);
    expect(messageOf(refused('not_now'))).toBe('Das geht jetzt nicht.\nstop it first');
    expect(messageOf(refused('unknown'))).toBe('stop it first');
    expect(messageOf(new Unreachable('gone'))).toBe('Paddock ist nicht zu erreichen');
    expect(messageOf(new Error('own'))).toBe('own');
  });
});
