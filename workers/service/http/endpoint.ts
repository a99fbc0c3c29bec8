// The definition of an endpoint: path, access, parameters, responses and handler. The router and
// the OpenAPI document are both made from these definitions, so they always agree.

import type { Context } from 'hono';
import * as z from 'zod';
import type { PortalRole } from '../../../shared/contract/portal.ts';
import type { Scope } from '../../../shared/contract/scopes.ts';
import type { Caller } from '../identity/auth.ts';
import type { Member } from '../portal/session.ts';
import type { Env, Settings } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import type { RateLimitState } from './minute-counter.ts';
import type { Tag } from './openapi-tags.ts';

interface Variables {
  requestId: string;
  startedAt: number;
  cost: RequestCost;
  settings: Settings;
  caller: Caller | undefined;
  /** The user of a session, for endpoints of the portal. */
  member: Member | undefined;
  /** Id of the matched endpoint, and its group. */
  endpoint: string | undefined;
  tag: Tag;
  /** The `code` of the error response. */
  refusal: string | undefined;
  /** The rate limit that counted the request last. */
  rateLimit: RateLimitState | undefined;
  /** Headers of every response of the endpoint. */
  commonHeaders: Readonly<Record<string, string>> | undefined;
  /** Generated idempotency key of a write, for the Worker for heavy work and the client. */
  writeKey: string | undefined;
}

export type AppEnv = { Bindings: Env; Variables: Variables };
export type AppContext = Context<AppEnv>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: z.ZodType;
  readonly required?: boolean;
  /** Valid for the demo charts. */
  readonly example?: string | number;
}

export const queryParameter = <Name extends string>(
  name: Name,
  description: string,
  schema: z.ZodType,
  more: Pick<Parameter, 'required' | 'example'> = {},
) => ({ name, in: 'query', description, schema, ...more }) as const;

/** The parameter `{id}` of a path. */
export const idParameter = (description: string, example: string) =>
  ({ name: 'id', in: 'path', description, schema: z.string(), required: true, example }) as const;

/** Content type of a form. */
export const FORM = 'multipart/form-data';

export interface Answer {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: z.ZodType;
  /** Schemas for other content types. */
  readonly alsoAs?: Readonly<Record<string, z.ZodType>>;
  /** Instead of a response of the demo charts. */
  readonly example?: unknown;
  /** Of an error response: the code that is most frequent. */
  readonly error?: RefusalCode;
}

/** A response with a JSON body. @param example instead of a response of the demo charts */
export const jsonAnswer = (description: string, schema: z.ZodType, example?: unknown): Answer => ({
  description,
  contentType: 'application/json',
  schema,
  example,
});

export type Access =
  /** Requires no token. */
  | { readonly kind: 'public' }
  /** Accepts a token, and requires one if a setting does. */
  | { readonly kind: 'optional'; readonly isRequired: (settings: Settings) => boolean }
  /** Requires a session of the portal. */
  | { readonly kind: 'session'; readonly role: PortalRole }
  | {
      readonly kind: 'token';
      readonly scope: Scope;
      /** Alternative scopes. */
      readonly orScopes?: readonly Scope[];
      /** A session of the portal with this role is accepted instead of a token. */
      readonly orRole?: PortalRole;
      /** The query must contain a valid token, even if the header does. */
      readonly needsQueryToken?: boolean;
      /** Throws if the plan or pilot status is insufficient, before the body is read. */
      readonly gate?: (caller: Caller, settings: Settings) => void;
    };

export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head';
  /** An OpenAPI path; a `{name}` may have a suffix, such as `{y}.mvt`. */
  readonly path: string;
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  /** Limits, formats and other details. */
  readonly description: string;
  readonly tag: Tag;
  readonly access: Access;
  readonly parameters?: readonly Parameter[];
  /** Whether unknown query parameters are rejected; otherwise they are ignored. */
  readonly isStrict?: boolean;
  readonly body?: {
    readonly schema: z.ZodType;
    readonly description: string;
    /** Valid for the demo charts. */
    readonly example: unknown;
    /** Of a body that is not JSON; its example is the text of the body, or the fields of the form. */
    readonly contentType?: string;
  };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Headers of the response to OPTIONS. */
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  /** Headers of every response, also of errors. The same for all endpoints of a path. */
  readonly commonHeaders?: Readonly<Record<string, string>>;
  /** Whether POST with `X-HTTP-Method-Override` can replace the method. */
  readonly isOverridable?: boolean;
  /** Whether a request takes seconds and counts towards the concurrency limit. */
  readonly isHeavy?: (c: AppContext) => boolean | Promise<boolean>;
  /** Whether a refused request (4xx) does not count towards the limit of heavy work. */
  readonly isCheckedFirst?: boolean;
  /**
   * If present, requests go to the Worker for heavy work if it is bound; this is the error if it
   * fails.
   */
  readonly heavyWorkerFailed?: (c: AppContext) => ApiError;
  /** Adds fields to the errors of admitted requests. */
  readonly refusal?: (error: ApiError) => ApiError;
  readonly handle: (c: AppContext) => Response | Promise<Response>;
}

/** Runs work for an admitted request. @throws ApiError with the fields of the endpoint */
export async function withRefusal(
  { refusal }: Endpoint,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? (refusal?.(error) ?? error) : error;
  }
}

/** Converts an OpenAPI path to the router's syntax. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}(\.\w+)?/g, (_, name: string, suffix?: string) =>
    suffix === undefined ? `:${name}` : `:${name}{[^/]*\\${suffix}}`,
  );
}

/** A path parameter without its suffix. */
export function pathParameter(c: AppContext, name: string, suffix = ''): string {
  const value = c.req.param(name) ?? '';
  return suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value;
}
