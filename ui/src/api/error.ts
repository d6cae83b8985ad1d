// How a call fails: refused by the server with a code, or the server could not be reached at all.
import type { ErrorCode, ErrorDetail } from './types';

/** The server answered, and not with a success. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly status: number;

  constructor(status: number, detail: ErrorDetail) {
    super(detail.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = detail.code;
    this.details = detail.details;
  }
}

/** No answer came: the network, or the server, is away. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('Paddock cannot be reached', { cause });
    this.name = 'Unreachable';
  }
}

/** Reads the body of a refusal; one that is not ours (a proxy's page) still yields an error. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const detail = (body as { error?: ErrorDetail } | undefined)?.error;
  if (detail && typeof detail.message === 'string') return new ApiError(response.status, detail);
  return new ApiError(response.status, {
    code: response.status === 401 ? 'unauthenticated' : 'unknown',
    message: `The server answered ${response.status} ${response.statusText}`.trim(),
    details: null,
  });
}
