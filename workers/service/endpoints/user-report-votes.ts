// POST /api/v1/user-reports/{id}/votes

import {
  presentReport,
  readReportId,
  readVote,
  reportSchema,
  voteSchema,
} from '../../../shared/contract/user-report.ts';
import { castVote } from '../db/report-store.ts';
import { type Endpoint, jsonAnswer, pathParameter } from '../http/endpoint.ts';
import { withOutcomeLookup } from '../http/idempotency-key.ts';
import { readJsonObject } from '../http/read-json.ts';
import { invalidInput } from '../runtime/errors.ts';
import {
  BAD_REPORT_ID,
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
  summary: 'Votes that a report is valid or invalid.',
  description:
    'Each user has one vote per report; a new vote replaces the previous one. A `valid` vote extends the lifetime of the report. `invalid` votes end it only if the deployment sets `EXPIRE_NET_INVALID`.',
  tag: 'Reports',
  access: { kind: 'token', scope: 'reports:write' },
  parameters: [REPORT_ID, USER_TOKEN],
  body: {
    schema: voteSchema,
    description:
      'The vote: valid or invalid. Tokens that vote for end users have one vote per `externalUserId`',
    example: { vote: 'valid' },
  },
  answers: {
    200: jsonAnswer('The report with its vote counts', reportSchema),
    400: { description: 'The id is not a UUID, or the vote is invalid', error: 'bad_report' },
    403: {
      description: 'The report is your own, or a moderator has blocked the user',
      error: 'user_blocked',
    },
    404: { description: 'There is no report with this id', error: 'report_not_found' },
    410: { description: 'The report was deleted or has expired', error: 'report_gone' },
  },
  handle: async (c) => {
    const caller = callerOf(c);
    const body = await readJsonObject(c, MAX_BODY_BYTES);
    const id = readReportId(pathParameter(c, 'id'));
    const input = readVote(body);
    if (id === undefined || 'faults' in input) {
      throw invalidInput('bad_report', [
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
      rules: {
        // The holders of a public token are one subject, but different people.
        allowSelfVote: allowSelfVote || !caller.isKnown,
        netToExpire: expireNetInvalid,
      },
    });
    const answered = await withOutcomeLookup({ id }, vote);
    if (answered.outcome !== 'done') throw outcomeError(answered.outcome, 'vote');
    return sendReport(c, presentReport(answered.report, viewerOf(c), context.nowMs), 200);
  },
};
