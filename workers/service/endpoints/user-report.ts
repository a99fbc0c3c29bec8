// GET and DELETE /api/v1/user-reports/{id}

import { presentReport, reportSchema } from '../../../shared/contract/user-report.ts';
import { stateOf } from '../../../shared/reports/report.ts';
import { deleteReport, findReport } from '../db/report-store.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { type ApiError, reportGone, reportNotFound, userTokenRequired } from '../runtime/errors.ts';
import {
  callerOf,
  outcomeError,
  REPORT_ID,
  REPORTS_PATH,
  reportIdOf,
  sendReport,
  USER_TOKEN,
  viewerOf,
  writeContext,
} from './report-requests.ts';

const common = {
  path: `${REPORTS_PATH}/{id}`,
  tag: 'Reports',
  parameters: [REPORT_ID, USER_TOKEN],
} as const;

const found = (description: string) => ({
  description,
  contentType: 'application/json',
  schema: reportSchema,
});

export const userReport: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    id: 'getUserReport',
    summary: 'One active report; to an administrator, one in any state.',
    description: 'A deleted report answers 410, one that never was 404.',
    access: { kind: 'token', scope: 'styles', orScope: 'reports:write' },
    answers: {
      200: found('The report'),
      400: { description: 'The id is no UUID' },
      404: { description: 'There is no such report' },
      410: { description: 'It was deleted or has expired' },
    },
    handle: async (c) => {
      const id = reportIdOf(c);
      const nowMs = Date.now();
      const report = await findReport(c.env, id);
      if (report === undefined) throw reportNotFound();
      const isAdmin = callerOf(c).scopes.has('reports:admin');
      if (stateOf(report, nowMs) !== 'active' && !isAdmin) throw reportGone();
      return sendReport(c, presentReport(report, viewerOf(c), nowMs), 200);
    },
  },
  {
    ...common,
    method: 'delete',
    id: 'deleteUserReport',
    summary: 'Delete a report of one’s own; an administrator, any.',
    description: 'The report is not shown from then on; its id stays taken.',
    access: { kind: 'token', scope: 'reports:write', orScope: 'reports:admin' },
    answers: {
      200: found('The report as it was deleted'),
      400: { description: 'The id is no UUID' },
      403: {
        description: 'Neither its owner nor an administrator, or a public token without a user',
      },
      404: { description: 'There is no such report' },
      410: { description: 'It was deleted before' },
    },
    handle: async (c) => {
      const id = reportIdOf(c);
      const context = writeContext(c);
      const isAdmin = context.caller.scopes.has('reports:admin');
      if (!context.caller.isKnown) throw await refusalWithoutUser(c, id);
      const answered = await withOutcomeLookup({ id }, deleteReport(c.env, context, isAdmin, id));
      if (answered.outcome !== 'done') throw outcomeError(answered.outcome, 'delete');
      return sendReport(c, presentReport(answered.report, viewerOf(c), context.nowMs), 200);
    },
  },
];

/** The report belongs to one of very many; the order of refusals is as for everybody else. */
async function refusalWithoutUser(c: AppContext, id: string): Promise<ApiError> {
  const report = await findReport(c.env, id);
  if (report === undefined) return reportNotFound();
  return report.deletedAt === null ? userTokenRequired() : reportGone();
}
