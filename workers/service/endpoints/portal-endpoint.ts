// Defines endpoints of the portal. Their queries and bodies are validated before the handler runs, and its
// result is sent as JSON that is not cached.

import type * as z from 'zod';
import type { PortalRole } from '../../../shared/contract/portal.ts';
import type { QueryParameters, QueryValues } from '../../../shared/contract/query.ts';
import type { Access, Answer, AppContext, Endpoint, Parameter } from '../http/endpoint.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { readBody } from '../http/read-json.ts';
import type { Member } from '../portal/session.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { badQuery } from './page-query.ts';

export const PORTAL_PATH = '/api/portal/v1';
const MAX_BODY_BYTES = 16_384;

/** A valid request for an endpoint of the portal. */
interface PortalRequest<Body, Query extends QueryParameters> {
  readonly c: AppContext;
  readonly env: Env;
  readonly body: Body;
  readonly query: QueryValues<Query>;
  /** `{id}` of the path. */
  readonly id: string;
  /** The user of the session; throws without one. */
  readonly member: Member;
  readonly sessionId: string;
}

interface PortalEndpoint<Schema extends z.ZodType, Query extends QueryParameters>
  extends Omit<Endpoint, 'tag' | 'access' | 'parameters' | 'body' | 'answers' | 'handle'> {
  /** The role that the session needs, or another way to get access. */
  readonly access: PortalRole | Access;
  readonly pathParameter?: Parameter;
  readonly headers?: readonly Parameter[];
  readonly query?: Query;
  readonly body?: Endpoint['body'] & { readonly schema: Schema };
  /** Without the responses to an invalid query or body. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** @returns the body of the response, `undefined` for an empty one, or the response */
  readonly handle: (request: PortalRequest<z.output<Schema>, Query>) => unknown;
}

export function portalEndpoint<
  Schema extends z.ZodType = z.ZodType,
  Query extends QueryParameters = Record<never, never>,
>(given: PortalEndpoint<Schema, Query>): Endpoint {
  const { access, pathParameter, headers = [], query, body, answers, handle, ...more } = given;
  // Handlers read other bodies themselves.
  const isJson = body !== undefined && body.contentType === undefined;
  const ofPath = pathParameter === undefined ? [] : [pathParameter];
  const parameters = [...ofPath, ...headers, ...queryParameters(query ?? {})];
  const status = Number(Object.keys(answers)[0]) as 200 | 201 | 202;
  return {
    ...more,
    tag: 'Portal',
    access: typeof access === 'string' ? { kind: 'session', role: access } : access,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { body }),
    answers: { ...(query && { 400: badQuery }), ...(isJson && { 400: badBody }), ...answers },
    handle: async (c) => {
      const result = await toItsEnd(c, async () =>
        handle({
          c,
          env: c.env,
          query: queryOf(c, query ?? ({} as Query)),
          body: (isJson &&
            (await readBody(
              c,
              body.schema,
              MAX_BODY_BYTES,
              'bad_portal_request',
            ))) as z.output<Schema>,
          id: c.req.param('id') ?? '',
          get member() {
            return portalMember(c);
          },
          get sessionId() {
            return portalMember(c).sessionId;
          },
        }),
      );
      if (result instanceof Response) return result;
      return result === undefined ? c.body(null, 204, NO_STORE) : c.json(result, status, NO_STORE);
    },
  };
}

/**
 * A client that disconnects does not stop the work: a password hash would keep its place in the queue, and a
 * revocation would be in the database, but not in the edge store.
 */
function toItsEnd<T>(c: AppContext, work: () => Promise<T>): Promise<T> {
  const result = work();
  c.get('cost').defer(result.catch(() => undefined));
  return result;
}

export const NO_STORE = { 'cache-control': 'no-store' } as const;

const badBody = {
  description: 'A field is missing or invalid; `errors` lists it',
  error: 'bad_portal_request',
} as const;

/** `mount` has already required a session. */
function portalMember(c: AppContext): Member {
  const member = c.get('member');
  if (member === undefined) throw new ApiError('session_required');
  return member;
}
