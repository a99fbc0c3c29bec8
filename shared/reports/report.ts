// A report of something at sea: its kinds, how long each lasts, and what state it is in. Who may vote
// and delete, and what votes do, is decided by functions of the database in `migrations/`.

export const REPORT_KINDS = ['hazard', 'accident', 'weather', 'wildlife'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export const isReportKind = (value: unknown): value is ReportKind =>
  REPORT_KINDS.some((kind) => kind === value);

const HOUR_MS = 3_600_000;

/** How long a report lasts unless votes confirm it, by kind, milliseconds. */
export const LIFETIMES_MS: Readonly<Record<ReportKind, number>> = {
  weather: 6 * HOUR_MS,
  wildlife: 12 * HOUR_MS,
  accident: 24 * HOUR_MS,
  hazard: 7 * 24 * HOUR_MS,
};

/** A person or program as reports know it: a subject within an account. */
export interface Party {
  readonly account: string;
  readonly subject: string;
}

/** What is kept of a report. Times are epoch milliseconds, positions degrees of WGS 84. */
export interface Report {
  /** A UUID, its letters as they were sent. */
  readonly id: string;
  readonly owner: Party;
  readonly externalUserId: string | null;
  readonly namespace: string;
  readonly kind: ReportKind;
  readonly latitude: number;
  readonly longitude: number;
  /** JSON text of an object, as it goes out. */
  readonly properties: string;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it ends unless a vote confirms it. */
  readonly expiresAt: number;
  /** When it ended, where that was written down. */
  readonly expiredAt: number | null;
  readonly deletedAt: number | null;
}

type ReportState = 'active' | 'expired' | 'deleted';

type Fate = Pick<Report, 'expiresAt' | 'expiredAt' | 'deletedAt'>;

/** When it expired, whether or not that was written down; null while it has not. */
export function expiredAt({ expiresAt, expiredAt: written }: Fate, nowMs: number): number | null {
  return written ?? (expiresAt <= nowMs ? expiresAt : null);
}

export function stateOf(report: Fate, nowMs: number): ReportState {
  if (report.deletedAt !== null) return 'deleted';
  return expiredAt(report, nowMs) === null ? 'active' : 'expired';
}

export const isOwner = ({ owner }: Pick<Report, 'owner'>, party: Party): boolean =>
  owner.account === party.account && owner.subject === party.subject;

/** What a request about one report comes to; refusals in the contract's order. */
export type Outcome = 'done' | 'missing' | 'gone' | 'forbidden';

/** 1 confirms, -1 denies. */
export type Vote = 1 | -1;

export interface VoteRules {
  readonly allowSelfVote: boolean;
  /** So many more downvotes than upvotes end a report; 0 for never. */
  readonly netToExpire: number;
}
