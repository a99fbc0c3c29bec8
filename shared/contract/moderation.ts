// Moderation of reports in the portal: requests and responses.

import * as z from 'zod';
import { REPORT_KINDS, REPORT_STATES } from '../reports/report.ts';
import { count, epochMs, latitude, longitude } from './units.ts';

export const MAX_REPORTS_PER_PAGE = 100;
/** Latest votes of a report. */
export const MAX_VOTES = 100;

const blockId = z.number().int().min(1);

export const moderatedReportSchema = z
  .strictObject({
    id: z.string().describe('Id of the report, a UUID'),
    reportType: z.enum(REPORT_KINDS).describe('Kind of the report'),
    state: z.enum(REPORT_STATES).describe('Deleted reports can have expired, too'),
    latitude: latitude.describe('Latitude, degrees'),
    longitude: longitude.describe('Longitude, degrees'),
    properties: z.record(z.string(), z.unknown()).describe('The object that the client sent'),
    upvoteCount: count.describe('Number of votes `valid`'),
    downvoteCount: count.describe('Number of votes `invalid`'),
    accountId: z.string().describe('Id of the account whose token created the report'),
    subject: z.string().describe('Subject of the token or user token that created the report'),
    externalUserId: z
      .string()
      .nullable()
      .describe('Your id of the end user; null if the report has no end user'),
    blockId: blockId
      .nullable()
      .describe('Id of the block of the author; null if the author is not blocked'),
    createdAt: epochMs.describe('Time of creation, epoch milliseconds'),
    expiresAt: epochMs.describe('Time of expiry, epoch milliseconds'),
    deletedAt: epochMs
      .nullable()
      .describe('Time of deletion, epoch milliseconds; null if the report is not deleted'),
  })
  .meta({ id: 'ModeratedReport', description: 'A report as moderators see it' });
export type ModeratedReport = z.infer<typeof moderatedReportSchema>;

export const moderatedPageSchema = z
  .strictObject({
    reports: z
      .array(moderatedReportSchema)
      .max(MAX_REPORTS_PER_PAGE)
      .describe('Reports that match, newest first'),
    next: z
      .string()
      .nullable()
      .describe(
        'Value of `before` for the next page; null on the last page. Earlier pages can be empty',
      ),
  })
  .meta({ id: 'ModeratedReports', description: 'A page of reports' });
export type ModeratedPage = z.infer<typeof moderatedPageSchema>;

export const reportDetailsSchema = z
  .strictObject({
    report: moderatedReportSchema,
    votes: z
      .array(
        z.strictObject({
          vote: z.enum(['valid', 'invalid']).describe('The vote'),
          subject: z
            .string()
            .nullable()
            .describe('Subject of the voter; null for voters of other accounts'),
          externalUserId: z
            .string()
            .nullable()
            .describe('Your id of the end user; null if the vote has no end user'),
          at: epochMs.describe('Time of the vote, epoch milliseconds'),
        }),
      )
      .max(MAX_VOTES)
      .describe(`The latest votes, at most ${MAX_VOTES}, latest first`),
  })
  .meta({ id: 'ReportDetails', description: 'A report with its latest votes' });
export type ReportDetails = z.infer<typeof reportDetailsSchema>;

export const blockSchema = z
  .strictObject({
    id: blockId.describe('Id of the block; later blocks have higher ids'),
    accountId: z.string().describe('Id of the account'),
    kind: z
      .enum(['user', 'stated', 'subject'])
      .describe(
        '`user`: your id of an end user. `stated`: the same, but only in requests with a public token and without a user token of this user. `subject`: that of a token or an anonymous device',
      ),
    name: z.string().describe('The id or the subject'),
    createdAt: epochMs.describe('Time of the block, epoch milliseconds'),
  })
  .meta({
    id: 'ReportBlock',
    description: 'A person whose new reports and votes are rejected with `user_blocked`',
  });
export type ReportBlock = z.infer<typeof blockSchema>;
