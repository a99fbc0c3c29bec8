// Lists of reports by offset: the query, and a page with the total number of reports.

import * as z from 'zod';
import type { Report } from '../reports/report.ts';
import { FLAG, type QueryValues, wholeNumber } from './query.ts';
import { REPORT_FILTER } from './report-list.ts';
import { count } from './units.ts';
import { presentReport, reportSchema, type Viewer } from './user-report.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** The database reads and skips this many rows. A cursor has no limit. */
const MAX_OFFSET = 100_000;
/** The database counts up to this number, one more than pages can show. */
export const MAX_TOTAL = MAX_OFFSET + MAX_LIMIT + 1;

/** Each of them selects a page by offset. Otherwise pages have a cursor. */
export const PAGE_SELECTORS = {
  offset: {
    ...wholeNumber(0, MAX_OFFSET),
    description: `Number of newer reports to skip, 0 to ${MAX_OFFSET}; default 0. Selects pages with \`total\`, \`limit\` and \`offset\`, of at most ${MAX_LIMIT} reports (default ${DEFAULT_LIMIT})`,
    rule: `must be a whole number from 0 to ${MAX_OFFSET}; use cursor for more`,
    otherwise: 0,
  },
  includeExpired: {
    ...FLAG,
    description: 'true to include expired reports; selects the same pages as `offset`',
  },
} as const;

/** Parameters of a page by offset. `REPORT_PARAMETERS` describes those that pages with a cursor have too. */
export const PAGE_PARAMETERS = {
  ...REPORT_FILTER,
  ...PAGE_SELECTORS,
  limit: {
    description: '',
    rule: 'must be a whole number of at least 1',
    otherwise: DEFAULT_LIMIT,
    read: readPageLimit,
  },
  includeDeleted: { ...FLAG, description: '' },
  cursor: {
    description: '',
    rule: 'must not be combined with offset or includeExpired',
    otherwise: undefined,
    read: () => undefined,
  },
  format: {
    description: '',
    rule: 'must be json with offset or includeExpired',
    otherwise: 'json',
    read: (text: string) => (text === 'json' ? text : undefined),
  },
} as const;
export type PageQuery = QueryValues<typeof PAGE_PARAMETERS>;

/** Larger values are reduced to the maximum, which the response states. */
function readPageLimit(text: string): number | undefined {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return limit >= 1 ? Math.min(limit, MAX_LIMIT) : undefined;
}

export const reportPageSchema = z
  .strictObject({
    reports: z.array(reportSchema).describe('Reports, the newest first'),
    total: count.max(MAX_TOTAL).describe(`Number of reports in all pages, at most ${MAX_TOTAL}`),
    limit: z
      .number()
      .int()
      .positive()
      .max(MAX_LIMIT)
      .describe(`Reports per page; a larger \`limit\` of the request is reduced to ${MAX_LIMIT}`),
    offset: count.max(MAX_OFFSET).describe('Number of newer reports that were skipped'),
  })
  .meta({ id: 'UserReportPage', description: 'A page of reports by offset' });

/** A page as JSON text. */
export function presentPage(
  { reports, total }: { readonly reports: readonly Report[]; readonly total: number },
  { limit, offset }: Pick<PageQuery, 'limit' | 'offset'>,
  viewer: Viewer,
  nowMs: number,
): string {
  const texts = reports.map((report) => presentReport(report, viewer, nowMs));
  return `{"reports":[${texts.join(',')}],"total":${total},"limit":${limit},"offset":${offset}}`;
}
