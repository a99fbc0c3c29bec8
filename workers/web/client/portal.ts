// The entry @leadline/client/portal: the endpoints of the portal, for programs and for pages of the service.

import { mayBeDeletedByThisCall } from './delete-thing.ts';
import { NoAnswerError, NotFoundError } from './errors.ts';
import type { Login, PortalCalls, PortalUser } from './portal-wire.ts';
import { type CallOptions, readJson, sendRequest } from './send-request.ts';
import { type ClientOptions, openSession } from './session.ts';

export * from './errors.ts';
export type * from './portal-wire.ts';
export type { CallOptions, ClientOptions };

/** Method and path of an endpoint as in the API reference, for example `POST /apiTokens/{id}/rotate`. */
export type PortalCall = keyof PortalCalls;

export interface PortalOptions extends Omit<ClientOptions, 'token' | 'userToken' | 'renewToken'> {
  /** Token of a session. Pages of the service do not need it: the browser sends the session cookie. */
  readonly session?: string;
}

type Given<Call extends PortalCall> = Omit<PortalCalls[Call], 'answer'> & CallOptions;

export interface Portal {
  /** Token of the session; empty before `signIn`. It has the rights of the user: keep it secret. */
  readonly session: string;
  /** Starts a session, which the calls use from then on. @throws LeadlineError */
  signIn(login: Login, options?: CallOptions): Promise<PortalUser>;
  /**
   * Calls an endpoint. `id`, `query` and `body` are the parts of the request.
   * @throws LeadlineError
   */
  call<Call extends PortalCall>(
    call: Call,
    ...given: Record<never, never> extends Given<Call> ? [Given<Call>?] : [Given<Call>]
  ): Promise<PortalCalls[Call]['answer']>;
}

const PATH = '/api/portal/v1';

/** Streams that end after 40 seconds, files of whole lists, and erasures, which may take a minute. */
const LONG_CALLS: readonly string[] = [
  'GET /jobs/{id}/events',
  'GET /admin/audit.csv',
  'GET /reports.csv',
  'POST /admin/erasure',
  'POST /admin/erasure/count',
] satisfies PortalCall[];

/** The parts of any call. */
interface AnyCall extends CallOptions {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/**
 * Creates a client of the portal. It sends no request until one of its functions is called.
 * @throws TypeError if `address` is not a URL
 */
export function createPortal({ session: token = '', ...options }: PortalOptions): Portal {
  const session = openSession({ ...options, token });
  const send = (call: string, { id = '', query, body, signal }: AnyCall = {}): Promise<unknown> => {
    const [method, template] = call.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    const path = PATH + template.replace('{id}', encodeURIComponent(id));
    const isRepeatable = method === 'DELETE';
    const timeoutFactor = LONG_CALLS.includes(call) ? 4 : 1;
    const request = {
      ...{ method, path, body, signal, isRepeatable, timeoutFactor },
      ...(query && { query }),
    };
    return sendRequest(session, request, read).catch((error: unknown) => {
      if (isRepeatable && error instanceof NotFoundError && mayBeDeletedByThisCall(error))
        return undefined;
      throw error;
    });
  };
  const portal: Portal = {
    get session() {
      return session.token;
    },
    // The table of types names the answer of each call.
    call: (call, ...[given]) => send(call, given as AnyCall) as Promise<never>,
    signIn: async (body, options) => {
      const given = { ...options, body };
      const { token, user } = (await send(
        'link' in body ? 'POST /auth/loginByLink' : 'POST /auth/login',
        given,
      )) as PortalCalls['POST /auth/login']['answer'];
      session.token = token.id;
      return user;
    },
  };
  return portal;
}

/** A value of JSON, the text of a file, or nothing. */
async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (/\bjson\b/.test(type)) return readJson(response);
  if (/\bhtml\b/.test(type)) throw new NoAnswerError('The response is not from the service.');
  return response.text();
}
