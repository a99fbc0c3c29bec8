// Route requests: the path of the fault of every field, and the defaults.

import { describe, expect, test } from 'vitest';
import { MAX_AVOID_CORNERS } from '../../../shared/contract/avoid-areas.ts';
import { type RouteRequest, readRouteRequest } from '../../../shared/contract/route.ts';

const waypoints = [
  [-30, -20],
  [-30.1, -19.9],
];
const read = (more: object, most = 25) => readRouteRequest({ waypoints, ...more }, most);

function requestOf(more: object = {}): RouteRequest {
  const done = read(more);
  if (!('request' in done)) throw new Error(JSON.stringify(done.faults));
  return done.request;
}

function pathsOf(more: object): string[] {
  const done = read(more);
  return 'faults' in done ? done.faults.map(({ path }) => path) : [];
}

const square = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];
const area = (coordinates: unknown, type = 'Polygon') => ({
  options: { avoidAreas: { type, coordinates } },
});
const many = Array.from({ length: MAX_AVOID_CORNERS + 1 }, () => [0, 0]);

const FAULTS: readonly (readonly [what: string, body: object, path: string])[] = [
  ['no waypoints', { waypoints: undefined }, 'waypoints'],
  ['null for waypoints', { waypoints: null }, 'waypoints'],
  ['an object for waypoints', { waypoints: { 0: [0, 0], 1: [0, 0] } }, 'waypoints'],
  ['one waypoint', { waypoints: [[0, 0]] }, 'waypoints'],
  ['no waypoint', { waypoints: [] }, 'waypoints'],
  ['26 waypoints', { waypoints: Array.from({ length: 26 }, () => [0, 0]) }, 'waypoints'],
  ['a waypoint that is an object', { waypoints: [[0, 0], { lat: 0, lon: 0 }] }, 'waypoints.1'],
  ['a waypoint of one number', { waypoints: [[0], [0, 0]] }, 'waypoints.0'],
  [
    'a waypoint of three numbers',
    {
      waypoints: [
        [0, 0, 0],
        [0, 0],
      ],
    },
    'waypoints.0',
  ],
  [
    'a string for a latitude',
    {
      waypoints: [
        ['0', 0],
        [0, 0],
      ],
    },
    'waypoints.0.0',
  ],
  [
    'a latitude beyond a pole',
    {
      waypoints: [
        [0, 0],
        [90.1, 0],
      ],
    },
    'waypoints.1.0',
  ],
  [
    'a longitude beyond 180°',
    {
      waypoints: [
        [0, 0],
        [0, 180.1],
      ],
    },
    'waypoints.1.1',
  ],
  [
    'an infinite longitude',
    {
      waypoints: [
        [0, 0],
        [0, Number.POSITIVE_INFINITY],
      ],
    },
    'waypoints.1.1',
  ],
  [
    'a null latitude',
    {
      waypoints: [
        [0, 0],
        [null, 0],
      ],
    },
    'waypoints.1.0',
  ],
  ['a string for vessel', { vessel: 'big' }, 'vessel'],
  ['a list for vessel', { vessel: [] }, 'vessel'],
  ['a negative draft', { vessel: { draft: -0.1 } }, 'vessel.draft'],
  ['a string for a draft', { vessel: { draft: '2' } }, 'vessel.draft'],
  ['a string for the flat draft', { draft: '2' }, 'draft'],
  ['a negative flat draft', { draft: -1 }, 'draft'],
  ['two different drafts', { draft: 1, vessel: { draft: 2 } }, 'draft'],
  ['two different air drafts', { airDraft: 1, vessel: { airDraft: 0 } }, 'airDraft'],
  ['a boolean for the air draft', { vessel: { airDraft: true } }, 'vessel.airDraft'],
  ['a negative beam', { vessel: { beam: -3 } }, 'vessel.beam'],
  ['a length of 1,000 km', { vessel: { length: 1e6 } }, 'vessel.length'],
  ['a speed of zero', { vessel: { speed: 0 } }, 'vessel.speed'],
  ['a negative turning radius', { turningRadius: -5 }, 'turningRadius'],
  ['a largest turn of zero', { vessel: { maxTurnAngle: 0 } }, 'vessel.maxTurnAngle'],
  ['a largest turn above 180°', { maxTurnAngle: 181 }, 'maxTurnAngle'],
  ['a negative clearance', { safety: { underKeelClearance: -1 } }, 'safety.underKeelClearance'],
  [
    'a list for the overhead clearance',
    { safety: { overheadClearance: [1] } },
    'safety.overheadClearance',
  ],
  [
    'a lateral clearance of 10 km',
    { safety: { lateralClearance: 1e4 } },
    'safety.lateralClearance',
  ],
  ['a string for the shore distance', { safety: { shoreDistance: 'far' } }, 'safety.shoreDistance'],
  ['a water level of 100 m', { safety: { waterLevel: 100 } }, 'safety.waterLevel'],
  [
    'a number for allowUnknownDepth',
    { safety: { allowUnknownDepth: 1 } },
    'safety.allowUnknownDepth',
  ],
  ['a string for avoid', { options: { avoid: 'locks' } }, 'options.avoid'],
  ['an unknown word in avoid', { options: { avoid: ['pirates'] } }, 'options.avoid.0'],
  ['a string for preferFairways', { options: { preferFairways: 'yes' } }, 'options.preferFairways'],
  ['a number for followTss', { options: { followTss: 0 } }, 'options.followTss'],
  ['an unknown optimize', { options: { optimize: 'beauty' } }, 'options.optimize'],
  [
    'a string for the departure',
    { options: { departureTime: '2026-01-01' } },
    'options.departureTime',
  ],
  ['a departure before 1970', { options: { departureTime: -1 } }, 'options.departureTime'],
  ['a snap distance of 1,000 km', { options: { maxSnapDistance: 1e6 } }, 'options.maxSnapDistance'],
  ['reversed limits', { options: { latitudeLimits: [10, -10] } }, 'options.latitudeLimits'],
  ['one limit', { options: { latitudeLimits: [10] } }, 'options.latitudeLimits'],
  ['a string for include', { options: { include: 'gpx' } }, 'options.include'],
  ['an unknown word in include', { options: { include: ['pdf'] } }, 'options.include.0'],
  [
    'a number for continuousLongitudes',
    { options: { continuousLongitudes: 1 } },
    'options.continuousLongitudes',
  ],
  ['an area that is a point', area([0, 0], 'Point'), 'options.avoidAreas.type'],
  ['an area without a type', { options: { avoidAreas: {} } }, 'options.avoidAreas.type'],
  ['a polygon without rings', area([]), 'options.avoidAreas.coordinates'],
  ['a ring of three positions', area([square.slice(1)]), 'options.avoidAreas.coordinates.0'],
  ['an open ring', area([[...square.slice(0, 3), [5, 5]]]), 'options.avoidAreas.coordinates.0'],
  ['a ring of strings', area([['a', 'b', 'c', 'a']]), 'options.avoidAreas.coordinates.0.0'],
  [
    'a corner with an invalid latitude',
    area([[[0, 91], ...square.slice(1)]]),
    'options.avoidAreas.coordinates.0.0.1',
  ],
  [
    'an edge of 180°, whose direction is ambiguous',
    area([
      [
        [-170, -40],
        [130, -40],
        [130, -20],
        [-170, -20],
        [-170, -40],
      ],
    ]),
    'options.avoidAreas.coordinates.0',
  ],
  ['too many corners', area([many]), 'options.avoidAreas'],
  [
    'too many corners in two polygons',
    area([[many.slice(0, 600)], [many.slice(0, 600)]], 'MultiPolygon'),
    'options.avoidAreas',
  ],
];

