// POST /api/v1/user-reports/{id}/votes

import {
  presentReport,
  readReportId,
  readVote,
  reportSchema,
  voteSchema,
} from '../../../shared/contract/user-report.ts';
import { castVote } from '../db/report-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { pathParameter } from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { readJsonObject } from '../http/read-json.ts';
import {
  BAD_REPORT_ID,
  badReport,
  callerOf,
  outcomeError,
  REPORT_ID,
  REPORTS_PATH,
  sendReport,
  USER_TOKEN,
  viewerOf,
  writeContext,
} from './report-requests.ts';

const MAX_BODY_BYTES = 4096;

export const userReportVotes: Endpoint = {
  method: 'post',
  path: `${REPORTS_PATH}/{id}/votes`,
  id: 'voteOnUserReport',
  summary: 'Confirm a report or deny it; each voter has one vote on it, and the last one counts.',
  description:
    'A vote may be changed as often as one likes. A report that is confirmed lives longer; one that is denied often enough expires.',
  tag: 'Reports',
  access: { kind: 'token', scope: 'reports:write' },
  parameters: [REPORT_ID, USER_TOKEN],
  body: {
    schema: voteSchema,
    description:
      'valid or invalid. Server tokens that vote for their users vote once for each `externalUserId`',
    example: { vote: 'valid' },
  },
  answers: {
    200: {
      description: 'The report with its counts',
      contentType: 'application/json',
      schema: reportSchema,
    },
    400: { description: 'The id is no UUID, or the vote is neither' },
    404: { description: 'There is no such report' },
    410: { description: 'It was deleted or has expired' },
  },
  handle: async (c) => {
    const caller = callerOf(c);
    const body = await readJsonObject(c, MAX_BODY_BYTES);
    const id = readReportId(pathParameter(c, 'id'));
    const input = readVote(body);
    if (id === undefined || 'faults' in input) {
      throw badReport([
        ...(id === undefined ? [BAD_REPORT_ID] : []),
        ...('faults' in input ? input.faults : []),
      ]);
    }
    const { allowSelfVote, expireNetInvalid } = c.get('settings');
    const context = writeContext(c);
    const vote = castVote(c.env, context, {
      reportId: id,
      vote: input.vote,
      voterUser: caller.votesForUsers ? input.externalUserId : '',
      rules: { allowSelfVote, netToExpire: expireNetInvalid },
    });
    const answered = await withOutcomeLookup({ id }, vote);
    if (answered.outcome !== 'done') throw outcomeError(answered.outcome, 'vote');
    return sendReport(c, presentReport(answered.report, viewerOf(c), context.nowMs), 200);
  },
};
