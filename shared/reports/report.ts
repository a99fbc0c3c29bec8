// A report of something at sea: its kinds, lifetimes and states. Functions of the database in
// `migrations/` decide who may vote and delete, and what votes do.

export const REPORT_KINDS = ['hazard', 'accident', 'weather', 'wildlife'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const isReportKind = (value: unknown): value is ReportKind =>
  REPORT_KINDS.some((kind) => kind === value);

const HOUR_MS = 3_600_000;

/** Lifetime without confirming votes by kind, milliseconds. */
export const LIFETIMES_MS: Readonly<Record<ReportKind, number>> = {
  weather: 6 * HOUR_MS,
  wildlife: 12 * HOUR_MS,
  accident: 24 * HOUR_MS,
  hazard: 7 * 24 * HOUR_MS,
};

/** A person or program: a subject within an account. */
export interface Party {
  readonly account: string;
  readonly subject: string;
}

/** A stored report. Times are epoch milliseconds, positions degrees of WGS 84. */
export interface Report {
  /** A UUID with its letters as sent. */
  readonly id: string;
  readonly owner: Party;
  readonly externalUserId: string | null;
  readonly namespace: string;
  readonly kind: ReportKind;
  readonly latitude: number;
  readonly longitude: number;
  /** A JSON object as text, as responses contain it. */
  readonly properties: string;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the report expires unless a vote confirms it. */
  readonly expiresAt: number;
  /** When the report expired, if that was recorded. */
  readonly expiredAt: number | null;
  readonly deletedAt: number | null;
}

export const REPORT_STATES = ['active', 'expired', 'deleted'] as const;
type ReportState = (typeof REPORT_STATES)[number];

type Fate = Pick<Report, 'expiresAt' | 'expiredAt' | 'deletedAt'>;

/** When the report expired, recorded or not; null if it has not expired. */
export function expiredAt({ expiresAt, expiredAt: written }: Fate, nowMs: number): number | null {
  return written ?? (expiresAt <= nowMs ? expiresAt : null);
}

export function stateOf(report: Fate, nowMs: number): ReportState {
  if (report.deletedAt !== null) return 'deleted';
  return expiredAt(report, nowMs) === null ? 'active' : 'expired';
}

export const isOwner = ({ owner }: Pick<Report, 'owner'>, party: Party): boolean =>
  owner.account === party.account && owner.subject === party.subject;

/** Result of a request for one report. Refusals are in the contract's order. */
export type Outcome = 'done' | 'missing' | 'gone' | 'forbidden';

/** 1 confirms, -1 denies. */
export type Vote = 1 | -1;

export interface VoteRules {
  readonly allowSelfVote: boolean;
  /** A report expires if downvotes exceed upvotes by this number; 0 for never. */
  readonly netToExpire: number;
}
