// Shared parts of the report endpoints: the viewer, the id in the path, errors and responses.

import * as z from 'zod';
import type { Fault } from '../../../shared/contract/plain-json.ts';
import { readReportId, type Viewer } from '../../../shared/contract/user-report.ts';
import type { Outcome } from '../../../shared/reports/report.ts';
import type { WriteContext } from '../db/report-store.ts';
import {
  type Access,
  type AppContext,
  idParameter,
  type Parameter,
  pathParameter,
} from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import type { PlainHeaders } from '../http/response-headers.ts';
import { closingHeaders } from '../http/response-headers.ts';
import type { Caller } from '../identity/auth.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { hexOf } from '../runtime/hex.ts';

export const REPORTS_PATH = '/api/v1/user-reports';

export const REPORT_ID: Parameter = idParameter(
  'Id of the report, a UUID',
  '00000000-0000-4000-8000-000000000000',
);
export const USER_TOKEN: Parameter = {
  name: 'Leadline-User',
  in: 'header',
  description:
    'User token of an end user, who owns the reports and soundings and has a separate vote',
  schema: z.string(),
};
/** Administrators may read what they may delete. */
export const READ_ACCESS: Access = {
  kind: 'token',
  scope: 'styles',
  orScopes: ['reports:write', 'reports:admin'],
};
export const BAD_REPORT_ID: Fault = { path: 'id', message: 'must be a UUID' };

/** `mount` has already required a token. */
export function callerOf(c: AppContext): Caller {
  const caller = c.get('caller');
  if (caller === undefined) throw new ApiError('token_required');
  return caller;
}

/**
 * The end user that a request is about. A user token is verified; a field of the request is not.
 * @param given `externalUserId` of the request
 */
export const namedUserOf = <Given extends string | null | undefined>(
  c: AppContext,
  given: Given,
): string | Given => callerOf(c).endUser ?? given;

export function viewerOf(c: AppContext): Viewer {
  const { account, subject, isKnown, isPublic } = callerOf(c);
  const { exposeExternalUserId: exposure } = c.get('settings');
  return { account, subject, isKnown, isSecret: !isPublic, exposure };
}

/** A write with an id that is the same in every attempt. */
export const writeContext = (c: AppContext): WriteContext => ({
  writeId: crypto.randomUUID(),
  nowMs: Date.now(),
  caller: callerOf(c),
});

/** @throws ApiError 400 */
export function reportIdOf(c: AppContext): string {
  const id = readReportId(pathParameter(c, 'id'));
  if (id === undefined) throw invalidInput('bad_report', [BAD_REPORT_ID]);
  return id;
}

export function outcomeError(
  outcome: Exclude<Outcome, 'done'>,
  wanted: 'vote' | 'delete',
): ApiError {
  if (outcome === 'missing') return new ApiError('report_not_found');
  if (outcome === 'gone') return new ApiError('report_gone');
  return new ApiError(wanted === 'vote' ? 'own_report' : 'not_owner');
}

export function sendReport(
  c: AppContext,
  text: string,
  status: 200 | 201,
  headers: PlainHeaders = {},
): Response {
  // Set all headers at once: each later change calls out of the JavaScript engine.
  return new Response(text, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
      ...closingHeaders(c),
    },
  });
}

/** Seconds for which an answer may be cached; afterwards clients revalidate it with its ETag. */
const MAX_AGE_S = {
  list: 5,
  // Map libraries reload each visible tile when it expires.
  tile: 30,
} as const;

/** Sends a list or 304. */
export function sendList(
  c: AppContext,
  text: string,
  format: 'json' | 'geojson',
): Promise<Response> {
  const type = format === 'json' ? 'application/json' : 'application/geo+json';
  return sendPrivate(c, 'list', new TextEncoder().encode(text), `${type}; charset=utf-8`);
}

/** Sends a list or tile, or 304. It is private because it shows which reports the caller owns. */
export async function sendPrivate(
  c: AppContext,
  kind: keyof typeof MAX_AGE_S,
  bytes: Uint8Array,
  contentType: string,
): Promise<Response> {
  const body = bytes as Uint8Array<ArrayBuffer>;
  const digest = await crypto.subtle.digest('SHA-1', body);
  const etag = `"${hexOf(new Uint8Array(digest, 0, 10))}"`;
  const headers = {
    etag,
    'cache-control': `private, max-age=${MAX_AGE_S[kind]}`,
    vary: 'Authorization, Leadline-User',
  };
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, 'content-type': contentType });
}