describe('readRouteRequest', () => {
  test.each(FAULTS)('rejects %s', (_what, body, path) => {
    expect(pathsOf(body)).toContain(path);
  });

  test('reports all faults at once', () => {
    expect(
      pathsOf({
        waypoints: [
          [91, 0],
          [0, 181],
        ],
        draft: -1,
        vessel: { beam: 'x' },
      }),
    ).toEqual(['waypoints.0.0', 'waypoints.1.1', 'vessel.beam', 'draft']);
  });
});

test('readRouteRequest uses safe defaults and lists them', () => {
  const { trip, assumed } = requestOf();
  expect(trip.vessel).toEqual({
    draft: 0,
    airDraft: undefined,
    beam: 0,
    length: 0,
    speed: undefined,
    turningRadius: 0,
    maxTurnAngle: 180,
  });
  expect(trip.safety).toEqual({
    underKeelClearance: 0.5,
    overheadClearance: 0.5,
    lateralClearance: 10,
    shoreDistance: 0,
    waterLevel: 0,
    allowUnknownDepth: false,
  });
  expect(trip.options).toMatchObject({
    preferFairways: true,
    followTss: true,
    maxSnapDistance: 0,
  });
  expect(assumed).toEqual([
    'vessel.draft',
    'vessel.airDraft',
    'vessel.beam',
    'safety.underKeelClearance',
    'safety.overheadClearance',
    'safety.lateralClearance',
    'safety.waterLevel',
    'safety.allowUnknownDepth',
    'options.avoid',
    'options.latitudeLimits',
  ]);
});

