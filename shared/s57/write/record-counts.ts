// The record counts by kind that DSSI states (S-57 Part 3, clause 7.3.1.2).

import type { RawFeature, RawVector } from '../records/records.ts';

/** RCNM, Part 3, clause 2.2.1. */
export const RECORD_KINDS = {
  feature: 100,
  isolatedNode: 110,
  connectedNode: 120,
  edge: 130,
} as const;

/** NOMR, NOCR, NOGR, NOLR, NOIN, NOCN, NOED, NOFA. */
export function recordCounts(
  vectors: readonly RawVector[],
  features: readonly RawFeature[],
): number[] {
  const ofKind = (kind: number) => vectors.filter(({ name }) => name === kind).length;
  const inClasses = (from: number, to: number) =>
    features.filter(({ classCode }) => classCode >= from && classCode < to).length;
  return [
    inClasses(300, 400),
    inClasses(500, 600),
    inClasses(0, 300),
    inClasses(400, 500),
    ofKind(RECORD_KINDS.isolatedNode),
    ofKind(RECORD_KINDS.connectedNode),
    ofKind(RECORD_KINDS.edge),
    0,
  ];
}
