// Error responses. Each has a stable code. The body is a problem document (RFC 9457) with an
// additional `error` text for simple clients.

import { sentenceOf } from '../../../shared/contract/faults.ts';
import { REFUSALS, type RefusalCode } from './refusals.ts';

interface ApiErrorParts {
  /** Of a code with several statuses. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ProblemDetail[];
  /** Further members of the body, such as `owned`. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** An error response. */
export class ApiError extends Error implements ApiErrorParts {
  readonly status: number;
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ProblemDetail[];
  readonly members: Readonly<Record<string, unknown>>;

  /** @param message the meaning of the code by default */
  constructor(code: RefusalCode, message?: string, more: Partial<ApiErrorParts> = {}) {
    const { status, meaning } = REFUSALS[code];
    super(message ?? meaning.replaceAll('`', ''));
    this.code = code;
    this.status = more.status ?? status;
    this.headers = { ...COMMON_HEADERS[this.status], ...COMMON_HEADERS[code], ...more.headers };
    this.details = more.details ?? [];
    this.members = more.members ?? {};
  }

  /** The same error with further members of the body. */
  with(members: Readonly<Record<string, unknown>>): ApiError {
    return new ApiError(this.code, this.message, {
      ...this,
      members: { ...this.members, ...members },
    });
  }
}

/** An invalid field. Its value is never repeated. */
interface ProblemDetail {
  readonly path: string;
  readonly message: string;
}

const MAX_DETAILS = 10;

const RETRY_SOON = { 'retry-after': '2' };
/** A token was sent and is invalid (RFC 6750, section 3.1). */
const INVALID_TOKEN = { 'www-authenticate': 'Bearer error="invalid_token"' };
/** Headers of errors by status or code, unless an error has its own. */
const COMMON_HEADERS: Readonly<Record<number | string, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: RETRY_SOON,
  503: RETRY_SOON,
  token_invalid: INVALID_TOKEN,
  user_token_invalid: INVALID_TOKEN,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  431: 'Request header fields too large',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** An error response, independent of the server that sends it. */
interface ProblemParts {
  readonly status: number;
  /** Lower-case names. They forbid caching. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON: RFC 9457. */
  readonly text: string;
}

export function problemParts(error: ApiError, requestId: string): ProblemParts {
  const body = {
    type: `/docs#${error.code}`,
    title: TITLES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    error: error.message,
    ...(error.details.length === 0 ? {} : { errors: error.details.slice(0, MAX_DETAILS) }),
    ...error.members,
  };
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...error.headers,
  };
  return { status: error.status, headers, text: JSON.stringify(body) };
}

export function errorResponse(error: ApiError, requestId: string): Response {
  const { status, headers, text } = problemParts(error, requestId);
  return new Response(text, { status, headers });
}

export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError(
    'method_not_allowed',
    `This endpoint does not support the method. Use ${allowed.join(', ')}.`,
    { headers: { allow: allowed.join(', ') } },
  );
export const badRequest = (
  code: RefusalCode,
  message: string,
  details: readonly ProblemDetail[] = [],
) => new ApiError(code, message, { details });
/** An error that names invalid fields. */
export const invalidInput = (code: RefusalCode, faults: readonly ProblemDetail[]) =>
  badRequest(code, sentenceOf(faults), faults);
export const regionTooLarge = (limitBytes: number, bytes?: number) =>
  new ApiError(
    'region_too_large',
    `The region ${bytes === undefined ? 'exceeds' : `has ${bytes} bytes, which exceeds`} the limit of ${limitBytes} bytes. Request a smaller bounding box or a lower maxZoom. For larger regions, ask the operator of the service, who can create them with charts extract.`,
    { members: { limitBytes, ...(bytes === undefined ? {} : { bytes }) } },
  );
export const deltaTooLarge = (limitBytes: number) =>
  new ApiError(
    'region_too_large',
    `A delta is not possible: both region files together exceed ${limitBytes} bytes, or they have too many tiles or changes. Download the whole region without from.`,
    { members: { limitBytes } },
  );
export const bodyTooLarge = (limitBytes: number, what = 'The body') =>
  new ApiError(
    'body_too_large',
    `${what} exceeds the limit of ${limitBytes} bytes. Send less data per request.`,
  );
export const tooManyRequests = (periodSeconds: number) =>
  new ApiError(
    'too_many_requests',
    `Too many requests. Wait ${periodSeconds} seconds before the next one.`,
    { headers: { 'retry-after': String(periodSeconds) } },
  );
export const tooManySoundings = (most: number, where = 'The request') =>
  new ApiError(
    'too_many_soundings',
    `${where} has more than ${most} soundings. Split it into several requests.`,
  );
