// Ranks of points that keep a distance, on random seas: each hidden point has a more important visible one
// near it, at every zoom and for any SCAMIN.

import { describe, expect, test } from 'vitest';
import {
  isShownAt,
  type Rankable,
  representativesAt,
  type Spacing,
  spacedRanks,
  spacingAt,
} from '../../../tiles-build/generalise/spaced-ranks.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const LAST_ZOOM = 12;
const SAME: Spacing = { sameKind: 30, otherKind: 15 };
/** A third wider for each zoom below 9. */
const WIDENING: Spacing = { ...SAME, widerAt: (zoom) => 1 + Math.max(0, 9 - zoom) / 3 };
/** At most 24 pixels between a point and the one that represents it. */
const REACHING: Spacing = { ...SAME, reach: 24 };

/** Points in a square of 1/1000 of the world, in order of importance; a share of them with SCAMIN. */
function randomPoints(random: () => number, count: number, scaminShare: number): Rankable[] {
  return Array.from({ length: count }, () => {
    const mz = random() < scaminShare ? 6 + random() * 8 : 0;
    return {
      x: 0.3 + random() * 1e-3,
      y: 0.4 + random() * 1e-3,
      first: Math.floor(mz),
      visibleFrom: mz,
      kind: Math.floor(random() * 3),
    };
  });
}

const pixels = (a: Rankable, b: Rankable, zoom: number): number =>
  Math.hypot(a.x - b.x, a.y - b.y) * 512 * 2 ** zoom;

const SEAS = isLong ? 500 : 12;

describe.each([
  ['without SCAMIN', 0, SAME],
  ['with SCAMIN on half of them', 0.5, SAME],
  ['with SCAMIN on all of them', 1, SAME],
  ['further apart at small zooms', 0.5, WIDENING],
  ['within a reach', 0, REACHING],
  ['within a reach, with SCAMIN on half of them', 0.5, REACHING],
])('points of random seas %s', (_, scaminShare, SPACING) => {
  const seas = Array.from({ length: SEAS }, (__, seed) => {
    const random = seededRandom(seed + 1);
    const points = randomPoints(random, 20 + Math.floor(random() * 300), scaminShare);
    return { points, ranks: spacedRanks(points, SPACING, LAST_ZOOM) };
  });

  test('have a more important visible one near each hidden one, within the reach or twice the distance', () => {
    const alone: string[] = [];
    for (const { points, ranks } of seas) {
      for (let zoom = 0; zoom <= LAST_ZOOM; zoom++) {
        points.forEach((point, i) => {
          if (point.first > zoom || isShownAt(ranks, i, zoom)) return;
          const found = points.findIndex(
            (other, j) =>
              j < i &&
              other.visibleFrom <= Math.max(zoom, point.visibleFrom) &&
              isShownAt(ranks, j, zoom) &&
              pixels(point, other, zoom) < (SPACING.reach ?? 2 * spacingAt(SPACING, zoom).sameKind),
          );
          if (found < 0) alone.push(`point ${i} at zoom ${zoom}`);
        });
      }
    }
    expect(alone).toEqual([]);
  });

  test('keep their distance, except those that SCAMIN adds within the zoom', () => {
    for (const { points, ranks } of seas) {
      for (let zoom = 0; zoom <= LAST_ZOOM; zoom++) {
        const shown = points.filter(
          (one, i) => isShownAt(ranks, i, zoom) && one.visibleFrom <= zoom,
        );
        const { sameKind, otherKind, reach = sameKind } = spacingAt(SPACING, zoom);
        const tooClose = shown.flatMap((a, i) =>
          shown
            .slice(i + 1)
            .filter(
              (b) =>
                pixels(a, b, zoom) < (a.kind === b.kind ? Math.min(sameKind, reach) : otherKind),
            )
            .map((b) => [a, b]),
        );
        expect(tooClose, `zoom ${zoom}`).toEqual([]);
      }
    }
  });

  test('show the most important one as soon as SCAMIN allows, and all after the last zoom', () => {
    for (const { points, ranks } of seas) {
      for (let zoom = points[0]!.first; zoom <= LAST_ZOOM; zoom++) {
        expect(isShownAt(ranks, 0, zoom)).toBe(true);
      }
      expect(points.every((__, i) => isShownAt(ranks, i, LAST_ZOOM + 1))).toBe(true);
    }
  });

  test('have a shown, more important one that represents each hidden one', () => {
    const wrong: string[] = [];
    for (const { points, ranks } of seas) {
      for (const zoom of [0, 5, 9, LAST_ZOOM]) {
        const standIns = representativesAt(points, ranks, SPACING, zoom);
        points.forEach((point, i) => {
          const isHidden = point.first <= zoom && !isShownAt(ranks, i, zoom);
          const keeper = standIns[i];
          const isRight =
            keeper === undefined
              ? !isHidden
              : isHidden &&
                keeper < i &&
                isShownAt(ranks, keeper, zoom) &&
                points[keeper]!.visibleFrom <= Math.max(zoom, point.visibleFrom);
          if (!isRight) wrong.push(`point ${i} by ${keeper} at zoom ${zoom}`);
        });
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('spacedRanks always shows a point from `alwaysFrom` on, and the point hides others there', () => {
  const at = { x: 0.3, y: 0.4, first: 0, visibleFrom: 0, kind: 0 };
  const points: Rankable[] = [{ ...at, alwaysFrom: 7 }, { ...at, alwaysFrom: 5 }, at];
  const ranks = spacedRanks(points, REACHING, LAST_ZOOM);
  const firstOf = (i: number) =>
    Array.from({ length: LAST_ZOOM + 2 }, (_, zoom) => zoom).filter((zoom) =>
      isShownAt(ranks, i, zoom),
    )[0];
  expect([0, 1, 2].map(firstOf)).toEqual([0, 5, LAST_ZOOM + 1]);
});

test('spacedRanks keeps a shown point at all deeper zooms without SCAMIN and reach', () => {
  const points = randomPoints(seededRandom(99), 400, 0);
  const ranks = spacedRanks(points, SAME, LAST_ZOOM);
  points.forEach((_, i) => {
    const zooms = Array.from({ length: LAST_ZOOM + 2 }, (__, zoom) => isShownAt(ranks, i, zoom));
    expect(zooms.slice(zooms.indexOf(true)).every(Boolean)).toBe(true);
  });
});
