// Tests `spacedRanks` with random points: visible points keep a minimum distance, and each hidden point has
// a more important visible point near it, at every zoom and for any SCAMIN.

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

const SAMPLES = isLong ? 500 : 12;

describe.each([
  ['without SCAMIN', 0, SAME],
  ['with SCAMIN on half of them', 0.5, SAME],
  ['with SCAMIN on all of them', 1, SAME],
  ['with larger distances at small zooms', 0.5, WIDENING],
  ['with a maximum reach', 0, REACHING],
  ['with a maximum reach and with SCAMIN on half of them', 0.5, REACHING],
])('spacedRanks of random points %s', (_, scaminShare, SPACING) => {
  const samples = Array.from({ length: SAMPLES }, (__, seed) => {
    const random = seededRandom(seed + 1);
    const points = randomPoints(random, 20 + Math.floor(random() * 300), scaminShare);
    return { points, ranks: spacedRanks(points, SPACING, LAST_ZOOM) };
  });

  test('shows a more important point near each hidden point, within the reach or twice the distance', () => {
    const unrepresented: string[] = [];
    for (const { points, ranks } of samples) {
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
          if (found < 0) unrepresented.push(`point ${i} at zoom ${zoom}`);
        });
      }
    }
    expect(unrepresented).toEqual([]);
  });

  test('keeps the minimum distance, except for points that SCAMIN adds before the next zoom', () => {
    for (const { points, ranks } of samples) {
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

  test('shows the most important point from the first zoom of its SCAMIN, and all points after the last zoom', () => {
    for (const { points, ranks } of samples) {
      for (let zoom = points[0]!.first; zoom <= LAST_ZOOM; zoom++) {
        expect(isShownAt(ranks, 0, zoom)).toBe(true);
      }
      expect(points.every((__, i) => isShownAt(ranks, i, LAST_ZOOM + 1))).toBe(true);
    }
  });

  test('lets `representativesAt` return a more important visible point for each hidden point', () => {
    const wrong: string[] = [];
    for (const { points, ranks } of samples) {
      for (const zoom of [0, 5, 9, LAST_ZOOM]) {
        const representatives = representativesAt(points, ranks, SPACING, zoom);
        points.forEach((point, i) => {
          const isHidden = point.first <= zoom && !isShownAt(ranks, i, zoom);
          const representative = representatives[i];
          const isRight =
            representative === undefined
              ? !isHidden
              : isHidden &&
                representative < i &&
                isShownAt(ranks, representative, zoom) &&
                points[representative]!.visibleFrom <= Math.max(zoom, point.visibleFrom);
          if (!isRight) wrong.push(`point ${i} by ${representative} at zoom ${zoom}`);
        });
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('spacedRanks shows a point at all zooms from `alwaysFrom`, where it hides the points near it', () => {
  const at = { x: 0.3, y: 0.4, first: 0, visibleFrom: 0, kind: 0 };
  const points: Rankable[] = [{ ...at, alwaysFrom: 7 }, { ...at, alwaysFrom: 5 }, at];
  const ranks = spacedRanks(points, REACHING, LAST_ZOOM);
  const firstOf = (i: number) =>
    Array.from({ length: LAST_ZOOM + 2 }, (_, zoom) => zoom).filter((zoom) =>
      isShownAt(ranks, i, zoom),
    )[0];
  expect([0, 1, 2].map(firstOf)).toEqual([0, 5, LAST_ZOOM + 1]);
});

test('spacedRanks, without SCAMIN and reach, shows a visible point at all higher zooms', () => {
  const points = randomPoints(seededRandom(99), 400, 0);
  const ranks = spacedRanks(points, SAME, LAST_ZOOM);
  points.forEach((_, i) => {
    const zooms = Array.from({ length: LAST_ZOOM + 2 }, (__, zoom) => isShownAt(ranks, i, zoom));
    expect(zooms.slice(zooms.indexOf(true)).every(Boolean)).toBe(true);
  });
});
