// Lists of reports: the query, and a page of reports as JSON or GeoJSON.

import * as z from 'zod';
import { isReportKind, REPORT_KINDS, type Report, type ReportKind } from '../reports/report.ts';
import { GEOJSON_TYPE, pointFeature } from './geojson.ts';
import { BOX, EVERYWHERE, FLAG, type QueryValues, wholeNumber } from './query.ts';
import { epochMs } from './units.ts';
import { presentReport, readReportId, reportSchema, type Viewer } from './user-report.ts';

export const MAX_REPORTS = 500;

/** The last report of the previous page. */
export interface Cursor {
  readonly createdAt: number;
  readonly id: string;
}

const FORMATS = ['json', 'geojson'] as const;

/** Parameters that select reports, on whatever page. */
export const REPORT_FILTER = {
  bbox: {
    ...BOX,
    description:
      'west,south,east,north in degrees; west is greater than east across 180°. By default everywhere',
    otherwise: EVERYWHERE,
  },
  kind: {
    description: `One or more of ${REPORT_KINDS.join(', ')}, separated by commas; by default all`,
    rule: `must be one or more of ${REPORT_KINDS.join(', ')}`,
    otherwise: REPORT_KINDS as readonly ReportKind[],
    read: readKinds,
  },
  since: {
    description: 'Earliest time of creation, epoch milliseconds',
    rule: 'must be epoch milliseconds',
    schema: epochMs,
    otherwise: 0,
    read: (text: string) =>
      /^\d{1,16}$/.test(text) ? epochMs.safeParse(Number(text)).data : undefined,
  },
} as const;
export type ReportFilter = QueryValues<typeof REPORT_FILTER>;

export const REPORT_PARAMETERS = {
  ...REPORT_FILTER,
  cursor: {
    description: '`nextCursor` of the previous page',
    rule: 'must be the nextCursor of a previous page',
    otherwise: undefined,
    read: readCursor,
  },
  limit: {
    ...wholeNumber(1, MAX_REPORTS),
    description: `Reports per page, 1 to ${MAX_REPORTS}; default ${MAX_REPORTS}`,
    otherwise: MAX_REPORTS,
  },
  includeDeleted: {
    ...FLAG,
    description:
      'true to include deleted and expired reports; for administrators only. With `offset` or `includeExpired`: true to include deleted reports, your own unless you are an administrator',
  },
  format: {
    description: 'json, or geojson for maps',
    rule: 'must be json or geojson',
    schema: z.enum(FORMATS).default('json'),
    otherwise: 'json',
    read: (text: string) => FORMATS.find((one) => one === text),
  },
} as const;
export type ReportQuery = QueryValues<typeof REPORT_PARAMETERS>;

function readKinds(text: string): readonly ReportKind[] | undefined {
  const kinds = text.split(',').map((part) => part.trim());
  return kinds.every(isReportKind)
    ? REPORT_KINDS.filter((kind) => kinds.includes(kind))
    : undefined;
}

function readCursor(text: string): Cursor | undefined {
  const [, time, end] = /^(\d{1,15})\.(.{36})$/.exec(text) ?? [];
  const id = readReportId(end ?? '');
  return id === undefined ? undefined : { createdAt: Number(time), id };
}

export const nextCursor = z
  .string()
  .nullable()
  .describe('Value of `cursor` for the next page; null on the last page');

export const reportListSchema = z
  .strictObject({
    reports: z.array(reportSchema).describe('Reports, the newest first'),
    nextCursor,
  })
  .meta({ id: 'UserReportList', description: 'A page of reports' });

export const reportCollectionSchema = z
  .strictObject({
    type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
    features: z
      .array(pointFeature(reportSchema).extend({ id: z.uuid().describe('Id of the report') }))
      .describe('Reports, the newest first'),
    nextCursor,
  })
  .meta({ id: 'UserReportCollection', description: 'A page of reports as GeoJSON (RFC 7946)' });

/** A page as JSON text. @param found has one more report than the page if there is a next page */
export function presentReports(
  found: readonly Report[],
  { limit, format }: Pick<ReportQuery, 'limit' | 'format'>,
  viewer: Viewer,
  nowMs: number,
): string {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? 'null' : `"${last.createdAt}.${last.id}"`;
  const texts = page.map((report) => presentReport(report, viewer, nowMs));
  if (format === 'json') return `{"reports":[${texts.join(',')}],"nextCursor":${next}}`;
  const features = page.map(
    ({ id, longitude, latitude }, i) =>
      `{"type":"Feature","id":"${id}","geometry":{"type":"Point",` +
      `"coordinates":[${longitude},${latitude}]},"properties":${texts[i]}}`,
  );
  return `{"type":"FeatureCollection","features":[${features.join(',')}],"nextCursor":${next}}`;
}
