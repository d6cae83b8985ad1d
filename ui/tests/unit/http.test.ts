// How the API is read when the network drops what is under way.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, Unreachable } from '../../src/api/error';
import { get, post, text } from '../../src/api/http';

const LOST = new TypeError('network error');

/** Lets each call of the browser give the next of `answers`; one that is an error is thrown. */
function browser(...answers: (Response | Error)[]): ReturnType<typeof vi.fn> {
  const fetch = vi.fn(async () => {
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('nobody expected this call');
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const good = (): Response => new Response('{"items":[1]}', { status: 200 });

/** An answer whose body breaks off. */
function broken(): Response {
  return new Response(new ReadableStream({ start: (body) => body.error(LOST) }), { status: 200 });
}

afterEach(() => vi.unstubAllGlobals());

describe('what is read', () => {
  test('is asked for once more when it was lost on its way', async () => {
    const fetch = browser(LOST, good());
    expect(await get('/tasks')).toEqual({ items: [1] });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('is asked for once more when its body breaks off', async () => {
    browser(broken(), good());
    expect(await text('/tasks')).toBe('{"items":[1]}');
  });

  test('is given up when it is lost again', async () => {
    const fetch = browser(LOST, LOST);
    await expect(get('/tasks')).rejects.toThrow(Unreachable);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('is not asked for again when it is refused, or not wanted any more', async () => {
    const refused = browser(new Response('{"error":{"code":"not_found","message":"no"}}', { status: 404 }));
    await expect(get('/tasks/x')).rejects.toThrow(ApiError);
    expect(refused).toHaveBeenCalledTimes(1);
    const left = new AbortController();
    left.abort();
    const dropped = browser(LOST);
    await expect(get('/tasks', left.signal)).rejects.toThrow(LOST);
    expect(dropped).toHaveBeenCalledTimes(1);
  });
});

test('what changes something is never sent twice', async () => {
  const fetch = browser(LOST);
  await expect(post('/tasks', {})).rejects.toThrow(Unreachable);
  expect(fetch).toHaveBeenCalledTimes(1);
});
