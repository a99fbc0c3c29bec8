// Lists of reports by offset: the query, and a page with the total number of reports.

import * as z from 'zod';
import type { Report } from '../reports/report.ts';
import type { Fault } from './plain-json.ts';
import {
  type ReportFilter,
  type ReportParameter,
  readerOf,
  readFilter,
  readFlag,
  type ValuesOf,
} from './report-list.ts';
import { count } from './units.ts';
import { presentReport, reportSchema, type Viewer } from './user-report.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** The database reads and skips this many rows. A cursor has no limit. */
export const MAX_OFFSET = 100_000;

export interface PageQuery extends ReportFilter {
  readonly offset: number;
  readonly limit: number;
  readonly includeExpired: boolean;
  readonly includeDeleted: boolean;
}

/** Parameters that select a page by offset. */
export const PAGE_PARAMETERS = {
  offset: `Number of newer reports to skip, 0 to ${MAX_OFFSET}; default 0. Selects pages with \`total\`, \`limit\` and \`offset\`, of at most ${MAX_LIMIT} reports (default ${DEFAULT_LIMIT})`,
  includeExpired: 'true to include expired reports; selects the same pages as `offset`',
} as const;

type PageParameter = ReportParameter | keyof typeof PAGE_PARAMETERS;

const isGiven = <Name extends string>(valuesOf: ValuesOf<Name>, name: Name) =>
  valuesOf(name).some((text) => text !== '');

/** Whether the query selects a page by offset. Otherwise pages have a cursor. */
export const selectsPage = (valuesOf: ValuesOf<PageParameter>): boolean =>
  isGiven(valuesOf, 'offset') || isGiven(valuesOf, 'includeExpired');

/** Parses a query that selects a page, or returns all its faults. */
export function readPageQuery(
  valuesOf: ValuesOf<PageParameter>,
): PageQuery | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = readerOf(valuesOf, faults);
  const isBoolean = 'must be true or false';
  const query: PageQuery = {
    ...readFilter(read),
    offset: read(
      'offset',
      0,
      `must be a whole number from 0 to ${MAX_OFFSET}; use cursor for more`,
      readOffset,
    ),
    limit: read('limit', DEFAULT_LIMIT, 'must be a whole number of at least 1', readPageLimit),
    includeExpired: read('includeExpired', false, isBoolean, readFlag),
    includeDeleted: read('includeDeleted', false, isBoolean, readFlag),
  };
  read('cursor', '', 'must not be combined with offset or includeExpired', () => undefined);
  read('format', 'json', 'must be json with offset or includeExpired', (text) =>
    text === 'json' ? text : undefined,
  );
  return faults.length === 0 ? query : { faults };
}

function readOffset(text: string): number | undefined {
  const offset = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return offset >= 0 && offset <= MAX_OFFSET ? offset : undefined;
}

/** Larger values are reduced to the maximum, which the response states. */
function readPageLimit(text: string): number | undefined {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return limit >= 1 ? Math.min(limit, MAX_LIMIT) : undefined;
}

export const reportPageSchema = z
  .strictObject({
    reports: z.array(reportSchema).describe('Reports, the newest first'),
    total: count.describe('Number of reports in all pages'),
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
