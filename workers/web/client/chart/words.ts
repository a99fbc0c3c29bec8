// Failures as sentences for whoever looks at the chart.

import {
  LeadlineError,
  NoAnswerError,
  NotAllowedError,
  ProblemError,
  TokenError,
} from '../index.ts';

/** @param what could not be done, as the beginning of a sentence: `The chart cannot be shown` */
export function wordsOf(what: string, error: unknown): string {
  return `${what}: ${reasonOf(error)}`;
}

const REASONS = {
  token: 'its token is missing, has expired or is not valid.',
  notAllowed: 'its token does not permit it.',
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

/** What MapLibre could not fetch. Its own words have the whole address, and so the token. */
interface FetchError {
  /** 0 where no answer came. */
  readonly status: number;
  readonly url: string;
}

const isOfMapLibre = (error: unknown): error is FetchError =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  'url' in error &&
  typeof error.url === 'string';

function reasonOfStatus({ status, url }: FetchError): string {
  if (status === 0) return REASONS.noAnswer;
  if (status === 401) return REASONS.token;
  if (status === 403) return REASONS.notAllowed;
  return `${url.replace(/[?#].*$/s, '')} answered ${status}.`;
}

/** Whether the same may go well in a while. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof ProblemError && (error.status >= 500 || error.status === 429)) ||
  !(error instanceof LeadlineError);
