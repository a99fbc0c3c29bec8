// The state of a report, to the millisecond, and its owner.

import { describe, expect, test } from 'vitest';
import {
  expiredAt,
  isOwner,
  isReportKind,
  LIFETIMES_MS,
  REPORT_KINDS,
  stateOf,
} from '../../../shared/reports/report.ts';

const fate = (more = {}) => ({ expiresAt: 1000, expiredAt: null, deletedAt: null, ...more });

describe('reports', () => {
  test('expire exactly at their time, whether that was recorded or not', () => {
    expect([expiredAt(fate(), 999), expiredAt(fate(), 1000)]).toEqual([null, 1000]);
    expect(expiredAt(fate(), 5000)).toBe(1000);
    expect(expiredAt(fate({ expiredAt: 700 }), 10)).toBe(700);
  });

  test('are deleted if they were deleted, whether they had expired or not', () => {
    expect([stateOf(fate(), 999), stateOf(fate(), 1000)]).toEqual(['active', 'expired']);
    expect(stateOf(fate({ expiredAt: 700 }), 10)).toBe('expired');
    expect([999, 1000].map((now) => stateOf(fate({ deletedAt: 1 }), now))).toEqual([
      'deleted',
      'deleted',
    ]);
  });

  test('belong to one subject of one account', () => {
    const owner = { account: 'a', subject: 's' };
    expect(isOwner({ owner }, { account: 'a', subject: 's' })).toBe(true);
    expect(isOwner({ owner }, { account: 'b', subject: 's' })).toBe(false);
    expect(isOwner({ owner }, { account: 'a', subject: 't' })).toBe(false);
  });

  test('have four kinds with the lifetimes of the contract', () => {
    expect(REPORT_KINDS.every(isReportKind)).toBe(true);
    for (const other of ['', 'Hazard', 'hazards', null, undefined, 0, ['hazard']]) {
      expect(isReportKind(other)).toBe(false);
    }
    expect(LIFETIMES_MS).toEqual({
      weather: 21_600_000,
      wildlife: 43_200_000,
      accident: 86_400_000,
      hazard: 604_800_000,
    });
  });
});
