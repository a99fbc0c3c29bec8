// Lists of reports: the query, and a page of reports as JSON or GeoJSON.

import * as z from 'zod';
import type { Box } from '../reports/place.ts';
import { isReportKind, REPORT_KINDS, type Report, type ReportKind } from '../reports/report.ts';
import { GEOJSON_TYPE, pointFeature } from './geojson.ts';
import type { Fault } from './plain-json.ts';
import { presentReport, readReportId, reportSchema, type Viewer } from './user-report.ts';

export const MAX_REPORTS = 500;
const EVERYWHERE: Box = { west: -180, south: -90, east: 180, north: 90 };

/** The last report of the previous page. */
export interface Cursor {
  readonly createdAt: number;
  readonly id: string;
}

/** Which reports are listed, on whatever page. */
export interface ReportFilter {
  readonly box: Box;
  readonly kinds: readonly ReportKind[];
  /** Earliest time of creation, epoch milliseconds. */
  readonly since: number;
}

export interface ReportQuery extends ReportFilter {
  readonly after: Cursor | undefined;
  readonly limit: number;
  readonly includeDeleted: boolean;
  readonly format: 'json' | 'geojson';
}

export const REPORT_PARAMETERS = {
  bbox: 'west,south,east,north in degrees; west is greater than east across 180°. By default everywhere',
  kind: `One or more of ${REPORT_KINDS.join(', ')}, separated by commas; by default all`,
  since: 'Earliest time of creation, epoch milliseconds',
  cursor: '`nextCursor` of the previous page',
  limit: `Reports per page, 1 to ${MAX_REPORTS}; default ${MAX_REPORTS}`,
  includeDeleted:
    'true to include deleted and expired reports; for administrators only. With `offset` or `includeExpired`: true to include deleted reports, your own unless you are an administrator',
  format: 'json, or geojson for maps',
} as const;

export type ReportParameter = keyof typeof REPORT_PARAMETERS;

/** All values of a query parameter. */
export type ValuesOf<Name extends string> = (name: Name) => readonly string[];

/** Parses a parameter with one value, or adds a fault. */
export type Read<Name extends string> = <T>(
  name: Name,
  otherwise: T,
  message: string,
  parse: (text: string) => T | undefined,
) => T;

/** @param faults receives the faults of parameters */
export const readerOf =
  <Name extends string>(valuesOf: ValuesOf<Name>, faults: Fault[]): Read<Name> =>
  (name, otherwise, message, parse) => {
    const texts = [...new Set(valuesOf(name))].filter((text) => text !== '');
    if (texts.length === 0) return otherwise;
    const value = texts.length === 1 ? parse(texts[0]!) : undefined;
    if (value === undefined) faults.push({ path: name, message });
    return value ?? otherwise;
  };

export const readFilter = (read: Read<ReportParameter>): ReportFilter => ({
  box: read('bbox', EVERYWHERE, 'must be west,south,east,north in degrees', readBox),
  kinds: read('kind', REPORT_KINDS, `must be one or more of ${REPORT_KINDS.join(', ')}`, readKinds),
  since: read('since', 0, 'must be epoch milliseconds', readTime),
});

/** Parses a query or returns all its faults. */
export function readReportQuery(
  valuesOf: ValuesOf<ReportParameter>,
): ReportQuery | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = readerOf(valuesOf, faults);
  const query: ReportQuery = {
    ...readFilter(read),
    after: read<Cursor | undefined>(
      'cursor',
      undefined,
      'must be the nextCursor of a previous page',
      readCursor,
    ),
    limit: read('limit', MAX_REPORTS, `must be a whole number from 1 to ${MAX_REPORTS}`, readLimit),
    includeDeleted: read('includeDeleted', false, 'must be true or false', readFlag),
    format: read('format', 'json' as ReportQuery['format'], 'must be json or geojson', (text) =>
      text === 'json' || text === 'geojson' ? text : undefined,
    ),
  };
  return faults.length === 0 ? query : { faults };
}

const DECIMAL = /^[+-]?(\d{1,20}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?$/i;

/** Normalizes longitudes, which maps may report beyond 180°. */
export function readBox(text: string): Box | undefined {
  const parts = text.split(',');
  if (parts.length !== 4 || !parts.every((part) => DECIMAL.test(part.trim()))) return undefined;
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number];
  if (![west, south, east, north].every(Number.isFinite)) return undefined;
  if (south > north || south < -90 || north > 90) return undefined;
  return boxOf(west, south, east, north);
}

/** A box with normalized longitudes. */
export function boxOf(west: number, south: number, east: number, north: number): Box {
  if (east - west >= 360) return { ...EVERYWHERE, south, north };
  return { ...meridians(roundGlobe(west), roundGlobe(east)), south, north };
}

/** Longitude and latitude in degrees, with a normalized longitude. */
export function readPosition(
  text: string,
): { readonly longitude: number; readonly latitude: number } | undefined {
  const parts = text.split(',');
  if (parts.length !== 2 || !parts.every((part) => DECIMAL.test(part.trim()))) return undefined;
  const [longitude, latitude] = parts.map(Number) as [number, number];
  if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90)) return undefined;
  return { longitude: roundGlobe(longitude), latitude };
}

const roundGlobe = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;

/** 180° and -180° are the same meridian, and reports keep the sign that clients sent. */
function meridians(west: number, east: number): Pick<Box, 'west' | 'east'> {
  if (west === -180 && east === 180) return { west, east };
  return { west: west === -180 ? 180 : west, east: east === 180 ? -180 : east };
}

function readKinds(text: string): readonly ReportKind[] | undefined {
  const kinds = text.split(',').map((part) => part.trim());
  return kinds.every(isReportKind)
    ? REPORT_KINDS.filter((kind) => kinds.includes(kind))
    : undefined;
}

const readTime = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);
export const readFlag = (text: string) =>
  /^(true|1)$/.test(text) ? true : /^(false|0)$/.test(text) ? false : undefined;

function readLimit(text: string): number | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_REPORTS ? limit : undefined;
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
