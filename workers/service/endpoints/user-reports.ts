// POST and GET /api/v1/user-reports

import * as z from 'zod';
import { INEXACT_NUMBER, preservesNumbersOf } from '../../../shared/contract/exact-numbers.ts';
import {
  MAX_REPORTS,
  presentReports,
  REPORT_PARAMETERS,
  reportCollectionSchema,
  reportListSchema,
} from '../../../shared/contract/report-list.ts';
import {
  PAGE_PARAMETERS,
  PAGE_SELECTORS,
  presentPage,
  reportPageSchema,
} from '../../../shared/contract/report-pages.ts';
import {
  newReportSchema,
  presentReport,
  readNewReport,
  reportSchema,
} from '../../../shared/contract/user-report.ts';
import type { Report } from '../../../shared/reports/report.ts';
import { type DeletedOf, listReports, pageReports } from '../db/report-lists.ts';
import { createReport } from '../db/report-store.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { IDEMPOTENCY_KEY, idempotencyKeyOf, withOutcomeLookup } from '../http/idempotency-key.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { readJsonBody, textOf } from '../http/read-json.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { sha256 } from '../runtime/sha256.ts';
import { scopeRequired } from '../runtime/token-errors.ts';
import {
  callerOf,
  namedUserOf,
  READ_ACCESS,
  REPORTS_PATH,
  sendList,
  sendReport,
  USER_TOKEN,
  viewerOf,
  writeContext,
} from './report-requests.ts';

