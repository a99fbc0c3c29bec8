// The choice of points that keep apart, on random seas: what is hidden has something more important
// that is seen near it, at every zoom and whatever SCAMIN brings when.

import { describe, expect, test } from 'vitest';
import {
  isShownAt,
  type Rankable,
  type Spacing,
  spacedRanks,
  spacingAt,
  standInsAt,
} from '../../../tiles-build/generalise/spaced-ranks.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const LAST_ZOOM = 12;
const SAME: Spacing = { alike: 30, different: 15 };
/** Wider by a third for each zoom below the ninth. */
const WIDENING: Spacing = { ...SAME, widerAt: (zoom) => 1 + Math.max(0, 9 - zoom) / 3 };
/** Never further from what stands for a point than 24. */
const REACHING: Spacing = { ...SAME, reach: 24 };

/** Points in a square of 1/1000 of the world, in order of importance; SCAMIN as its share says. */
function randomPoints(random: () => number, count: number, scaminShare: number): Rankable[] {
  return Array.from({ length: count }, () => {
    const mz = random() < scaminShare ? 6 + random() * 8 : 0;
    return {
      x: 0.3 + random() * 1e-3,
      y: 0.4 + random() * 1e-3,
      first: Math.floor(mz),
      solid: mz,
      kind: Math.floor(random() * 3),
    };
  });
}

const pixels = (a: Rankable, b: Rankable, zoom: number): number =>
  Math.hypot(a.x - b.x, a.y - b.y) * 512 * 2 ** zoom;

const SEAS = isLong ? 500 : 12;

describe.each([
  ['without SCAMIN', 0, SAME],
  ['where SCAMIN brings half of them later', 0.5, SAME],
  ['where SCAMIN brings all of them later', 1, SAME],
  ['further apart at small zooms', 0.5, WIDENING],
  ['within a reach', 0, REACHING],
  ['within a reach, where SCAMIN brings half of them later', 0.5, REACHING],
])('points of random seas %s', (_, scaminShare, SPACING) => {
  const seas = Array.from({ length: SEAS }, (__, seed) => {
    const random = seededRandom(seed + 1);
    const points = randomPoints(random, 20 + Math.floor(random() * 300), scaminShare);
    return { points, ranks: spacedRanks(points, SPACING, LAST_ZOOM) };
  });

  test('whatever is hidden has a more important one that is seen within the reach, else twice the distance', () => {
    const alone: string[] = [];
    for (const { points, ranks } of seas) {
      for (let zoom = 0; zoom <= LAST_ZOOM; zoom++) {
        points.forEach((point, i) => {
          if (point.first > zoom || isShownAt(ranks, i, zoom)) return;
          const found = points.findIndex(
            (other, j) =>
              j < i &&
              other.solid <= Math.max(zoom, point.solid) &&
              isShownAt(ranks, j, zoom) &&
              pixels(point, other, zoom) < (SPACING.reach ?? 2 * spacingAt(SPACING, zoom).alike),
          );
          if (found < 0) alone.push(`point ${i} at zoom ${zoom}`);
        });
      }
    }
    expect(alone).toEqual([]);
  });

  test('what is shown keeps apart, but for what SCAMIN brings within the zoom', () => {
    for (const { points, ranks } of seas) {
      for (let zoom = 0; zoom <= LAST_ZOOM; zoom++) {
        const shown = points.filter((one, i) => isShownAt(ranks, i, zoom) && one.solid <= zoom);
        const { alike, different, reach = alike } = spacingAt(SPACING, zoom);
        const tooClose = shown.flatMap((a, i) =>
          shown
            .slice(i + 1)
            .filter(
              (b) => pixels(a, b, zoom) < (a.kind === b.kind ? Math.min(alike, reach) : different),
            )
            .map((b) => [a, b]),
        );
        expect(tooClose, `zoom ${zoom}`).toEqual([]);
      }
    }
  });

  test('the most important is shown as soon as SCAMIN lets it, and all are after the last zoom', () => {
    for (const { points, ranks } of seas) {
      for (let zoom = points[0]!.first; zoom <= LAST_ZOOM; zoom++) {
        expect(isShownAt(ranks, 0, zoom)).toBe(true);
      }
      expect(points.every((__, i) => isShownAt(ranks, i, LAST_ZOOM + 1))).toBe(true);
    }
  });

  test('every hidden one is stood for by a more important one that is shown', () => {
    const wrong: string[] = [];
    for (const { points, ranks } of seas) {
      for (const zoom of [0, 5, 9, LAST_ZOOM]) {
        const standIns = standInsAt(points, ranks, SPACING, zoom);
        points.forEach((point, i) => {
          const isHidden = point.first <= zoom && !isShownAt(ranks, i, zoom);
          const keeper = standIns[i];
          const isRight =
            keeper === undefined
              ? !isHidden
              : isHidden &&
                keeper < i &&
                isShownAt(ranks, keeper, zoom) &&
                points[keeper]!.solid <= Math.max(zoom, point.solid);
          if (!isRight) wrong.push(`point ${i} by ${keeper} at zoom ${zoom}`);
        });
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('a point that is free from a zoom on is shown from it on, and keeps away others that are not', () => {
  const at = { x: 0.3, y: 0.4, first: 0, solid: 0, kind: 0 };
  const points: Rankable[] = [{ ...at, free: 7 }, { ...at, free: 5 }, at];
  const ranks = spacedRanks(points, REACHING, LAST_ZOOM);
  const firstOf = (i: number) =>
    Array.from({ length: LAST_ZOOM + 2 }, (_, zoom) => zoom).filter((zoom) =>
      isShownAt(ranks, i, zoom),
    )[0];
  expect([0, 1, 2].map(firstOf)).toEqual([0, 5, LAST_ZOOM + 1]);
});

test('without SCAMIN or a reach a point that is shown at a zoom is shown at all deeper ones', () => {
  const points = randomPoints(seededRandom(99), 400, 0);
  const ranks = spacedRanks(points, SAME, LAST_ZOOM);
  points.forEach((_, i) => {
    const zooms = Array.from({ length: LAST_ZOOM + 2 }, (__, zoom) => isShownAt(ranks, i, zoom));
    expect(zooms.slice(zooms.indexOf(true)).every(Boolean)).toBe(true);
  });
});
