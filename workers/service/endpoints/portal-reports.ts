// GET /api/portal/v1/reports; GET …/reports.csv; GET and DELETE …/reports/{id}; POST …/restore, …/block

import * as z from 'zod';
import { csvJson, csvLine } from '../../../shared/contract/csv.ts';
import {
  MAX_REPORTS_PER_PAGE,
  MAX_VOTES,
  type ModeratedReport,
  moderatedPageSchema,
  reportDetailsSchema,
} from '../../../shared/contract/moderation.ts';
import { readReportId } from '../../../shared/contract/user-report.ts';
import { REPORT_KINDS, REPORT_STATES } from '../../../shared/reports/report.ts';
import { blockAuthor, findModerated, listModerated, setDeleted } from '../db/moderation-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { CSV_ANSWER, checked, limitParameter, queryText, sendCsv } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { REPORT_ID } from './report-requests.ts';

const PATH = `${PORTAL_PATH}/reports`;
/** Number of reports that one database query reads for the CSV file. Each may have 16 kB of text. */
const REPORTS_PER_QUERY = 200;

const REPORT: ModeratedReport = {
  id: '00000000-0000-4000-8000-000000000000',
  reportType: 'hazard',
  state: 'active',
  latitude: -30.01,
  longitude: -19.99,
  properties: { description: 'Lobster pots across the channel' },
  upvoteCount: 1,
  downvoteCount: 0,
  accountId: 'acme',
  subject: 'user:sailor-7',
  externalUserId: 'sailor-7',
  blockId: null,
  createdAt: 1_764_547_200_000,
  expiresAt: 1_765_152_000_000,
  deletedAt: null,
};

const time = z.coerce.number().int().min(0).max(8.64e15);
const FILTER = {
  account: checked('Id of an account, for administrators', queryText(64)),
  type: checked('Kind of the report; every kind by default', z.enum(REPORT_KINDS)),
  state: checked('State of the report; every state by default', z.enum(REPORT_STATES)),
  since: checked('Earliest time of creation, epoch milliseconds', time),
  until: checked('Reports created before this time, epoch milliseconds', time),
  text: checked(
    'Text to find in the properties (as JSON), the id of the end user or the subject; 1 to 100 characters, the case of A to Z is ignored',
    queryText(100),
  ),
} as const;
const PAGE = {
  ...FILTER,
  limit: limitParameter(MAX_REPORTS_PER_PAGE, 'reports'),
  before: checked('`next` of the previous page', z.uuid()),
} as const;

const details = jsonAnswer('The report with its latest votes', reportDetailsSchema, {
  report: REPORT,
  votes: [
    {
      vote: 'valid' as const,
      subject: 'user:sailor-8',
      externalUserId: null,
      at: REPORT.createdAt,
    },
  ],
});
const missing = {
  description: 'There is no report with this id among those that the user may moderate',
  error: 'report_not_found',
} as const;
const notRestorable = {
  description: 'The report has expired, or its author was erased',
  error: 'report_over',
} as const;
const authorErased = {
  description: 'The author of the report was erased',
  error: 'report_over',
} as const;
const ofReport = { access: 'moderator', path: `${PATH}/{id}`, pathParameter: REPORT_ID } as const;

/** Handles a request about a report with `change`, then returns the report. */
const afterwards =
  (change: (env: Env, sessionId: string, id: string) => Promise<void> = async () => undefined) =>
  async ({ env, sessionId, id: text }: { env: Env; sessionId: string; id: string }) => {
    const id = readReportId(text);
    if (id === undefined) throw new ApiError('report_not_found');
    await change(env, sessionId, id);
    return findModerated(env, sessionId, id, MAX_VOTES);
  };

export const portalReports = [
  portalEndpoint({
    access: 'moderator',
    method: 'get',
    path: PATH,
    id: 'portalListReports',
    summary: 'Lists reports in every state, newest first.',
    description:
      'Moderators list the reports that were created with tokens of their account, administrators those of all accounts. For the next page, set `before` to the value of `next`. A request examines at most 10,000 reports, or 2,000 with `text`, so a page can contain fewer than `limit`.',
    query: PAGE,
    answers: {
      200: jsonAnswer('A page of reports', moderatedPageSchema, { reports: [REPORT], next: null }),
    },
    handle: ({ env, sessionId, query: { limit, before, ...filter } }) =>
      listModerated(env, sessionId, filter, { limit, before }),
  }),
  portalEndpoint({
    access: 'moderator',
    method: 'get',
    path: `${PATH}.csv`,
    id: 'portalExportReports',
    summary: 'Returns reports in every state as CSV, newest first.',
    description:
      'The file has a header line, then one line for each report that matches (RFC 4180). Text that a spreadsheet would run as a formula is prefixed with a single quote.',
    query: FILTER,
    answers: { 200: CSV_ANSWER },
    handle: ({ c, env, sessionId, query: filter }) =>
      sendCsv(c, 'reports', Object.keys(REPORT), async (before?: string) => {
        const page = { before, limit: REPORTS_PER_QUERY };
        const { reports, next } = await listModerated(env, sessionId, filter, page);
        return { lines: reports.map(lineOf), next: next ?? undefined };
      }),
  }),
  portalEndpoint({
    ...ofReport,
    method: 'get',
    id: 'portalGetReport',
    summary: 'Returns a report in any state with its latest votes.',
    description: 'Only administrators see the names of voters of other accounts.',
    answers: { 200: details, 404: missing },
    handle: afterwards(),
  }),
  portalEndpoint({
    ...ofReport,
    method: 'delete',
    id: 'portalDeleteReport',
    summary: 'Deletes a report.',
    description:
      'It has the effect of DELETE /api/v1/user-reports/{id}. The report can be restored.',
    answers: { 200: details, 404: missing },
    handle: afterwards((env, sessionId, id) => setDeleted(env, sessionId, id, true)),
  }),
  portalEndpoint({
    ...ofReport,
    method: 'post',
    path: `${PATH}/{id}/restore`,
    id: 'portalRestoreReport',
    summary: 'Restores a deleted report.',
    description:
      'The report keeps its votes and its time of expiry. A report that has expired in the meantime cannot be restored.',
    answers: { 200: details, 404: missing, 409: notRestorable },
    handle: afterwards((env, sessionId, id) => setDeleted(env, sessionId, id, false)),
  }),
  portalEndpoint({
    ...ofReport,
    method: 'post',
    path: `${PATH}/{id}/block`,
    id: 'portalBlockAuthor',
    summary: 'Blocks the author of a report.',
    description:
      'Blocks the end user of the report or, if the report has no end user, its subject. New reports and votes of this person are rejected with `user_blocked`. Existing reports and votes stay.',
    answers: { 200: details, 404: missing, 409: authorErased },
    handle: afterwards(blockAuthor),
  }),
];

const lineOf = (report: ModeratedReport): string =>
  csvLine(
    (Object.keys(REPORT) as (keyof ModeratedReport)[]).map((name) =>
      name === 'properties' ? csvJson(report.properties) : report[name],
    ),
  );
