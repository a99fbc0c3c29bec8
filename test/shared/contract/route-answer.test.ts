// A route as JSON: the three fields of the contract, and the additional ones.

import { expect, test } from 'vitest';
import { readRouteRequest } from '../../../shared/contract/route.ts';
import { presentRoute, routeAnswerSchema } from '../../../shared/contract/route-answer.ts';
import type { NoPlan, Plan } from '../../../shared/route/trip.ts';
import { gpxFaults } from '../../support/gpx-shape.ts';

const EFFORT = { expanded: 1, squares: 1 };
const PLAN: Plan = {
  success: true,
  path: [
    [179.5, -17],
    [-179.5, -17.25],
    [-179, -17],
  ],
  legs: [
    {
      from: [179.5, -17],
      to: [-179.5, -17.25],
      distance: 109_876.543,
      bearing: 359.999,
      turn: 12.3456,
      minDepth: 3.4000000953,
      minClearance: undefined,
      background: false,
      withoutDepth: 0,
    },
    {
      from: [-179.5, -17.25],
      to: [-179, -17],
      distance: 60_000,
      bearing: 62.1,
      turn: 0,
      minDepth: undefined,
      minClearance: 19.5,
      background: true,
      withoutDepth: 1234.567,
    },
  ],
  distance: 169_876.543,
  warnings: [
    {
      code: 'SHALLOWEST',
      message: 'SHALLOWEST: 3.4 m',
      position: [180.5, -17.1],
      feature: { id: 'DE5ISLE1.1.2.3', objectClass: 'DEPARE', objectName: '' },
    },
    { code: 'NO_TIDES', message: 'NO_TIDES', position: undefined, feature: undefined },
  ],
  effort: EFFORT,
};
const NO_PLAN: NoPlan = {
  success: false,
  failures: [
    {
      code: 'WAYPOINT_ON_LAND',
      message: 'WAYPOINT_ON_LAND: waypoint 1 …',
      waypoint: 0,
      nearest: [-19.9, -30.1],
    },
    { code: 'NO_PATH', message: 'NO_PATH: …', waypoint: undefined, nearest: undefined },
  ],
  effort: EFFORT,
};

function present(outcome: Plan | NoPlan, more: object = {}) {
  const waypoints = [
    [-17, 179.5],
    [-17, -179],
  ];
  const read = readRouteRequest({ waypoints, ...more }, 25);
  if (!('request' in read)) throw new Error(JSON.stringify(read.faults));
  const answer = presentRoute(outcome, read.request, ['Fixture charts']);
  expect(routeAnswerSchema.parse(answer)).toEqual(answer);
  // As a client receives it.
  return JSON.parse(JSON.stringify(answer));
}

test('presentRoute returns the three fields of the contract, latitude first, without messages', () => {
  expect(present(PLAN)).toMatchObject({
    success: true,
    messages: [],
    route: [
      [-17, 179.5],
      [-17.25, -179.5],
      [-17, -179],
    ],
  });
});

test('presentRoute returns continuous longitudes on request', () => {
  const { route } = present(PLAN, { options: { continuousLongitudes: true } });
  expect(route.map(([, longitude]: number[]) => longitude)).toEqual([179.5, 180.5, 181]);
});

test('presentRoute returns legs and warnings, with null for unknown values', () => {
  const { legs, warnings, distance } = present(PLAN);
  expect(distance).toBe(169_876.54);
  expect(legs).toEqual([
    {
      distance: 109_876.54,
      bearing: 0,
      turn: 12.35,
      minDepth: 3.4,
      minClearance: null,
      background: false,
      withoutDepth: 0,
    },
    {
      distance: 60_000,
      bearing: 62.1,
      turn: 0,
      minDepth: null,
      minClearance: 19.5,
      background: true,
      withoutDepth: 1234.57,
    },
  ]);
  expect(warnings.slice(0, 2)).toEqual([
    {
      code: 'SHALLOWEST',
      message: 'SHALLOWEST: 3.4 m',
      position: [-17.1, -179.5],
      featureId: 'DE5ISLE1.1.2.3',
    },
    { code: 'NO_TIDES', message: 'NO_TIDES', position: null, featureId: null },
  ]);
});

