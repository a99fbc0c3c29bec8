// Boxes on the globe, checked against every place that they must contain.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  boundsAround,
  type GeoBounds,
  middleOf,
  plainBounds,
  wrappedBounds,
} from '../../../shared/chart/bounds.ts';

const longitude = fc.integer({ min: -180, max: 180 });
const box = fc
  .tuple(longitude, longitude)
  .map(([west, east]): GeoBounds => [west === 180 ? -180 : west, -1, east, 1]);
const holds = ([west, , east]: GeoBounds, x: number) =>
  west <= east ? x >= west && x <= east : x >= west || x <= east;
const width = ([west, , east]: GeoBounds) => (west > east ? east + 360 - west : east - west);

it('wrappedBounds returns a box across 180° with west greater than east, for any longitudes beyond ±180°', () => {
  expect(wrappedBounds([179.5, 50, 180.5, 51])).toEqual([179.5, 50, -179.5, 51]);
  expect(wrappedBounds([-180.5, 50, -179.5, 51])).toEqual([179.5, 50, -179.5, 51]);
});

it('wrappedBounds keeps a box that ends at 180° on its side', () => {
  expect(wrappedBounds([179, 50, 180, 51])).toEqual([179, 50, 180, 51]);
  expect(wrappedBounds([-180, 50, -179, 51])).toEqual([-180, 50, -179, 51]);
  expect(wrappedBounds([180, 50, 181, 51])).toEqual([-180, 50, -179, 51]);
});

it('middleOf returns a place inside the box, also across 180°', () => {
  expect(middleOf([179, 50, -177, 52])).toEqual({ longitude: -179, latitude: 51, width: 4 });
  expect(middleOf([10, 50, 20, 52])).toEqual({ longitude: 15, latitude: 51, width: 10 });
});

it('plainBounds returns all longitudes for a box across 180°', () => {
  expect(plainBounds([179, 50, -177, 52])).toEqual([-180, 50, 180, 52]);
  expect(plainBounds([10, 50, 20, 52])).toEqual([10, 50, 20, 52]);
});

it('boundsAround crosses 180° only if that is smaller', () => {
  const [fiji, alaska, europe]: GeoBounds[] = [
    [177, -20, -178, -15],
    [-152.4, 59, -151.35, 60],
    [5, 50, 10, 55],
  ];
  expect(boundsAround([fiji!, alaska!])).toEqual([177, -20, -151.35, 60]);
  expect(boundsAround([alaska!, europe!])).toEqual([-152.4, 50, 10, 60]);
  expect(
    boundsAround([
      [179, 0, 180, 1],
      [-180, 0, -179, 1],
    ]),
  ).toEqual([179, 0, -179, 1]);
});

it('boundsAround returns the smallest box that contains every place of every box', () => {
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 6 }), (boxes) => {
      const around = boundsAround(boxes);
      const missed = Array.from({ length: 360 }, (_, i) => -179.5 + i).filter(
        (x) => boxes.some((one) => holds(one, x)) && !holds(around, x),
      );
      expect(missed).toEqual([]);
      // The best box begins where a box begins and ends where a box ends.
      const candidates = boxes.flatMap(([west]) =>
        boxes.map(([, , east]): GeoBounds => [west, -1, east, 1]),
      );
      const holdsAll = (one: GeoBounds) =>
        Array.from({ length: 720 }, (_, i) => -179.75 + i / 2).every(
          (x) => !boxes.some((inner) => holds(inner, x)) || holds(one, x),
        );
      const least = Math.min(360, ...candidates.filter(holdsAll).map(width));
      expect(width(around)).toBeLessThanOrEqual(least);
    }),
    { seed: 57, numRuns: 200 },
  );
});
