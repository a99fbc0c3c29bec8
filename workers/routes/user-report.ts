// GET and DELETE /api/v1/user-reports/{id}

import { presentReport, reportSchema } from '../../shared/contract/user-report.ts';
import { stateOf } from '../../shared/reports/report.ts';
import { deleteReport, findReport } from '../db/report-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { reportGone, reportNotFound } from '../runtime/errors.ts';
import {
  callerOf,
  REPORT_ID,
  REPORTS_PATH,
  refusalOf,
  reportIdOf,
  sendReport,
  viewerOf,
} from './report-requests.ts';

const common = { path: `${REPORTS_PATH}/{id}`, tag: 'Reports', parameters: [REPORT_ID] } as const;

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
      403: { description: 'Neither its owner nor an administrator' },
      404: { description: 'There is no such report' },
      410: { description: 'It was deleted before' },
    },
    handle: async (c) => {
      const caller = callerOf(c);
      const id = reportIdOf(c);
      const context = { requestId: c.get('requestId'), nowMs: Date.now(), caller };
      const isAdmin = caller.scopes.has('reports:admin');
      const answered = await deleteReport(c.env, context, isAdmin, id);
      if (answered.outcome !== 'done') throw refusalOf(answered.outcome, 'delete');
      return sendReport(c, presentReport(answered.report, viewerOf(c), context.nowMs), 200);
    },
  },
];
