// What an endpoint is: its address, who may use it, what it takes and answers, and the handler. The
// router and the OpenAPI document are both made from these, so neither can drift from the other.

import type { Context } from 'hono';
import type * as z from 'zod';
import type { Scope } from '../../../shared/contract/scopes.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env, Settings } from '../runtime/env.ts';
import type { ApiError } from '../runtime/errors.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import type { Tag } from './openapi-tags.ts';
import type { RateLimitState } from './rate-limit.ts';

interface Variables {
  requestId: string;
  startedAt: number;
  cost: RequestCost;
  settings: Settings;
  caller: Caller | undefined;
  /** Id of the endpoint that answers. */
  endpoint: string | undefined;
  /** Code of the refusal that it ended with. */
  refusal: string | undefined;
  /** The limit that the request was counted in last. */
  rateLimit: RateLimitState | undefined;
  /** Names a write whose client gave it no key, to the Worker that does it and to the client. */
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
  /** Works on the demo charts. */
  readonly example?: string | number;
}

export interface Answer {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: z.ZodType;
  /** The same in other content types. */
  readonly alsoAs?: Readonly<Record<string, z.ZodType>>;
}

export type Access =
  /** No token is asked for. */
  | { readonly kind: 'public' }
  /** A token is looked at when it comes along, and asked for where the deployment says so. */
  | { readonly kind: 'optional'; readonly isRequired: (settings: Settings) => boolean }
  | {
      readonly kind: 'token';
      readonly scope: Scope;
      /** Another scope that serves as well. */
      readonly orScope?: Scope;
      /** The query must hold a valid token, whatever the header says. */
      readonly needsQueryToken?: boolean;
      /** Refuses before anything is read: plans, pilots. */
      readonly gate?: (caller: Caller, settings: Settings) => void;
    };

export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As in OpenAPI; a `{name}` may be followed by a suffix, as in `{y}.mvt`. */
  readonly path: string;
  readonly id: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** What one must know beside that: limits, formats, what is kept. */
  readonly description: string;
  readonly tag: Tag;
  readonly access: Access;
  readonly parameters?: readonly Parameter[];
  /** Whether a query parameter that is not among these is refused; otherwise it is ignored. */
  readonly isStrict?: boolean;
  readonly body?: {
    readonly schema: z.ZodType;
    readonly description: string;
    /** Works on the demo charts. */
    readonly example: unknown;
  };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Whether a request is work of seconds, of which a caller may have little at once. */
  readonly isHeavy?: (c: AppContext) => boolean;
  /** Its work is the heavy Worker's, where there is one; what is answered when that fails. */
  readonly heavyWorkerFailed?: (c: AppContext) => ApiError;
  readonly handle: (c: AppContext) => Response | Promise<Response>;
}

/** An OpenAPI path in the router's words: `{y}.mvt` is a segment that ends in `.mvt`. */
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
