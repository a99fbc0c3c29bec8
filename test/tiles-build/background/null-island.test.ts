// Natural Earth's placeholder island at 0° N 0° E is removed.

import { describe, expect, test } from 'vitest';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { polygonsOf } from '../../../tiles-build/background/geojson.ts';
import { boxRing, writeLayer } from '../../support/background-files.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const folder = scratchFolder();

/** Outer rings of a background's land. */
const landOf = (folder: string | undefined) =>
  readBackground(findBackground(folder))
    .filter(({ layer }) => layer === 'bg_land')
    .flatMap(({ features }) => features)
    .flatMap(({ geometry }) => polygonsOf(geometry))
    .map(([outer]) => outer!);

function writeLand(name: string, outlines: readonly (readonly (readonly number[])[])[]): void {
  const coordinates = outlines.map((outline) => [outline]);
  const geometry = { type: 'MultiPolygon', coordinates };
  writeLayer(folder, name, [{ type: 'Feature', properties: {}, geometry }]);
}

const isAround = (ring: readonly (readonly number[])[], degrees: number) =>
  ring.every((position) => position.every((one) => Math.abs(one) < degrees));

describe('the Gulf of Guinea has no island at 0° N 0° E', () => {
  test('in the built-in land', () => {
    const land = landOf(undefined);
    expect(land.length).toBeGreaterThan(1000);
    expect(land.filter((ring) => isAround(ring, 1))).toEqual([]);
  });

  test('in a background folder, whose other islands stay', () => {
    const metre = boxRing(-0.000005, -0.000005, 0.000005, 0.000005);
    const island = boxRing(0.1, 0.1, 0.2, 0.2);
    const across = boxRing(-1, -1, 1, 1);
    writeLand('ne_10m_land', [metre, island]);
    writeLand('ne_10m_minor_islands', [across]);
    expect(landOf(folder)).toEqual([island, across]);
  });
});
