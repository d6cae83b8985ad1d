// What went wrong, in the language of the page: the server says it in English, and by a code that every language has
// a sentence for. Where the page is English, the server's own words are enough.
import { ApiError, Unreachable } from '../api/error';
import type { ErrorCode } from '../api/types';
import { language, t } from '../i18n';

/** The words of a failure; the server's own stand below the sentence. */
export function wordsOf(error: Error): string {
  if (error instanceof Unreachable) return t().errors.unreachable;
  if (!(error instanceof ApiError) || (language() === 'en' && error.message !== '')) return error.message;
  const sentence = (t().errors.codes satisfies Record<Exclude<ErrorCode, 'unknown'>, string> as Partial<Record<string, string>>)[error.code];
  return [sentence, error.message].filter(Boolean).join('\n');
}