export const userReports: readonly Endpoint[] = [
  {
    method: 'post',
    path: REPORTS_PATH,
    id: 'createUserReport',
    summary: 'Creates a report of a hazard, an accident, weather or wildlife.',
    description:
      'To make retries safe, choose the `id`, a UUID, or send an `Idempotency-Key`: a second report with the same id returns 409. The lifetime of a report depends on its kind.',
    tag: 'Reports',
    access: { kind: 'token', scope: 'reports:write' },
    parameters: [IDEMPOTENCY_KEY, USER_TOKEN],
    body: {
      schema: newReportSchema,
      description: 'The kind of the report, its position and details',
      example: {
        reportType: 'hazard',
        position: { latitude: -30.01, longitude: -19.99 },
        properties: { description: 'Lobster pots across the channel' },
      },
    },
    answers: {
      201: jsonAnswer('The created report', reportSchema),
      400: { description: 'A field is missing or invalid; `errors` lists it', error: 'bad_report' },
      403: { description: 'A moderator has blocked the user', error: 'user_blocked' },
      409: {
        description:
          'A report with this id exists (`owned` is true if it is yours), or the idempotency key was used with a different body',
        error: 'report_exists',
      },
    },
    handle: async (c) => {
      const caller = callerOf(c);
      const {
        expiryJson: lifetimesMs,
        reportMaxBodyBytes,
        reportMaxPropertiesBytes,
      } = c.get('settings');
      const { object, bytes } = await readJsonBody(c, reportMaxBodyBytes);
      const key = idempotencyKeyOf(c);
      const input = readNewReport(object, reportMaxPropertiesBytes);
      if ('faults' in input) throw invalidInput('bad_report', input.faults);
      if (!preservesNumbersOf('properties', textOf(bytes))) {
        // The number can be an id, and could not be returned unchanged.
        throw invalidInput('bad_report', [{ path: 'properties', message: INEXACT_NUMBER }]);
      }
      const context = writeContext(c);
      const { nowMs } = context;
      const report: Report = {
        ...input,
        id: input.id ?? crypto.randomUUID(),
        externalUserId: namedUserOf(c, input.externalUserId),
        owner: { account: caller.account, subject: caller.subject },
        namespace: 'public',
        upvotes: 0,
        downvotes: 0,
        createdAt: nowMs,
        updatedAt: nowMs,
        expiresAt: nowMs + lifetimesMs[input.kind],
        expiredAt: null,
        deletedAt: null,
      };
      const keyed = { key, bodySha256: await sha256(bytes) };
      const creation = await withOutcomeLookup(
        { id: report.id, idempotencyKey: key },
        createReport(c.env, context, keyed, report),
      );
      if ('refused' in creation) {
        if (creation.refused === 'other_body') throw new ApiError('idempotency_key_reused');
        const isOwn = creation.refused === 'taken_by_caller';
        // Only this request can have used a generated id: its first attempt created the report, the
        // response was lost, and another user voted before the second attempt.
        if (!isOwn || input.id !== undefined)
          throw new ApiError('report_exists', undefined, { members: isOwn ? { owned: true } : {} });
      }
      // A repeated request gets the original response, even if the report has changed since.
      const original = 'made' in creation ? creation.made : report;
      const { createdAt } = original;
      const id = input.id ?? original.id;
      const first: Report = { ...report, id, createdAt, updatedAt: createdAt };
      // The creator is the owner, although others may use the same public token, and sent its `externalUserId`.
      const maker = { ...viewerOf(c), isKnown: true, isSecret: true };
      return sendReport(c, presentReport(first, maker, createdAt), 201, {
        location: `${REPORTS_PATH}/${id}`,
      });
    },
  },
  {
    method: 'get',
    path: REPORTS_PATH,
    id: 'listUserReports',
    summary: 'Lists active reports in a bounding box, newest first.',
    description:
      'The list is paginated and does not contain deleted or expired reports. `format=geojson` returns a FeatureCollection. Pages have a cursor; with `offset` or `includeExpired` they have `total`, `limit` and `offset` instead.',
    tag: 'Reports',
    access: READ_ACCESS,
    parameters: [USER_TOKEN, ...queryParameters({ ...REPORT_PARAMETERS, ...PAGE_SELECTORS })],
    answers: {
      200: {
        description: `At most ${MAX_REPORTS} reports; \`nextCursor\` is null on the last page. With \`offset\` or \`includeExpired\`, a page with \`total\``,
        contentType: 'application/json',
        schema: z
          .union([reportListSchema, reportPageSchema])
          .meta({ id: 'UserReports', description: 'A page of reports by cursor or by offset' }),
        alsoAs: { 'application/geo+json': reportCollectionSchema },
      },
      304: { description: 'Not modified' },
      400: { description: 'A parameter is invalid; `errors` lists it', error: 'bad_query' },
      404: {
        description: 'Lists of reports are disabled (REPORTS_LISTING=off)',
        error: 'not_found',
      },
    },
    handle: async (c) => {
      if (!c.get('settings').reportsListing) throw new ApiError('not_found');
      const isPage = Object.keys(PAGE_SELECTORS).some((name) => c.req.queries(name)?.some(Boolean));
      return isPage ? sendPage(c) : sendCursorPage(c);
    },
  },
];

const isAdmin = (c: AppContext) => callerOf(c).scopes.has('reports:admin');

/** @throws ApiError 400; 403 if only administrators may list deleted reports */
async function sendCursorPage(c: AppContext): Promise<Response> {
  const query = queryOf(c, REPORT_PARAMETERS);
  if (query.includeDeleted && !isAdmin(c)) throw scopeRequired('reports:admin');
  const nowMs = Date.now();
  const found = await listReports(c.env, query, nowMs);
  return sendList(c, presentReports(found, query, viewerOf(c), nowMs), query.format);
}

async function sendPage(c: AppContext): Promise<Response> {
  const query = queryOf(c, PAGE_PARAMETERS);
  const viewer = viewerOf(c);
  const nowMs = Date.now();
  const page = await pageReports(c.env, query, deletedFor(c, query), viewer, nowMs);
  return sendList(c, presentPage(page, query, viewer, nowMs), 'json');
}

/** A public token without an end user owns no reports: any of its holders may have made them. */
function deletedFor(c: AppContext, { includeDeleted }: { includeDeleted: boolean }): DeletedOf {
  if (!includeDeleted) return 'none';
  if (isAdmin(c)) return 'all';
  return callerOf(c).isKnown ? 'own' : 'none';
}
