// A plan as GPX and GeoJSON, read by GDAL, which knows both formats from elsewhere.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mercatorY } from '../../../shared/geo/mercator.ts';
import { exactWaypoints } from '../../../shared/route/exact-waypoints.ts';
import { cutAtAntimeridian, routeGeojson } from '../../../shared/route/geojson.ts';
import { routeGpx } from '../../../shared/route/gpx.ts';
import { continuous, wrapped } from '../../../shared/route/longitudes.ts';
import type { Plan, Position } from '../../../shared/route/trip.ts';
import { hasGdal } from '../../support/gdal.ts';
import { gpxFaults } from '../../support/gpx-shape.ts';

const PATH: readonly Position[] = [
  [178.5, -17],
  [179.25, -17.5],
  [-179.5, -18.25],
  [-178, -18],
];
const WAYPOINTS: readonly Position[] = [PATH[0]!, PATH[3]!];
const NOTICE = 'Not for navigation: <made> & "meant" for tests.';

const planOf = (path: readonly Position[]): Plan => ({
  success: true,
  path,
  legs: [],
  distance: 1000,
  warnings: [
    {
      code: 'SHALLOWEST',
      message: 'SHALLOWEST 3.2 m',
      position: [-179.9, -18],
      feature: { id: 'F1', objectClass: 'DEPARE', objectName: '' },
    },
  ],
  effort: { expanded: 0, squares: 0 },
});

