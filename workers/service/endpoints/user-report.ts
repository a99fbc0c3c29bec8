// GET and DELETE /api/v1/user-reports/{id}

import { presentReport, reportSchema } from '../../../shared/contract/user-report.ts';
import { stateOf } from '../../../shared/reports/report.ts';
import { deleteReport, findReport } from '../db/report-store.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { ApiError } from '../runtime/errors.ts';
import {
  callerOf,
  outcomeError,
  READ_ACCESS,
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

const found = (description: string) => jsonAnswer(description, reportSchema);

export const userReport: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    id: 'getUserReport',
    summary: 'Returns an active report.',
    description: 'Administrators can also read deleted and expired reports.',
    access: READ_ACCESS,
    answers: {
      200: found('The report'),
      400: { description: 'The id is not a UUID', error: 'bad_report' },
      404: { description: 'There is no report with this id', error: 'report_not_found' },
      410: { description: 'The report was deleted or has expired', error: 'report_gone' },
    },
    handle: async (c) => {
      const id = reportIdOf(c);
      const nowMs = Date.now();
      const report = await findReport(c.env, id);
      if (report === undefined) throw new ApiError('report_not_found');
      const isAdmin = callerOf(c).scopes.has('reports:admin');
      if (stateOf(report, nowMs) !== 'active' && !isAdmin) throw new ApiError('report_gone');
      return sendReport(c, presentReport(report, viewerOf(c), nowMs), 200);
    },
  },
  {
    ...common,
    method: 'delete',
    id: 'deleteUserReport',
    summary: 'Deletes a report.',
    description:
      'Users can delete their own reports, administrators any report. The id cannot be used again.',
    access: { kind: 'token', scope: 'reports:write', orScopes: ['reports:admin'] },
    answers: {
      200: found('The deleted report'),
      400: { description: 'The id is not a UUID', error: 'bad_report' },
      403: {
        description:
          'The caller is neither the owner nor an administrator, or sent a public token without a user token',
        error: 'not_owner',
      },
      404: { description: 'There is no report with this id', error: 'report_not_found' },
      410: { description: 'The report was already deleted', error: 'report_gone' },
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

/**
 * A public token without a user token is rejected only after 404 and 410, like any other caller.
 */
async function refusalWithoutUser(c: AppContext, id: string): Promise<ApiError> {
  const report = await findReport(c.env, id);
  if (report === undefined) return new ApiError('report_not_found');
  return new ApiError(report.deletedAt === null ? 'user_token_required' : 'report_gone');
}
