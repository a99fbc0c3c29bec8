// Sends a request and retries it if that is safe: after an error that means that nothing was changed, and
// for idempotent requests even after no response.

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

/** Last parameter of every function. */
export interface CallOptions {
  /** Aborts the request and the delay between attempts. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of requests with an idempotency key. */
export interface KeyedOptions extends CallOptions {
  /** `Idempotency-Key`: 1 to 255 printable characters, stored for 24 hours. Default: random. */
  readonly key?: string;
}

export interface Request extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: { readonly [name: string]: QueryValue };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly file?: string | Uint8Array<ArrayBuffer> | Blob;
  /** Sent as `Idempotency-Key`. */
  readonly key?: string | undefined;
  /** Additional headers. */
  readonly headers?: { readonly [name: string]: string };
  /** Whether the request is idempotent, so that it is also retried if the outcome is unknown. */
  readonly isRepeatable?: boolean;
  /** Whether to send the token in the query instead of a header. */
  readonly isTokenInQuery?: boolean;
  /** Factor for the timeout. */
  readonly timeoutFactor?: number;
}

/** Returns a query string. Lists are comma-separated; `undefined`, `null` and empty values are left out. */
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
const MAX_WAIT_MS = 30_000;

/**
 * @param read reads a successful response
 * @throws LeadlineError of the last attempt; the abort reason of `signal`; TypeError for an invalid request
 */
export async function sendRequest<T>(
  session: Session,
  request: Request,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, body } = request;
  // Serialized once for all attempts. Errors of JSON.stringify are thrown unchanged.
  const text = body === undefined ? undefined : JSON.stringify(body);
  let isRenewed = false;
  let mayHaveSucceeded = false;
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
    mayHaveSucceeded ||= isUnknown && (request.method ?? 'GET') !== 'GET';
    error.mayHaveSucceeded = mayHaveSucceeded;
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

/** Whether the service may have carried out the request. */
const isOutcomeUnknown = (error: LeadlineError): boolean =>
  error instanceof NoAnswerError ||
  error instanceof OutcomeUnknownError ||
  (error instanceof ServiceError && error.status >= 500);

/** Delay of `Retry-After`, or else an exponential delay with jitter. */
function waitBefore(error: LeadlineError, attempt: number): number {
  const requestedMs = error instanceof ProblemError ? error.retryAfterMs : undefined;
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS) * (0.5 + Math.random() / 2);
  return requestedMs ?? backoffMs;
}

async function attemptOnce<T>(
  session: Session,
  request: Request,
  text: string | undefined,
  read: (response: Response) => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  const { method = 'GET', path, query, key, signal, isTokenInQuery } = request;
  const allParameters = isTokenInQuery === true ? { ...query, token: session.token } : query;
  const address = session.address + path + queryText(allParameters);
  // Throws a TypeError if a token or key is not a valid header value.
  const headers = new Headers({
    ...(isTokenInQuery === true || session.token === ''
      ? {}
      : { authorization: `Bearer ${session.token}` }),
    ...(session.userToken === undefined ? {} : { 'leadline-user': session.userToken }),
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...request.headers,
  });
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  const timer = setTimeout(
    () => ending.abort(new NoAnswerError('The request to the service timed out.')),
    session.timeoutMs * (request.timeoutFactor ?? 1),
  );
  signal?.addEventListener('abort', end, { once: true });
  try {
    const response = await session.fetch(address, {
      method,
      headers,
      signal: ending.signal,
      ...(text === undefined ? {} : { body: text }),
      ...(request.file === undefined ? {} : { body: request.file }),
    });
    if (!response.ok) throw await refusalOf(response);
    return { value: await read(response) };
  } catch (error) {
    if (error instanceof LeadlineError) return { error };
    if (ending.signal.aborted) return { error: ending.signal.reason };
    // `fetch` throws a TypeError if there is no response or it is incomplete.
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
 * Parses a JSON response. Rejects HTML pages, for example the login page of a captive portal.
 */
export async function readJson<T>(response: Response): Promise<T> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) {
    throw new NoAnswerError('The response is not from the service.');
  }
  return (await response.json()) as T;
}

export const readNothing = async (response: Response): Promise<void> => {
  if (response.status !== 204) throw new NoAnswerError('The response is not from the service.');
};

/** Rejects HTML pages, for example the login page of a captive portal. */
export async function readBytes(response: Response): Promise<Uint8Array> {
  if (/\bhtml\b/.test(response.headers.get('content-type') ?? '')) {
    throw new NoAnswerError('The response is not from the service.');
  }
  return new Uint8Array(await response.arrayBuffer());
}

type Sent = Omit<Request, 'method' | 'path' | 'isRepeatable'>;

/** Functions for requests whose responses are JSON. */
export const jsonRequests = (session: Session) => ({
  get: <T>(path: string, { signal }: CallOptions = {}, query: Request['query'] = {}): Promise<T> =>
    sendRequest(session, { path, query, signal }, readJson<T>),
  /** A request that can be repeated: it has an id or key, or it has no further effect. */
  send: <T>(method: NonNullable<Request['method']>, path: string, sent: Sent): Promise<T> =>
    sendRequest(session, { ...sent, method, path, isRepeatable: true }, readJson<T>),
});
