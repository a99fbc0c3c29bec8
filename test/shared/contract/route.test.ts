// What a route is asked with: every field's faults by their path, and what is taken for what is not
// said.

import { describe, expect, it, test } from 'vitest';
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
  ['waypoints null', { waypoints: null }, 'waypoints'],
  ['waypoints an object', { waypoints: { 0: [0, 0], 1: [0, 0] } }, 'waypoints'],
  ['one waypoint', { waypoints: [[0, 0]] }, 'waypoints'],
  ['no waypoint', { waypoints: [] }, 'waypoints'],
  ['26 waypoints', { waypoints: Array.from({ length: 26 }, () => [0, 0]) }, 'waypoints'],
  ['a waypoint that is an object', { waypoints: [[0, 0], { lat: 0, lon: 0 }] }, 'waypoints.1'],
  ['a waypoint of one number', { waypoints: [[0], [0, 0]] }, 'waypoints.0'],
  [
    'a waypoint of three',
    {
      waypoints: [
        [0, 0, 0],
        [0, 0],
      ],
    },
    'waypoints.0',
  ],
  [
    'a latitude as a text',
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
  ['vessel a text', { vessel: 'big' }, 'vessel'],
  ['vessel a list', { vessel: [] }, 'vessel'],
  ['draft below zero', { vessel: { draft: -0.1 } }, 'vessel.draft'],
  ['draft a text', { vessel: { draft: '2' } }, 'vessel.draft'],
  ['flat draft a text', { draft: '2' }, 'draft'],
  ['flat draft below zero', { draft: -1 }, 'draft'],
  ['drafts that differ', { draft: 1, vessel: { draft: 2 } }, 'draft'],
  ['air drafts that differ', { airDraft: 1, vessel: { airDraft: 0 } }, 'airDraft'],
  ['air draft a truth', { vessel: { airDraft: true } }, 'vessel.airDraft'],
  ['beam below zero', { vessel: { beam: -3 } }, 'vessel.beam'],
  ['length of a continent', { vessel: { length: 1e6 } }, 'vessel.length'],
  ['no speed', { vessel: { speed: 0 } }, 'vessel.speed'],
  ['turning radius below zero', { turningRadius: -5 }, 'turningRadius'],
  ['no turn at all', { vessel: { maxTurnAngle: 0 } }, 'vessel.maxTurnAngle'],
  ['turns beyond half', { maxTurnAngle: 181 }, 'maxTurnAngle'],
  ['clearance below zero', { safety: { underKeelClearance: -1 } }, 'safety.underKeelClearance'],
  ['overhead a list', { safety: { overheadClearance: [1] } }, 'safety.overheadClearance'],
  ['lateral too much', { safety: { lateralClearance: 1e4 } }, 'safety.lateralClearance'],
  ['shore distance a text', { safety: { shoreDistance: 'far' } }, 'safety.shoreDistance'],
  ['a flood', { safety: { waterLevel: 100 } }, 'safety.waterLevel'],
  ['unknown depth 1', { safety: { allowUnknownDepth: 1 } }, 'safety.allowUnknownDepth'],
  ['avoid a text', { options: { avoid: 'locks' } }, 'options.avoid'],
  ['avoid what is not known', { options: { avoid: ['pirates'] } }, 'options.avoid.0'],
  ['fairways a text', { options: { preferFairways: 'yes' } }, 'options.preferFairways'],
  ['lanes a number', { options: { followTss: 0 } }, 'options.followTss'],
  ['optimize for beauty', { options: { optimize: 'beauty' } }, 'options.optimize'],
  ['departure a text', { options: { departureTime: '2026-01-01' } }, 'options.departureTime'],
  ['departure before 1970', { options: { departureTime: -1 } }, 'options.departureTime'],
  ['snapping across a country', { options: { maxSnapDistance: 1e6 } }, 'options.maxSnapDistance'],
  ['limits reversed', { options: { latitudeLimits: [10, -10] } }, 'options.latitudeLimits'],
  ['one limit', { options: { latitudeLimits: [10] } }, 'options.latitudeLimits'],
  ['include a text', { options: { include: 'gpx' } }, 'options.include'],
  ['include what is not known', { options: { include: ['pdf'] } }, 'options.include.0'],
  ['longitudes 1', { options: { continuousLongitudes: 1 } }, 'options.continuousLongitudes'],
  ['an area that is a point', area([0, 0], 'Point'), 'options.avoidAreas.type'],
  ['an area without a type', { options: { avoidAreas: {} } }, 'options.avoidAreas.type'],
  ['a polygon without rings', area([]), 'options.avoidAreas.coordinates'],
  ['a ring of three', area([square.slice(1)]), 'options.avoidAreas.coordinates.0'],
  ['an open ring', area([[...square.slice(0, 3), [5, 5]]]), 'options.avoidAreas.coordinates.0'],
  ['a ring of texts', area([['a', 'b', 'c', 'a']]), 'options.avoidAreas.coordinates.0.0'],
  [
    'a corner at no latitude',
    area([[[0, 91], ...square.slice(1)]]),
    'options.avoidAreas.coordinates.0.0.1',
  ],
  [
    'an edge that could be meant either way round the globe',
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
    'too many in many',
    area([[many.slice(0, 600)], [many.slice(0, 600)]], 'MultiPolygon'),
    'options.avoidAreas',
  ],
];

