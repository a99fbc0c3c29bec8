// One request, sent again where that is safe: after a refusal that says "not done, come back", or,
// where doing it twice is doing it once, also after no answer at all.

import { readRetryAfter } from '../../../shared/contract/retry-after.ts';
import {
  LeadlineError,
  NoAnswerError,
  OutcomeUnknownError,
  ProblemError,
  problemError,
  ServiceError,
  TooOftenError,
  UnavailableError,
} from './errors.ts';
import type { Session } from './session.ts';
import type { Problem } from './wire.ts';

type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** What every function takes last. */
export interface CallOptions {
  /** Ends the request, and the waiting between attempts. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of what is carried out once, however often it is sent. */
export interface KeyedOptions extends CallOptions {
  /** `Idempotency-Key`, 1 to 255 printable characters, known for 24 hours; a random one unless said. */
  readonly key?: string;
}

export interface Request extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: { readonly [name: string]: QueryValue };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `Idempotency-Key`: the service carries it out once. */
  readonly key?: string | undefined;
  /** Beside those of the session. */
  readonly headers?: { readonly [name: string]: string };
  /** Doing it twice is doing it once: it is sent again also where an outcome is not known. */
  readonly isRepeatable?: boolean;
  /** Where the service takes the token from the query alone. */
  readonly isTokenInQuery?: boolean;
  /** How many times as long as others it may take. */
  readonly patience?: number;
}

/** Lists are separated by commas; what is undefined, null or empty is left out. */
export function queryText(query: Request['query'] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = String(value ?? '');
    if (text !== '') given.set(name, text);
  }
  const text = given.toString();
  return text === '' ? '' : `?${text}`;
}

const FIRST_WAIT_MS = 1000;
const MOST_WAIT_MS = 30_000;

/**
 * @param read what is wanted of a successful answer
 * @throws LeadlineError as the last attempt failed; what the signal was aborted with; TypeError for
 *   what can be no request
 */
export async function sendRequest<T>(
  session: Session,
  request: Request,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, body } = request;
  // Once for all attempts; what cannot be written as JSON is the app's own mistake, and thrown as it is.
  const text = body === undefined ? undefined : JSON.stringify(body);
  let isRenewed = false;
  let mayBeDone = false;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const failure = await attemptOnce(session, request, text, read);
    if ('value' in failure) return failure.value;
    const { error } = failure;
    signal?.throwIfAborted();
    if (!(error instanceof LeadlineError)) throw error;
    const isExpired = error instanceof ProblemError && error.code === 'token_expired';
    if (isExpired && !isRenewed && session.renewToken !== undefined) {
      isRenewed = true;
      session.token = await session.renewToken();
      attempt--;
      continue;
    }
    const isUnknown = isOutcomeUnknown(error);
    mayBeDone ||= isUnknown && (request.method ?? 'GET') !== 'GET';
    error.mayBeDone = mayBeDone;
    const isPassing =
      isUnknown || error instanceof TooOftenError || error instanceof UnavailableError;
    const isSafe =
      !isUnknown || request.isRepeatable === true || (request.method ?? 'GET') === 'GET';
    const waitMs = waitBefore(error, attempt);
    if (!isPassing || !isSafe || attempt >= session.retries || waitMs > session.longestWaitMs) {
      throw error;
    }
    await session.wait(waitMs, signal);
  }
}

/** Whether it is not known that the service did nothing. */
const isOutcomeUnknown = (error: LeadlineError): boolean =>
  error instanceof NoAnswerError ||
  error instanceof OutcomeUnknownError ||
  (error instanceof ServiceError && error.status >= 500);

/** As the service asks; else twice as long each time, spread so that a fleet does not come at once. */
function waitBefore(error: LeadlineError, attempt: number): number {
  const asked = error instanceof ProblemError ? error.retryAfterMs : undefined;
  const own = Math.min(FIRST_WAIT_MS * 2 ** attempt, MOST_WAIT_MS) * (0.5 + Math.random() / 2);
  return asked ?? own;
}

async function attemptOnce<T>(
  session: Session,
  request: Request,
  text: string | undefined,
  read: (response: Response) => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  const { method = 'GET', path, query, key, signal, isTokenInQuery } = request;
  const asked = isTokenInQuery === true ? { ...query, token: session.token } : query;
  const address = session.address + path + queryText(asked);
  // Throws for a token or a key that no header can carry.
  const headers = new Headers({
    ...(isTokenInQuery === true ? {} : { authorization: `Bearer ${session.token}` }),
    ...(session.userToken === undefined ? {} : { 'leadline-user': session.userToken }),
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...request.headers,
  });
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  const timer = setTimeout(
    () => ending.abort(new NoAnswerError('The service did not answer in time.')),
    session.timeoutMs * (request.patience ?? 1),
  );
  signal?.addEventListener('abort', end, { once: true });
  try {
    const response = await session.fetch(address, {
      method,
      headers,
      signal: ending.signal,
      ...(text === undefined ? {} : { body: text }),
    });
    if (!response.ok) throw await refusalOf(response);
    return { value: await read(response) };
  } catch (error) {
    if (error instanceof LeadlineError) return { error };
    if (ending.signal.aborted) return { error: ending.signal.reason };
    // What `fetch` throws where no answer comes, or where it breaks off.
    return { error: new NoAnswerError('The service cannot be reached.', { cause: error }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

async function refusalOf(response: Response): Promise<ProblemError> {
  const problem: unknown = await response.json().catch(() => undefined);
  const isProblem = typeof problem === 'object' && problem !== null;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
  return problemError(
    response.status,
    isProblem ? (problem as Partial<Problem>) : {},
    retryAfterMs,
  );
}

/**
 * An answer in JSON. Networks of harbours and ships answer with a page of their own until one has
 * logged in there: that is no answer of the service.
 */
export async function readJson<T>(response: Response): Promise<T> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) {
    throw new NoAnswerError('Something else answered in place of the service.');
  }
  return (await response.json()) as T;
}

export const readNothing = async (response: Response): Promise<void> => {
  if (response.status !== 204) throw new NoAnswerError('Something else answered in its place.');
};