test('presentRoute returns the duration if the speed is known, and the arrival if the departure is known too', () => {
  expect(present(PLAN)).not.toHaveProperty('duration');
  const fast = present(PLAN, { vessel: { speed: 10 } });
  // 169,876.543 m at 18,520 m per hour.
  expect(fast.duration).toBeCloseTo((169_876.543 / 18_520) * 3600, 1);
  expect(fast).not.toHaveProperty('eta');
  const departureTime = 1_800_000_000_000;
  const timed = present(PLAN, { vessel: { speed: 10 }, options: { departureTime } });
  expect(timed.eta).toBe(Math.round(departureTime + (169_876.543 / 18_520) * 3_600_000));
  expect(timed.legs[1].eta).toBe(Math.round(departureTime + (169_876.543 / 18_520) * 3_600_000));
  expect(present(PLAN, { options: { departureTime } })).not.toHaveProperty('eta');
});

test('presentRoute returns the constraints, and which of them were assumed', () => {
  const { constraints, notice, attribution } = present(PLAN, {
    draft: 2,
    vessel: { airDraft: 18 },
    safety: { waterLevel: 1 },
  });
  expect(constraints).toMatchObject({
    vessel: { draft: 2, airDraft: 18, speed: null },
    requiredDepth: 1.5,
    requiredClearance: 18.5,
  });
  expect(constraints.assumed).toContain('safety.underKeelClearance');
  expect(constraints.assumed).not.toContain('vessel.draft');
  expect(notice).toMatch(/^Not for navigation/);
  expect(attribution).toEqual(['Fixture charts']);
});

test.each([
  [0, 30],
  [40, 40],
])('a lateral clearance of %i m for a beam of 60 m is reported as %i m', (given, used) => {
  const body = { vessel: { beam: 60 }, safety: { lateralClearance: given } };
  expect(present(PLAN, body).constraints.safety.lateralClearance).toBe(used);
});

test('presentRoute warns if no draft was given', () => {
  const codes = (more: object) =>
    present(PLAN, more).warnings.map(({ code }: { code: string }) => code);
  expect(codes({})).toContain('NO_DRAFT');
  expect(codes({ draft: 0 })).not.toContain('NO_DRAFT');
});

test('presentRoute returns GeoJSON and GPX only on request', () => {
  expect(present(PLAN)).not.toHaveProperty('geojson');
  expect(present(PLAN)).not.toHaveProperty('gpx');
  const { geojson, gpx } = present(PLAN, { options: { include: ['gpx', 'geojson'] } });
  expect(geojson.features[0].geometry.type).toBe('MultiLineString');
  expect(gpxFaults(gpx)).toEqual([]);
  expect(gpx).toContain('<name>WP2</name>');
});

test('presentRoute returns messages and failures if there is no route', () => {
  const answer = present(NO_PLAN);
  expect(answer).toMatchObject({
    success: false,
    messages: ['WAYPOINT_ON_LAND: waypoint 1 …', 'NO_PATH: …'],
    route: [],
    failures: [
      { code: 'WAYPOINT_ON_LAND', waypoint: 0, nearest: [-30.1, -19.9] },
      { code: 'NO_PATH', waypoint: null, nearest: null },
    ],
  });
  expect(Object.keys(answer).sort()).toEqual(
    ['attribution', 'constraints', 'failures', 'messages', 'notice', 'route', 'success'].sort(),
  );
});

test('presentRoute returns waypoints on both sides of 180° with unchanged digits', () => {
  const waypoints = [
    [0, 179.999],
    [0.1, -179.999],
    [0.2, 179.123_456_789],
    [0.3, -180],
    [0.4, 180],
  ];
  const read = readRouteRequest({ waypoints }, 25);
  if (!('request' in read)) throw new Error(JSON.stringify(read.faults));
  const path = waypoints.map(([latitude, longitude]) => [longitude!, latitude!] as const);
  const plan: Plan = { ...PLAN, path, legs: [], warnings: [] };
  const { route } = presentRoute(plan, read.request, []);
  expect(route).toEqual(waypoints);
  const onward = { ...read.request, continuousLongitudes: true };
  expect(presentRoute(plan, onward, []).route).toEqual([
    [0, 179.999],
    [0.1, -179.999 + 360],
    [0.2, 179.123_456_789],
    [0.3, 180],
    [0.4, 180],
  ]);
});
