// Land at the antimeridian and around the pole has the right position.

import { describe, expect, test } from 'vitest';
import { sideOfRings } from '../../../shared/geo/ring.ts';
import { cutAtAntimeridian } from '../../../tiles-build/background/antimeridian.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { polygonsOf, type Ring } from '../../../tiles-build/background/geojson.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { seededRandom } from '../../support/seeded-random.ts';

type Polygons = readonly (readonly Ring[])[];

function landOf(folder: string | undefined): Polygons {
  return readBackground(findBackground(folder))
    .filter(({ layer }) => layer === 'bg_land')
    .flatMap(({ features }) => features)
    .flatMap(({ geometry }) => cutAtAntimeridian(polygonsOf(geometry)));
}

/** Rings with bounding boxes, to skip most of them quickly. */
function prepared(polygons: Polygons) {
  return polygons.map((rings) => {
    const flat = rings.map((ring) => ring.slice(1).flatMap(([x, y]) => [x!, y!]));
    const xs = rings[0]!.map(([x]) => x!);
    const ys = rings[0]!.map((position) => position[1]!);
    const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
    const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
    return { flat, left: least(xs), right: most(xs), bottom: least(ys), top: most(ys) };
  });
}

const isLand = (land: ReturnType<typeof prepared>, x: number, y: number): boolean =>
  land.some(
    ({ flat, left, right, bottom, top }) =>
      x >= left && x <= right && y >= bottom && y <= top && sideOfRings(x, y, flat) > 0,
  );

describe('the default background', () => {
  const land = prepared(landOf(undefined));

  test.each([
    ['Chukotka east of 180°', -175.5, 66.8],
    ['Chukotka west of 180°', 178, 67.5],
    ['Wrangel Island west of 180°', 179.3, 71.1],
    ['Antarctica', 0, -80],
    ['Antarctica near the pole', 120, -89],
    ['Antarctica east of 180°', -179.5, -88],
  ])('%s is land', (_, longitude, latitude) => {
    expect(isLand(land, longitude, latitude)).toBe(true);
  });

  test.each([
    ['the Greenland Sea', -10, 71.1],
    ['the Norwegian Sea', 0, 67.5],
    ['Baffin Bay', -65, 71.1],
    ['the South Pacific in Fiji’s latitude', -120, -16.8],
    ['the Southern Ocean', 90, -60],
  ])('%s is sea', (_, longitude, latitude) => {
    expect(isLand(land, longitude, latitude)).toBe(false);
  });
});

describe.runIf(hasEncData)('compared with the land that Natural Earth cut itself', () => {
  test('3,000 positions agree, except a few on the shore', () => {
    const ours = prepared(landOf(undefined));
    const theirs = prepared(landOf(encData('background')));
    const random = seededRandom(180);
    let differing = 0;
    for (let i = 0; i < 3000; i++) {
      // A third of the positions is near the antimeridian.
      const longitude =
        i % 3 === 0 ? ((175 + random() * 10 + 180) % 360) - 180 : random() * 360 - 180;
      const latitude = (Math.asin(random() * 2 - 1) * 180) / Math.PI;
      if (isLand(ours, longitude, latitude) !== isLand(theirs, longitude, latitude)) differing++;
    }
    expect(differing).toBeLessThan(6);
  });
});
