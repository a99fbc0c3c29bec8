// The problems of cells in the list of the portal, after the permits of a build have ended.

import { expect, it } from 'vitest';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import { problemsOn } from '../../workers/service/endpoints/portal-chart-cells.ts';

const cell = (isSubscription?: boolean) => {
  const codes = ['x', 'sse-20', 'x', 'x', 'x', 'x'];
  const problems = codes.map((code) => ({ code, message: code, severity: 'warning' }));
  const s63 = { dataServer: 'AA', expires: '20260630', isSubscription };
  return { problems, s63 } as ManifestCell;
};
const STORED = ['x', 'sse-20', 'x', 'x', 'x'];

it('tells that a subscription has ended since the build', () => {
  expect(problemsOn('20260630', cell(true))).toEqual(STORED);
  const [first, ...others] = problemsOn('20260701', cell(true));
  expect(first).toMatch(/^SSE 25: The permit .* has expired\..* ended on 2026-06-30$/);
  expect(others).toEqual(['x', 'x', 'x', 'x']);
});

it.each([false, undefined])('does not report it if `isSubscription` is %s', (isSubscription) =>
  expect(problemsOn('20260701', cell(isSubscription))).toEqual(STORED),
);
