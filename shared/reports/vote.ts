// A vote on a report: one a voter, the last one counts, and one that confirms prolongs the report.

import { isOwner, type Outcome, type Party, type Report, stateOf } from './report.ts';

/** 1 confirms, -1 denies. */
export type Vote = 1 | -1;

/** Who votes: a party, or one end user of a party that votes for its users. */
export interface Voter extends Party {
  /** Empty where the party votes for itself. */
  readonly user: string;
}

export interface VoteRules {
  readonly allowSelfVote: boolean;
  /** So many more downvotes than upvotes end a report; 0 for never. */
  readonly netToExpire: number;
  readonly lifetimeMs: number;
}

export function decideVote(
  report: Report | undefined,
  voter: Voter,
  { allowSelfVote }: Pick<VoteRules, 'allowSelfVote'>,
  nowMs: number,
): Outcome {
  if (report === undefined) return 'missing';
  if (stateOf(report, nowMs) !== 'active') return 'gone';
  const isOwn =
    isOwner(report, voter) && (voter.user === '' || report.externalUserId === voter.user);
  return isOwn && !allowSelfVote ? 'forbidden' : 'done';
}

/** The report after a vote. @param former what the voter had voted before */
export function withVote(
  report: Report,
  vote: Vote,
  former: Vote | undefined,
  { netToExpire, lifetimeMs }: VoteRules,
  nowMs: number,
): Report {
  const counted = (value: Vote) => Number(vote === value) - Number(former === value);
  const upvotes = report.upvotes + counted(1);
  const downvotes = report.downvotes + counted(-1);
  const isOver = netToExpire > 0 && downvotes - upvotes >= netToExpire;
  const prolonged = vote === 1 ? Math.max(report.expiresAt, nowMs + lifetimeMs) : report.expiresAt;
  return {
    ...report,
    upvotes,
    downvotes,
    // Strictly later, also within one millisecond.
    updatedAt: Math.max(nowMs, report.updatedAt + 1),
    expiresAt: isOver ? nowMs : prolonged,
    expiredAt: isOver ? nowMs : report.expiredAt,
  };
}