interface Read {
  readonly features: readonly {
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

function readByGdal(name: string, text: string, ...layers: string[]): Read {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-route-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, text);
    const options = ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=9', '/vsistdout/', file];
    return JSON.parse(execFileSync('ogr2ogr', [...options, ...layers], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('GPX', () => {
  const text = routeGpx(exactWaypoints(PATH, WAYPOINTS), NOTICE);

  test('GPX has the shape that the schema of GPX 1.1 prescribes', () => {
    expect(gpxFaults(text)).toEqual([]);
  });

  test.runIf(hasGdal)('GPX is read by GDAL, point by point', () => {
    const points = readByGdal('route.gpx', text, 'route_points').features;
    expect(points.map(({ geometry }) => geometry.coordinates)).toEqual(PATH);
    expect(points.map(({ properties }) => properties.name)).toEqual([
      'WP1',
      'WP1.1',
      'WP1.2',
      'WP2',
    ]);
    const [route] = readByGdal('route.gpx', text, 'routes').features;
    expect(route!.properties).toMatchObject({ name: 'Leadline route', desc: NOTICE });
  });

  test('GPX writes small numbers without exponents, and 180° as the schema has it', () => {
    const positions: Position[] = [
      [1e-7, -1e-12],
      [180, 0],
    ];
    const odd = routeGpx(exactWaypoints(positions, []), NOTICE);
    expect(odd).toContain('lat="0" lon="0.0000001"');
    expect(odd).toContain('lat="0" lon="-180"');
    expect(gpxFaults(odd)).toEqual([]);
  });
});

describe('GeoJSON', () => {
  test.runIf(hasGdal)('GeoJSON is read by GDAL, line and warnings', () => {
    const made = routeGeojson(continuous(PATH), planOf(PATH), false);
    const { features } = readByGdal('route.geojson', JSON.stringify(made));
    expect(features.map(({ geometry }) => geometry.type)).toEqual(['MultiLineString', 'Point']);
    expect(features[1]!.properties).toMatchObject({ code: 'SHALLOWEST', featureId: 'F1' });
  });

  test('GeoJSON is cut at 180°, on the straight line of the Mercator plane', () => {
    const [west, east] = cutAtAntimeridian(continuous(PATH));
    const latitude = west!.at(-1)![1];
    expect(west).toEqual([
      [178.5, -17],
      [179.25, -17.5],
      [180, latitude],
    ]);
    expect(east).toEqual([
      [-180, latitude],
      [-179.5, -18.25],
      [-178, -18],
    ]);
    const [from, at, to] = [mercatorY(-17.5), mercatorY(latitude), mercatorY(-18.25)];
    expect((at - from) / (to - from)).toBeCloseTo(0.75 / 1.25, 9);
  });

  test.each([
    [
      'eastward onto it',
      [
        [179, 0],
        [180, 0],
      ],
      [
        [
          [179, 0],
          [180, 0],
        ],
      ],
    ],
    [
      'westward onto it',
      [
        [-179, 0],
        [-180, 0],
      ],
      [
        [
          [-179, 0],
          [-180, 0],
        ],
      ],
    ],
    [
      'away from it westward',
      [
        [-180, 0],
        [179, 0],
      ],
      [
        [
          [180, 0],
          [179, 0],
        ],
      ],
    ],
    [
      'along it',
      [
        [180, 0],
        [180, 1],
      ],
      [
        [
          [180, 0],
          [180, 1],
        ],
      ],
    ],
    ...[1, -1].map((east): [string, number[][], number[][][]] => {
      const [before, after] = [180 * east, -180 * east];
      return [
        `past points on it, ${east > 0 ? 'eastward' : 'westward'}`,
        [
          [after, -17],
          [before, -17.5],
          [before - east, -17.5],
          [before, -18],
          [after, -18.5],
          [after + east, -19],
          [after, -20],
        ],
        [
          [
            [before, -17],
            [before, -17.5],
            [before - east, -17.5],
            [before, -18],
            [before, -18.5],
          ],
          [
            [after, -18.5],
            [after + east, -19],
            [after, -20],
          ],
        ],
      ];
    }),
    [
      'to and fro',
      [
        [179, 0],
        [-179, 0],
        [179, 0],
      ],
      [
        [
          [179, 0],
          [180, 0],
        ],
        [
          [-180, 0],
          [-179, 0],
          [-180, 0],
        ],
        [
          [180, 0],
          [179, 0],
        ],
      ],
    ],
  ])('%s', (_what, path, lines) => {
    expect(cutAtAntimeridian(continuous(path as unknown as Position[]))).toEqual(lines);
  });

  test('GeoJSON is not split if continuous longitudes are requested', () => {
    const [line] = routeGeojson(continuous(PATH), planOf(PATH), true).features;
    expect(line!.geometry).toEqual({
      type: 'LineString',
      coordinates: [
        [178.5, -17],
        [179.25, -17.5],
        [180.5, -18.25],
        [182, -18],
      ],
    });
  });
});

test('longitudes are counted on across 180° and brought back', () => {
  const path = continuous([
    [179, 1],
    [-179, 2],
    [179, 3],
    [-170, 4],
  ]);
  expect(path).toEqual([
    [179, 1],
    [181, 2],
    [179, 3],
    [190, 4],
  ]);
  expect(path.map(wrapped)).toEqual([
    [179, 1],
    [-179, 2],
    [179, 3],
    [-170, 4],
  ]);
});

test('waypoints come back digit by digit, each once, and those that were moved do not', () => {
  const given: Position[] = [
    [180, -17],
    [-179.2, -17.3],
    [-179.2, -17.3],
    [-178, -18],
  ];
  const path: Position[] = [
    [-180.0000000000001, -17.00000000000002],
    [-179.5, -17.1],
    [-179.20000000000002, -17.3],
    [-179.20000000000002, -17.3],
    [-178.001, -18],
  ];
  expect(exactWaypoints(path, given)).toEqual([
    { position: given[0], waypoint: 0 },
    { position: path[1], waypoint: undefined },
    { position: given[1], waypoint: 1 },
    { position: given[2], waypoint: 2 },
    { position: path[4], waypoint: undefined },
  ]);
});

test('a waypoint that the path passes before its turn counts at its turn', () => {
  const path: Position[] = [
    [0, 0],
    [1, 1],
    [2, 0],
    [1, 1],
  ];
  const waypoints = [path[0]!, path[2]!, path[1]!];
  expect(exactWaypoints(path, waypoints).map(({ waypoint }) => waypoint)).toEqual([
    0,
    undefined,
    1,
    2,
  ]);
});
