// How the API is called: paths, bodies, errors. Cookies carry the session, so that no token is ever seen by
// the page. What is called is in `client.ts` and `calls/`.
import { ApiError, Unreachable, errorFrom } from './error';
import type * as wire from './types';

export const BASE = '/api/paddock/v1';

let signedOut: () => void = () => {};

/** Says what to do when the server no longer knows who we are. */
export function onSignedOut(act: () => void): void {
  signedOut = act;
}

/** One call of the API; its answer where that is a good one.
    @throws ApiError, Unreachable */
export async function call(method: string, path: string, body?: unknown, signal?: AbortSignal, headers: Record<string, string> = {}): Promise<Response> {
  const init: RequestInit = { method, credentials: 'same-origin', headers: { Accept: 'application/json', ...headers } };
  if (signal) init.signal = signal;
  if (body instanceof Blob) {
    init.headers = { ...init.headers, 'Content-Type': 'application/octet-stream' };
    init.body = body;
  } else if (method !== 'GET') {
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
    init.body = JSON.stringify(body ?? {});
  }
  let response: Response;
  try {
    response = await fetch(BASE + path, init);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Unreachable(cause);
  }
  if (response.ok) return response;
  const error = await errorFrom(response);
  if (error.code === 'unauthenticated') signedOut();
  throw error;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read(path, signal, (answer) => answer.json() as Promise<T>);
}

export async function post<T>(path: string, body?: unknown): Promise<T> {
  return send<T>('POST', path, body);
}

/** Puts a file where it belongs. */
export async function put<T>(path: string, file: Blob): Promise<T> {
  return (await call('POST', path, file)).json() as Promise<T>;
}

export async function send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return (await call(method, path, body)).json() as Promise<T>;
}

/** The query of a path, of those values that are given. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The path of a task, or of something below it. */
export function taskPath(id: string, below = ''): string {
  return `/tasks/${encodeURIComponent(id)}${below}`;
}

export async function text(path: string, signal?: AbortSignal): Promise<string> {
  return read(path, signal, (answer) => answer.text());
}

/** Asks, and once more where the answer was lost on its way: a browser drops all that is under way when a network of
    the machine comes or goes, and every container brings one.
    @throws ApiError, Unreachable */
async function read<T>(path: string, signal: AbortSignal | undefined, take: (answer: Response) => Promise<T>): Promise<T> {
  const ask = async (): Promise<T> => take(await call('GET', path, undefined, signal));
  try {
    return await ask();
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    return ask();
  }
}

/** A list so short that it is one page. */
export async function list<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  return (await get<wire.Page<T>>(path, signal)).items;
}
