// What can go wrong, as classes: one for each thing that an app would do about it. The class follows
// from the code of the refusal, and from the status where a newer service has a code of its own.

import type { Problem, ProblemCode } from './wire.ts';

/** Everything that the client throws, but for what an AbortSignal was aborted with. */
export class LeadlineError extends Error {
  override name = 'LeadlineError';
  /**
   * Whether a write may have been carried out though it failed here: this attempt's outcome, or an
   * earlier one's, is not known.
   */
  mayBeDone = false;
}

/** No answer of the service came: no network, a time-out, or something else that answered in its place. */
export class NoAnswerError extends LeadlineError {
  override name = 'NoAnswerError';
}

/** A refusal of the service. */
export class ProblemError extends LeadlineError {
  override name = 'ProblemError';
  readonly status: number;
  /** As in the service's catalogue; undefined where something before the service refused. */
  readonly code: ProblemCode | (string & {}) | undefined;
  /** Fields at fault. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** To be told to whoever runs the service. */
  readonly requestId: string | undefined;
  /** What the service asks to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The whole body. */
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs: number | undefined) {
    super(problem.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
  }
}

/** The token, or the user token beside it, is missing, expired or not valid. */
export class TokenError extends ProblemError {
  override name = 'TokenError';
}
/** The token does not permit this. */
export class NotAllowedError extends ProblemError {
  override name = 'NotAllowedError';
}
/** What was sent is wrong; `errors` names the fields. */
export class BadRequestError extends ProblemError {
  override name = 'BadRequestError';
}
/** There is no such thing. */
export class NotFoundError extends ProblemError {
  override name = 'NotFoundError';
}
/** It was there, and was deleted or has expired. */
export class GoneError extends ProblemError {
  override name = 'GoneError';
}
/** It contradicts what is there: an id or a name that is taken. */
export class ConflictError extends ProblemError {
  override name = 'ConflictError';
}
/** More than one request may hold; send less at once. */
export class TooLargeError extends ProblemError {
  override name = 'TooLargeError';
}
/** Too often, or too much at once. */
export class TooOftenError extends ProblemError {
  override name = 'TooOftenError';
}
/** Something that the service needs is away, or the body came too slowly. Nothing was done. */
export class UnavailableError extends ProblemError {
  override name = 'UnavailableError';
}
/** Whether the write was carried out is not known. */
export class OutcomeUnknownError extends ProblemError {
  override name = 'OutcomeUnknownError';
}
/** The service, or something before it, failed. */
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

/** The error of an answer that is not a success. */
export function problemError(
  status: number,
  problem: Partial<Problem>,
  retryAfterMs: number | undefined,
): ProblemError {
  const { code } = problem;
  const known: ProblemCode = 'outcome_unknown';
  // What has no code is not of the service: a proxy's 503 tells nothing of what was done.
  const isOfOthers = status >= 500 && code === undefined;
  const made = isOfOthers ? ServiceError : (BY_STATUS[status] ?? ServiceError);
  return new (code === known ? OutcomeUnknownError : made)(status, problem, retryAfterMs);
}