describe('a body is refused for', () => {
  test.each(FAULTS)('%s', (_what, body, path) => {
    expect(pathsOf(body)).toContain(path);
  });

  test('all of its faults at once', () => {
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

test('what is not said is taken on the safe side, and listed', () => {
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
    'options.avoid',
    'options.latitudeLimits',
  ]);
});

test.each([
  ['a shallow boat', { vessel: { draft: 1 } }, 0.5],
  ['a deep one', { vessel: { draft: 12 } }, 2.4],
  ['a flat draft', { draft: 10 }, 2],
  ['what is said', { draft: 10, safety: { underKeelClearance: 0.1 } }, 0.1],
  ['null', { draft: 10, safety: { underKeelClearance: null } }, 2],
])('what is not said: under the keel: %s', (_what, body, meters) => {
  expect(requestOf(body).trip.safety.underKeelClearance).toBeCloseTo(meters, 9);
});

test('what is not said: beside the vessel is its beam, and at least ten metres', () => {
  expect(requestOf({ vessel: { beam: 32 } }).trip.safety.lateralClearance).toBe(32);
  expect(requestOf({ vessel: { beam: 3 } }).trip.safety.lateralClearance).toBe(10);
});

test('what is not said of latitudes is where there is no ice, and wherever the waypoints are', () => {
  expect(requestOf().trip.options.latitudeLimits).toEqual([-66, 72]);
  const north = {
    waypoints: [
      [78.2, 15],
      [69, 18],
    ],
  };
  expect(requestOf(north).trip.options.latitudeLimits).toEqual([-66, 79.2]);
  const pole = {
    waypoints: [
      [90, 0],
      [-90, 0],
    ],
  };
  expect(requestOf(pole).trip.options.latitudeLimits).toEqual([-90, 90]);
});

describe('what is said', () => {
  test('what is said reaches the planner, positions longitude first', () => {
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

  test('twice alike is said once', () => {
    expect(requestOf({ draft: 2, vessel: { draft: 2 } }).trip.vessel.draft).toBe(2);
  });

  test('what is said: by null is not said', () => {
    const body = { vessel: null, safety: null, options: null, draft: null };
    expect(requestOf(body)).toEqual(requestOf());
  });
});

it('lists the fields that it does not know, at both levels', () => {
  const found = read({
    drafft: 2,
    vessel: { Draft: 3, beam: 2 },
    safety: null,
    options: { tolls: 1 },
  });
  if (!('request' in found)) throw new Error(JSON.stringify(found.faults));
  expect(found.request.ignored).toEqual(['drafft', 'vessel.Draft', 'options.tolls']);
});
