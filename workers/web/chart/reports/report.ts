// A user report of the API, and its texts on the page.

import { KINDS } from '../../client/chart/report-panel.ts';

export { KINDS };

export type ReportKind = keyof typeof KINDS;

export const isKind = (value: unknown): value is ReportKind =>
  typeof value === 'string' && Object.hasOwn(KINDS, value);

/** Degrees, WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The fields of the API's User Report that the page uses. Times are epoch milliseconds. */
export interface Report extends Position {
  readonly id: string;
  readonly reportType: ReportKind;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly upvoteCount: number;
  readonly downvoteCount: number;
  readonly isOwner: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiredAt: number | null;
  readonly deletedAt: number | null;
}

export const isActive = ({ expiredAt, deletedAt }: Report): boolean =>
  expiredAt === null && deletedAt === null;

/** The description of a report, or an empty string. */
export function notesOf({ properties }: Report): string {
  const notes = properties['description'];
  return typeof notes === 'string' ? notes : '';
}

const UNITS: readonly (readonly [unit: 'day' | 'hour' | 'minute', ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `5 minutes ago`. Returns `just now` for times in the future, because clocks differ. */
export function ageText(atMs: number, nowMs: number): string {
  const age = nowMs - atMs;
  const found = UNITS.find(([, ms]) => age >= ms);
  if (found === undefined) return 'just now';
  const [unit, ms] = found;
  return relative.format(-Math.floor(age / ms), unit);
}

/** When the report was created, and when it expired or was deleted. */
export function stateText({ createdAt, expiredAt, deletedAt }: Report, nowMs: number): string {
  const reported = `Reported ${ageText(createdAt, nowMs)}`;
  if (deletedAt !== null) return `${reported}, deleted ${ageText(deletedAt, nowMs)}`;
  if (expiredAt !== null) return `${reported}, expired ${ageText(expiredAt, nowMs)}`;
  return reported;
}
