// The known reports, with all orders of lists and responses.

import { describe, expect, test } from 'vitest';
import { openKnownReports } from '../../../workers/web/chart/reports/known-reports.ts';
import { ageText, type Report, stateText } from '../../../workers/web/chart/reports/report.ts';

const NOW = Date.UTC(2026, 0, 1);

const report = (id: string, change: Partial<Report> = {}): Report => ({
  id,
  reportType: 'hazard',
  latitude: 0,
  longitude: 0,
  properties: {},
  upvoteCount: 0,
  downvoteCount: 0,
  isOwner: false,
  createdAt: NOW,
  updatedAt: NOW,
  expiredAt: null,
  deletedAt: null,
  ...change,
});

describe('known reports', () => {
  const ids = (known: ReturnType<typeof openKnownReports>) => known.all().map(({ id }) => id);

  test('are replaced by a new list, newest first', () => {
    const known = openKnownReports();
    known.takeList([report('a'), report('b', { createdAt: NOW + 1 })], NOW);
    expect(ids(known)).toEqual(['b', 'a']);
    known.takeList([report('c')], NOW);
    expect(ids(known)).toEqual(['c']);
  });

  test('keep a new report for a minute if a list does not contain it', () => {
    const known = openKnownReports();
    known.takeNew(report('mine'), NOW);
    known.takeList([], NOW + 59_000);
    expect(ids(known)).toEqual(['mine']);
    known.takeList([], NOW + 60_000);
    expect(ids(known)).toEqual([]);
  });

  test('lose a report when a list contained it and the next one does not', () => {
    const known = openKnownReports();
    known.takeNew(report('mine'), NOW);
    known.takeList([report('mine')], NOW + 1000);
    known.takeList([], NOW + 2000);
    expect(ids(known)).toEqual([]);
  });

  test('use the later of two states of a report', () => {
    const known = openKnownReports();
    known.takeList([report('a')], NOW);
    known.take(report('a', { upvoteCount: 2, updatedAt: NOW + 2 }));
    known.takeList([report('a', { upvoteCount: 1, updatedAt: NOW + 1 })], NOW);
    expect(known.get('a')?.upvoteCount).toBe(2);
    known.takeList([report('a', { upvoteCount: 3, updatedAt: NOW + 3 })], NOW);
    expect(known.get('a')?.upvoteCount).toBe(3);
  });

  test('do not restore a deleted report, and an expired report is not active', () => {
    const known = openKnownReports();
    known.drop('a');
    known.takeList([report('a'), report('b', { expiredAt: NOW }), report('c')], NOW);
    expect(ids(known)).toEqual(['c']);
    expect(known.get('a')).toBeUndefined();
  });
});

test('an age is shown in words', () => {
  const ages: readonly (readonly [number, string])[] = [
    [-5000, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [7_199_999, '1 hour ago'],
    [7_200_000, '2 hours ago'],
    [86_400_000 * 6.9, '6 days ago'],
  ];
  for (const [age, words] of ages) expect(ageText(NOW - age, NOW), `${age}`).toBe(words);
  expect(stateText(report('a', { expiredAt: NOW + 60_000 }), NOW + 120_000)).toBe(
    'Reported 2 minutes ago, expired 1 minute ago',
  );
});
