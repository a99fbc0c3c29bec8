// Error classes, one for each way that an app may react. The HTTP status determines the class, except for
// the code `outcome_unknown`.

import type { Problem, ProblemCode } from './wire.ts';

/** Base class of all errors of the client. An aborted call throws the abort reason instead. */
export class LeadlineError extends Error {
  override name = 'LeadlineError';
  /**
   * Whether the service may have carried out a failed write, because the outcome of this attempt or of an
   * earlier one is unknown.
   */
  mayHaveSucceeded = false;
}

/** No response from the service: no network, a timeout, or a response from another server. */
export class NoAnswerError extends LeadlineError {
  override name = 'NoAnswerError';
}

/** An error response. */
export class ProblemError extends LeadlineError {
  override name = 'ProblemError';
  readonly status: number;
  /** Problem code of the service. `undefined` if a proxy responded. */
  readonly code: ProblemCode | (string & {}) | undefined;
  /** Invalid fields. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Id to report to the operator of the service. */
  readonly requestId: string | undefined;
  /** Requested delay before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The response body. */
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs: number | undefined) {
    super(problem.detail ?? `The service returned status ${status}.`);
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
  }
}

/** The token or the user token is missing, expired or invalid. */
export class TokenError extends ProblemError {
  override name = 'TokenError';
}
/** The token does not permit this request. */
export class NotAllowedError extends ProblemError {
  override name = 'NotAllowedError';
}
/** The request is invalid; `errors` lists the fields. */
export class BadRequestError extends ProblemError {
  override name = 'BadRequestError';
}
/** The resource does not exist. */
export class NotFoundError extends ProblemError {
  override name = 'NotFoundError';
}
/** The resource was deleted or has expired. */
export class GoneError extends ProblemError {
  override name = 'GoneError';
}
/** The request conflicts with an existing resource, for example an id or name that is in use. */
export class ConflictError extends ProblemError {
  override name = 'ConflictError';
}
/** The request is too large. Send less at once. */
export class TooLargeError extends ProblemError {
  override name = 'TooLargeError';
}
/** Too many requests, or too many at the same time. */
export class TooOftenError extends ProblemError {
  override name = 'TooOftenError';
}
/** A dependency of the service is unavailable, or the request body was too slow. Nothing was changed. */
export class UnavailableError extends ProblemError {
  override name = 'UnavailableError';
}
/** The service does not know whether the write was carried out. */
export class OutcomeUnknownError extends ProblemError {
  override name = 'OutcomeUnknownError';
}
/** The service or a proxy failed. */
export class ServiceError extends ProblemError {
  override name = 'ServiceError';
}

type ProblemClass = new (...given: ConstructorParameters<typeof ProblemError>) => ProblemError;

const BY_STATUS: Readonly<Record<number, ProblemClass>> = {
  400: BadRequestError,
  401: TokenError,
  403: NotAllowedError,
  404: NotFoundError,
  405: BadRequestError,
  408: UnavailableError,
  409: ConflictError,
  410: GoneError,
  412: ConflictError,
  413: TooLargeError,
  415: BadRequestError,
  416: BadRequestError,
  429: TooOftenError,
  503: UnavailableError,
};

/** Creates the error for an error response. */
export function problemError(
  status: number,
  problem: Partial<Problem>,
  retryAfterMs: number | undefined,
): ProblemError {
  const { code } = problem;
  const known: ProblemCode = 'outcome_unknown';
  // A response without code is from a proxy, whose 503 does not mean that nothing was changed.
  const isOfOthers = status >= 500 && code === undefined;
  const errorClass = isOfOthers ? ServiceError : (BY_STATUS[status] ?? ServiceError);
  return new (code === known ? OutcomeUnknownError : errorClass)(status, problem, retryAfterMs);
}
