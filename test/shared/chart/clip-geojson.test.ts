// Points of data tiles at zooms that are cut from a stored tile.

import { expect, test } from 'vitest';
import { clipCollection } from '../../../shared/chart/clip-geojson.ts';
import { tileBounds } from '../../../shared/geo/tile.ts';

const FROM = { z: 12, x: 1101, y: 1432 };

test('each point of a stored tile is in exactly one of its descendants, also if rounding moved it out', () => {
  const [west, south, east, north] = tileBounds(FROM);
  const [middle, centre] = [(west + east) / 2, tileBounds({ z: 13, x: 2202, y: 2864 })[1]];
  const places = [west - 1e-6, west, middle, middle + 1e-6, east, east + 1e-6].flatMap((x) =>
    [south - 1e-6, south, centre, centre + 1e-6, north, north + 1e-6].map((y) => [x, y]),
  );
  const features = places.map((coordinates) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates },
    properties: {},
  }));
  const found = [0, 1, 2, 3].flatMap((i) => {
    const tile = { z: 13, x: 2 * FROM.x + (i & 1), y: 2 * FROM.y + (i >> 1) };
    return clipCollection({ type: 'FeatureCollection', features }, tile, FROM).features;
  });
  expect(found).toHaveLength(places.length);
  expect(new Set(found.map(({ geometry }) => `${geometry.coordinates}`)).size).toBe(places.length);
});

test('a line that only touches a descendant is not in it, but a line without length stays', () => {
  const [west, south, east, north] = tileBounds(FROM);
  const tile = { z: 13, x: 2 * FROM.x, y: 2 * FROM.y };
  const [, low, right] = tileBounds(tile);
  const cut = (...coordinates: [number, number][]) => {
    const feature = {
      type: 'Feature' as const,
      geometry: { type: 'LineString' as const, coordinates },
      properties: {},
    };
    return clipCollection({ type: 'FeatureCollection', features: [feature] }, tile, FROM).features;
  };
  expect(cut([right, low], [east, south])).toEqual([]);
  expect(cut([west, north], [right, north])).toHaveLength(1);
  expect(cut([west, north], [west, north])).toHaveLength(1);
});

test('an area whose ring crosses itself stays in a tile that cuts it', () => {
  const path = [
    ...[-82.5553344, 43.7536539, -80.8672272, 41.7707125, -82.4569079, 42.5003319],
    ...[-83.0646008, 41.7282581, -80.5027884, 44.3934807, -79.9908529, 41.7456637],
    ...[-79.0093896, 42.6470823, -82.9867952, 44.6330763, -82.5553344, 43.7536539],
  ];
  const ring = Array.from({ length: path.length / 2 }, (_, i) => path.slice(2 * i, 2 * i + 2));
  const feature = {
    type: 'Feature' as const,
    geometry: { type: 'Polygon' as const, coordinates: [ring] },
    properties: {},
  };
  const collection = { type: 'FeatureCollection' as const, features: [feature] };
  const [from, tile] = [{ z: 6, x: 17, y: 23 } as const, { z: 7, x: 35, y: 46 } as const];
  expect(clipCollection(collection, tile, from).features).toHaveLength(1);
});
