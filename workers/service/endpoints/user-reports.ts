// POST and GET /api/v1/user-reports. The list is also the source of maps with showUserReports.

import * as z from 'zod';
import { keepsNumbersOf, UNKEPT_NUMBER } from '../../../shared/contract/exact-numbers.ts';
import {
  MAX_REPORTS,
  presentReports,
  REPORT_PARAMETERS,
  type ReportQuery,
  readReportQuery,
  reportCollectionSchema,
  reportListSchema,
} from '../../../shared/contract/report-list.ts';
import {
  newReportSchema,
  presentReport,
  readNewReport,
  reportSchema,
} from '../../../shared/contract/user-report.ts';
import type { Report } from '../../../shared/reports/report.ts';
import { createReport, listReports } from '../db/report-store.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { IDEMPOTENCY_KEY, idempotencyKeyOf, withOutcomeLookup } from '../http/idempotency-key.ts';
import { readJsonBody, textOf } from '../http/read-json.ts';
import { idempotencyKeyReused, notFound, reportExists } from '../runtime/errors.ts';
import { sha256 } from '../runtime/sha256.ts';
import { scopeRequired } from '../runtime/token-errors.ts';
import {
  badReport,
  callerOf,
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
    summary: 'Report a hazard, an accident, weather or wildlife at a position.',
    description:
      'The client may choose the `id`, a UUID, so that a retry is known: a second report of that id is 409. How long a report lives follows from its kind.',
    tag: 'Reports',
    access: { kind: 'token', scope: 'reports:write' },
    parameters: [IDEMPOTENCY_KEY, USER_TOKEN],
    body: {
      schema: newReportSchema,
      description:
        'What was seen and where; an `id` or a key of one’s own makes it safe to send again',
      example: {
        reportType: 'hazard',
        position: { latitude: -30.01, longitude: -19.99 },
        properties: { description: 'Lobster pots across the channel' },
      },
    },
    answers: {
      201: { description: 'Taken', contentType: 'application/json', schema: reportSchema },
      400: { description: 'A field is missing or wrong; it is named' },
      409: {
        description:
          'The id is used already, `owned` where by the caller; or the key was used with another body',
      },
    },
    handle: async (c) => {
      const caller = callerOf(c);
      const { reportLifetimesMs, reportMaxBodyBytes, reportMaxPropertiesBytes } = c.get('settings');
      const key = idempotencyKeyOf(c);
      const { object, bytes } = await readJsonBody(c, reportMaxBodyBytes);
      const input = readNewReport(object, reportMaxPropertiesBytes);
      if ('faults' in input) throw badReport(input.faults);
      if (!keepsNumbersOf('properties', textOf(bytes))) {
        // It would be another one when it came back.
        throw badReport([{ path: 'properties', message: UNKEPT_NUMBER }]);
      }
      const context = writeContext(c);
      const { nowMs } = context;
      const report: Report = {
        ...input,
        id: input.id ?? crypto.randomUUID(),
        // What a user token says of its user is certain, what a body says is not.
        externalUserId: caller.endUser ?? input.externalUserId,
        owner: { account: caller.account, subject: caller.subject },
        namespace: 'public',
        upvotes: 0,
        downvotes: 0,
        createdAt: nowMs,
        updatedAt: nowMs,
        expiresAt: nowMs + reportLifetimesMs[input.kind],
        expiredAt: null,
        deletedAt: null,
      };
      const keyed = { key, bodySha256: await sha256(bytes) };
      const creation = await withOutcomeLookup(
        { id: report.id, idempotencyKey: key },
        createReport(c.env, context, keyed, report),
      );
      if ('refused' in creation) {
        if (creation.refused === 'other_body') throw idempotencyKeyReused();
        const isOwn = creation.refused === 'taken_by_caller';
        // An id of our own making can be taken by this request alone: its first attempt made the report, the
        // answer was lost, and somebody voted before the second.
        if (!isOwn || input.id !== undefined) throw reportExists(isOwn);
      }
      // A request that came again is answered as the first time, whatever became of the report since.
      const made = 'made' in creation ? creation.made : report;
      const { createdAt } = made;
      const id = input.id ?? made.id;
      const first: Report = { ...report, id, createdAt, updatedAt: createdAt };
      // Whoever has just made it is its owner, though others may hold the same public token.
      const maker = { ...viewerOf(c), isKnown: true };
      return sendReport(c, presentReport(first, maker, createdAt), 201, {
        location: `${REPORTS_PATH}/${id}`,
      });
    },
  },
  {
    method: 'get',
    path: REPORTS_PATH,
    id: 'listUserReports',
    isStrict: true,
    summary: 'Active reports in a box, newest first, a page at a time.',
    description:
      'Deleted and expired reports are not among them. `format=geojson` answers a FeatureCollection.',
    tag: 'Reports',
    access: { kind: 'token', scope: 'styles', orScope: 'reports:write' },
    parameters: [
      USER_TOKEN,
      ...Object.entries(REPORT_PARAMETERS).map(([name, description]) => ({
        name,
        in: 'query' as const,
        description,
        schema: z.string(),
      })),
    ],
    answers: {
      200: {
        description: `At most ${MAX_REPORTS}; \`nextCursor\` is null on the last page`,
        contentType: 'application/json',
        schema: reportListSchema,
        alsoAs: { 'application/geo+json': reportCollectionSchema },
      },
      304: { description: 'As it was' },
      400: { description: 'A parameter is wrong; it is named' },
      404: { description: 'This deployment lists no reports' },
    },
    handle: async (c) => {
      if (!c.get('settings').reportsListing) throw notFound();
      const query = readQuery(c);
      const nowMs = Date.now();
      const found = await listReports(c.env, query, nowMs);
      const text = presentReports(found, query, viewerOf(c), nowMs);
      return sendList(c, text, query.format);
    },
  },
];

/** @throws ApiError 400 that names every parameter at fault; 403 for who may not ask for the deleted */
function readQuery(c: AppContext): ReportQuery {
  const query = readReportQuery((name) => c.req.queries(name) ?? []);
  if ('faults' in query) throw badReport(query.faults, 'bad_query');
  if (query.includeDeleted && !callerOf(c).scopes.has('reports:admin')) {
    throw scopeRequired('reports:admin');
  }
  return query;
}
