// Requests and responses of user reports.

import * as z from 'zod';
import {
  expiredAt,
  isOwner,
  type Party,
  REPORT_KINDS,
  type Report,
  type Vote,
} from '../reports/report.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';
import type { Fault } from './plain-json.ts';
import { readProperties } from './report-properties.ts';
import { count, endUserId, epochMs } from './units.ts';

/** Without flags, which JSON Schema does not support. */
const UUID_V4 =
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const degrees = (most: number) => z.number().min(-most).max(most);

const externalUserId = endUserId
  .nullish()
  .describe(
    'Your id of the end user, at most 256 characters. It owns nothing, and has its own votes only with a token that votes for end users',
  );

/** `null` counts as absent; unknown fields are ignored. */
export const newReportSchema = z
  .object({
    reportType: z.enum(REPORT_KINDS).describe('Kind of the report'),
    position: z
      .object({
        latitude: degrees(90).describe('Latitude, degrees, -90 to 90'),
        longitude: degrees(180).describe('Longitude, degrees, -180 to 180'),
      })
      .describe('Position of what is reported'),
    properties: z
      .unknown()
      .optional()
      .meta({
        type: ['object', 'null'],
        description:
          'Any object of at most 60 levels; clients display `description` as text. Of a fraction the nearest double is stored. Integers that a double cannot store, such as 9007199254740993, are rejected: send them as strings',
      }),
    id: z
      .string()
      .regex(UUID_V4, 'must be a UUID of version 4')
      .nullish()
      .describe(
        'UUID of version 4 chosen by the client, so that a retry does not create a second report',
      ),
    externalUserId,
  })
  .meta({ id: 'NewUserReport', description: 'A report to create' });

export const voteSchema = z
  .object({
    vote: z
      .enum(['valid', 'invalid'])
      .describe('`valid` confirms the report, `invalid` states that it is wrong or outdated'),
    externalUserId,
  })
  .meta({ id: 'Vote', description: 'A vote on a report; a later vote replaces an earlier one' });

/** A new report from a client. */
export interface NewReport {
  readonly kind: Report['kind'];
  readonly latitude: number;
  readonly longitude: number;
  /** A JSON object as text. */
  readonly properties: string;
  /** As sent; ids are compared without regard to case. */
  readonly id: string | undefined;
  readonly externalUserId: string | null;
}

type Body = Readonly<Record<string, unknown>>;

/** Replaces −0 with 0, and numbers so small that their products underflow: the database rejects underflow. */
const storable = (degrees: number): number => (Math.abs(degrees) < 1e-100 ? 0 : degrees);

/** Parses a body or returns all its faults. @param mostBytes maximum size of the properties */
export function readNewReport(
  body: Body,
  mostBytes: number,
): NewReport | { readonly faults: readonly Fault[] } {
  const parsed = examine(newReportSchema, body);
  const properties = readProperties(body['properties'], mostBytes);
  if (parsed.success && typeof properties === 'string') {
    const { reportType, position, id, externalUserId: user } = parsed.data;
    return {
      kind: reportType,
      latitude: storable(position.latitude),
      longitude: storable(position.longitude),
      properties,
      id: id ?? undefined,
      externalUserId: user ?? null,
    };
  }
  const faults = parsed.success ? [] : faultsOf(parsed.error);
  return { faults: typeof properties === 'string' ? faults : [...faults, properties] };
}

interface NewVote {
  readonly vote: Vote;
  /** Empty if absent. */
  readonly externalUserId: string;
}

export function readVote(body: Body): NewVote | { readonly faults: readonly Fault[] } {
  const parsed = examine(voteSchema, body);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const { vote, externalUserId: user } = parsed.data;
  return { vote: vote === 'valid' ? 1 : -1, externalUserId: user ?? '' };
}

/** The id in lower case; `undefined` if it is not a UUID. */
export const readReportId = (text: string): string | undefined =>
  UUID.test(text) ? text.toLowerCase() : undefined;

/** A report in a response. Times are epoch milliseconds. */
export const reportSchema = z
  .strictObject({
    id: z.uuid().describe('Id of the report'),
    reportType: z.enum(REPORT_KINDS).describe('Kind of the report'),
    latitude: degrees(90).describe('Latitude, degrees'),
    longitude: degrees(180).describe('Longitude, degrees'),
    properties: z
      .looseObject({})
      .describe(
        'The object that the client sent, without keys `__proto__`, `constructor` and `prototype`; empty if none was sent',
      ),
    upvoteCount: count.describe('Number of votes `valid`'),
    downvoteCount: count.describe('Number of votes `invalid`'),
    isOwner: z
      .boolean()
      .describe(
        'Whether the caller created the report; to delete it, a public token also needs a user token',
      ),
    externalUserId: z
      .string()
      .optional()
      .describe(
        'Your id of the end user; absent if the report has no end user or belongs to another account, and for public tokens except in the response to the creation',
      ),
    namespace: z.string().describe('Always `public`'),
    createdAt: epochMs.describe('Time of creation, epoch milliseconds'),
    updatedAt: epochMs.describe(
      'Time of the last vote, or of the creation without votes, epoch milliseconds',
    ),
    expiredAt: epochMs
      .nullable()
      .describe('Time of expiry in the past, epoch milliseconds; null if the report is valid'),
    deletedAt: epochMs
      .nullable()
      .describe('Time of deletion, epoch milliseconds; null if the report is not deleted'),
  })
  .meta({ id: 'UserReport', description: 'A report of a user, such as a hazard' });

/** Who can read the external user id of a report. */
export type Exposure = 'account' | 'owner' | 'always';

export interface Viewer extends Party {
  readonly exposure: Exposure;
  /** Whether the viewer is one person or program, not any holder of a public token. */
  readonly isKnown: boolean;
  /** Whether the viewer has a secret token. */
  readonly isSecret: boolean;
}

/** Whether the viewer is the owner, and not only another holder of the same public token. */
export const isTheirs = (report: Pick<Report, 'owner'>, viewer: Viewer): boolean =>
  viewer.isKnown && isOwner(report, viewer);

/** A report as JSON text for a viewer. */
export function presentReport(report: Report, viewer: Viewer, nowMs: number): string {
  const isOwn = isTheirs(report, viewer);
  const isOfAccount = viewer.isSecret && report.owner.account === viewer.account;
  const mayKnow =
    viewer.exposure === 'always' || (viewer.exposure === 'owner' ? isOwn : isOfAccount);
  const { externalUserId } = report;
  const user =
    mayKnow && externalUserId !== null ? `"externalUserId":${JSON.stringify(externalUserId)},` : '';
  return (
    `{"id":"${report.id}","reportType":"${report.kind}","latitude":${report.latitude},` +
    `"longitude":${report.longitude},"properties":${report.properties},` +
    `"upvoteCount":${report.upvotes},"downvoteCount":${report.downvotes},"isOwner":${isOwn},` +
    `${user}"namespace":"${report.namespace}",` +
    `"createdAt":${report.createdAt},"updatedAt":${report.updatedAt},` +
    `"expiredAt":${expiredAt(report, nowMs)},"deletedAt":${report.deletedAt}}`
  );
}