test.each([
  ['a shallow boat', { vessel: { draft: 1 } }, 0.5],
  ['a deep ship', { vessel: { draft: 12 } }, 2.4],
  ['a flat draft', { draft: 10 }, 2],
  ['a given clearance', { draft: 10, safety: { underKeelClearance: 0.1 } }, 0.1],
  ['null', { draft: 10, safety: { underKeelClearance: null } }, 2],
])('readRouteRequest assumes a clearance under the keel for %s', (_what, body, meters) => {
  expect(requestOf(body).trip.safety.underKeelClearance).toBeCloseTo(meters, 9);
});

test('readRouteRequest assumes the beam as lateral clearance, but at least ten metres', () => {
  expect(requestOf({ vessel: { beam: 32 } }).trip.safety.lateralClearance).toBe(32);
  expect(requestOf({ vessel: { beam: 3 } }).trip.safety.lateralClearance).toBe(10);
});

test('readRouteRequest assumes latitudes without ice, extended to the waypoints', () => {
  expect(requestOf().trip.options.latitudeLimits).toEqual([-66, 72]);
  const north = {
    waypoints: [
      [78.2, 15],
      [69, 18],
    ],
  };
  expect(requestOf(north).trip.options.latitudeLimits).toEqual([-66, 79.2]);
  const given = { ...north, options: { latitudeLimits: [70, 78] } };
  expect(requestOf(given).trip.options.latitudeLimits).toEqual([68, 79.2]);
  const pole = {
    waypoints: [
      [90, 0],
      [-90, 0],
    ],
  };
  expect(requestOf(pole).trip.options.latitudeLimits).toEqual([-90, 90]);
});

test('readRouteRequest passes all options to the planner, positions longitude first', () => {
  const { trip, departureTime, include, continuousLongitudes } = requestOf({
    vessel: { draft: 2, airDraft: 18.5, beam: 4, length: 13, speed: 6 },
    turningRadius: 50,
    maxTurnAngle: 40,
    options: {
      avoid: ['locks', 'tss'],
      avoidAreas: { type: 'Polygon', coordinates: [square.map((at) => [...at, 7])] },
      departureTime: 1_700_000_000_000,
      continuousLongitudes: true,
      include: ['gpx'],
      someday: 'more',
    },
  });
  expect(trip.waypoints).toEqual([
    [-20, -30],
    [-19.9, -30.1],
  ]);
  expect(trip.vessel).toMatchObject({
    draft: 2,
    airDraft: 18.5,
    turningRadius: 50,
    maxTurnAngle: 40,
  });
  expect([...trip.options.avoid]).toEqual(['locks', 'tss']);
  expect(trip.options.avoidAreas).toEqual([[square]]);
  expect([departureTime, [...include], continuousLongitudes]).toEqual([
    1_700_000_000_000,
    ['gpx'],
    true,
  ]);
});

test('readRouteRequest accepts an equal value in two places', () => {
  expect(requestOf({ draft: 2, vessel: { draft: 2 } }).trip.vessel.draft).toBe(2);
});

test('readRouteRequest treats null as absent', () => {
  const body = { vessel: null, safety: null, options: null, draft: null };
  expect(requestOf(body)).toEqual(requestOf());
});

test('readRouteRequest lists unknown fields at both levels', () => {
  const found = read({
    drafft: 2,
    vessel: { Draft: 3, beam: 2 },
    safety: null,
    options: { tolls: 1 },
  });
  if (!('request' in found)) throw new Error(JSON.stringify(found.faults));
  expect(found.request.ignored).toEqual(['drafft', 'vessel.Draft', 'options.tolls']);
});
