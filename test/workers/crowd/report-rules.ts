// A second implementation of the rules for votes and deletions, without a database. The functions in the
// migrations implement the rules, and `report-model` compares them with this file.

import {
  isOwner,
  type Outcome,
  type Party,
  type Report,
  stateOf,
  type Vote,
  type VoteRules,
} from '../../../shared/reports/report.ts';

/** The voter: a party, or an end user of a party that votes for its users. */
export interface Voter extends Party {
  /** Empty if the party votes for itself. */
  readonly user: string;
}

export interface VoteCase {
  readonly report: Report | undefined;
  readonly voter: Voter;
  readonly allowSelfVote: boolean;
  readonly nowMs: number;
}

/** The outcome of a vote. */
export function decideVote({ report, voter, allowSelfVote, nowMs }: VoteCase): Outcome {
  if (report === undefined) return 'missing';
  if (stateOf(report, nowMs) !== 'active') return 'gone';
  const isOwn =
    isOwner(report, voter) && (voter.user === '' || report.externalUserId === voter.user);
  return isOwn && !allowSelfVote ? 'forbidden' : 'done';
}

export interface CountedVote {
  readonly vote: Vote;
  /** The previous vote of the voter. */
  readonly former: Vote | undefined;
  readonly nowMs: number;
}

/** The report after a vote. */
export function withVote(
  report: Report,
  { vote, former, nowMs }: CountedVote,
  { netToExpire, lifetimeMs }: VoteRules & { readonly lifetimeMs: number },
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
    // Strictly later, even within one millisecond.
    updatedAt: Math.max(nowMs, report.updatedAt + 1),
    expiresAt: isOver ? nowMs : prolonged,
    expiredAt: isOver ? nowMs : report.expiredAt,
  };
}

/** A deletion: of an active or expired report, by its owner or an administrator. */
export function decideDeletion(
  report: Report | undefined,
  party: Party & { readonly isAdmin: boolean },
): Outcome {
  if (report === undefined) return 'missing';
  if (report.deletedAt !== null) return 'gone';
  return party.isAdmin || isOwner(report, party) ? 'done' : 'forbidden';
}
