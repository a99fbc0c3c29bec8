// Error messages for users.

import {
  LeadlineError,
  NoAnswerError,
  NotAllowedError,
  ProblemError,
  TokenError,
} from '../index.ts';

/** @param what start of the message, for example `The chart cannot be shown` */
export function wordsOf(what: string, error: unknown): string {
  return `${what}: ${reasonOf(error)}`;
}

const REASONS = {
  token: 'the token is missing, expired or invalid.',
  notAllowed: 'the token does not permit this.',
  noAnswer: 'the service cannot be reached.',
} as const;

function reasonOf(error: unknown): string {
  if (isOfMapLibre(error)) return reasonOfStatus(error);
  if (error instanceof TokenError) return REASONS.token;
  if (error instanceof NotAllowedError) return REASONS.notAllowed;
  if (error instanceof NoAnswerError) return REASONS.noAnswer;
  if (error instanceof ProblemError && error.errors.length > 0) {
    return `${error.errors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A failed request of MapLibre. Its message contains the full URL and so the token. */
interface FetchError {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly url: string;
}

const isOfMapLibre = (error: unknown): error is FetchError =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  'url' in error &&
  typeof error.url === 'string';

/** Whether a tile failed because of the token or the network, as all other tiles do. */
export const isOfAllTiles = (error: unknown): boolean =>
  isOfMapLibre(error) && [0, 401, 403].includes(error.status);

function reasonOfStatus({ status, url }: FetchError): string {
  if (status === 0) return REASONS.noAnswer;
  if (status === 401) return REASONS.token;
  if (status === 403) return REASONS.notAllowed;
  return `${url.replace(/[?#].*$/s, '')} returned status ${status}.`;
}

/** Whether a retry may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof ProblemError && (error.status >= 500 || error.status === 429)) ||
  !(error instanceof LeadlineError);
