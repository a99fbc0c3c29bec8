// Routes over the demo charts: success, failure, and the fields in addition to the three of the
// contract. Each response is checked against the OpenAPI document.

import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { RouteAnswer } from '../../shared/contract/route-answer.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { gpxFaults } from '../support/gpx-shape.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';

const PATH = '/api/v1/routing/route';
/** Positions in the bay, the harbour and the town of the demo. */
const BAY = [-30.005, -20.012];
const BASIN = [-29.9885, -19.988];
const TOWN = [-29.981, -19.99];

let app: DirectApp;
let check: ResponseCheck;
beforeAll(async () => {
  app = await freshApp(inject('demoCharts'));
  check = responseCheck((await (await app.fetch('/openapi.json')).json()) as never);
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function ask(body: object): Promise<RouteAnswer> {
  const response = await app.fetch(`${PATH}?token=${app.token}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await check('POST', PATH, response)).toEqual([]);
  return (await response.json()) as RouteAnswer;
}

async function found(body: object) {
  const answer = await ask(body);
  if (!answer.success) throw new Error(answer.messages.join());
  return answer;
}

test('a route has the fields of the contract, passes its waypoints in order, and has no message', async () => {
  const waypoints = [BAY, BASIN, [-30.02, -19.96]];
  const answer = await found({ waypoints, draft: 2 });
  expect(answer.messages).toEqual([]);
  const passed = answer.route.filter((at) =>
    waypoints.some(([latitude, longitude]) => at[0] === latitude && at[1] === longitude),
  );
  expect(passed).toEqual(waypoints);
  expect(answer.route[0]).toEqual(BAY);
  expect(answer.route.at(-1)).toEqual(waypoints[2]);
});

test('a route has a leg between each two points, deep enough, and their sum as its distance', async () => {
  const answer = await found({ waypoints: [BAY, [-30.02, -19.96]], draft: 2 });
  expect(answer.legs).toHaveLength(answer.route.length - 1);
  const sum = answer.legs.reduce((meters, { distance }) => meters + distance, 0);
  expect(answer.distance).toBeCloseTo(sum, 0);
  expect(answer.constraints.requiredDepth).toBe(2.5);
  for (const { minDepth } of answer.legs) expect(minDepth).toBeGreaterThanOrEqual(2.5);
});

test('a route reports its shallowest position, the missing tides, and its assumptions', async () => {
  const { warnings, constraints, notice, attribution } = await found({ waypoints: [BAY, BASIN] });
  const codes = warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['SHALLOWEST', 'NO_TIDES', 'NO_DRAFT']));
  expect(warnings.find(({ code }) => code === 'SHALLOWEST')!.position).not.toBeNull();
  expect(constraints.assumed).toContain('vessel.draft');
  expect(notice).toMatch(/^Not for navigation/);
  expect(attribution.length).toBeGreaterThan(0);
});

test('a route is returned as GPX and GeoJSON on request, with the same points', async () => {
  const options = { include: ['gpx', 'geojson'] };
  const answer = await found({ waypoints: [BAY, [-30.02, -19.96]], draft: 2, options });
  expect(gpxFaults(answer.gpx!)).toEqual([]);
  expect(answer.gpx!.match(/<rtept /g)).toHaveLength(answer.route.length);
  const { features } = answer.geojson as never as {
    features: { geometry: { coordinates: number[][] } }[];
  };
  expect(features[0]!.geometry.coordinates).toEqual(
    answer.route.map(([latitude, longitude]) => [longitude, latitude]),
  );
});

test('a route has a duration if a speed is given, and an arrival if a departure is given', async () => {
  const departureTime = 1_800_000_000_000;
  const answer = await found({
    waypoints: [BAY, BASIN],
    vessel: { draft: 2, speed: 5 },
    options: { departureTime },
  });
  expect(answer.duration).toBeCloseTo(answer.distance / ((5 * 1852) / 3600), 0);
  expect(answer.eta! - departureTime).toBeCloseTo(answer.duration! * 1000, -3);
  expect(answer.legs.at(-1)!.eta).toBe(answer.eta);
});

test('a route avoids the areas in the request', async () => {
  const waypoints = [BAY, [-30.005, -19.97]];
  const direct = await found({ waypoints });
  // Across the straight line between the waypoints.
  const ring = [
    [-19.995, -30.01],
    [-19.985, -30.01],
    [-19.985, -30.0],
    [-19.995, -30.0],
    [-19.995, -30.01],
  ];
  const options = { avoidAreas: { type: 'Polygon', coordinates: [ring] } };
  const around = await found({ waypoints, options });
  expect(around.distance).toBeGreaterThan(direct.distance);
  for (const [latitude, longitude] of around.route) {
    const isInside =
      longitude > -19.995 && longitude < -19.985 && latitude > -30.01 && latitude < -30.0;
    expect(isInside).toBe(false);
  }
});

test('a failed route names the bad waypoint, the reason, and a nearby position', async () => {
  const answer = await ask({ waypoints: [BAY, TOWN, TOWN] });
  if (answer.success) throw new Error('a route through the town');
  expect(answer.route).toEqual([]);
  expect(answer.failures.map(({ code, waypoint }) => [code, waypoint])).toEqual([
    ['WAYPOINT_ON_LAND', 1],
    ['WAYPOINT_ON_LAND', 2],
  ]);
  expect(answer.messages[0]).toMatch(/^WAYPOINT_ON_LAND: Waypoint 2 /);
  const [latitude, longitude] = answer.failures[0]!.nearest!;
  // The suggested position works.
  await found({ waypoints: [BAY, [latitude, longitude]] });
});

test('a failed route names the waypoint that is too shallow for the draft', async () => {
  const answer = await ask({ waypoints: [BAY, BASIN], draft: 20 });
  if (answer.success) throw new Error('a harbour of 24 m');
  expect(answer.failures.map(({ code }) => code)).toContain('WAYPOINT_TOO_SHALLOW');
  expect(answer.constraints.requiredDepth).toBe(24);
});

test.each([
  [
    'both poles',
    [
      [90, 0],
      [-90, 0],
    ],
  ],
  [
    'opposite corners of the plane',
    [
      [90, 0],
      [-90, 180],
    ],
  ],
  [
    'both sides of the antimeridian at a pole',
    [
      [89.9, 180],
      [89.9, -180],
    ],
  ],
  [
    'the middle of a continent',
    [
      [47, 100],
      [46, 101],
    ],
  ],
])('there is no route between %s, which is not a fault', async (_what, waypoints) => {
  const answer = await ask({ waypoints });
  expect(answer.success).toBe(false);
  expect(answer.messages.length).toBeGreaterThan(0);
});

test('a moved waypoint is reported, and no waypoint is moved without the option', async () => {
  const options = { maxSnapDistance: 1000 };
  const answer = await found({ waypoints: [BAY, TOWN], options });
  expect(answer.warnings.map(({ code }) => code)).toContain('SNAPPED');
  expect(answer.route.at(-1)).not.toEqual(TOWN);
  expect((await ask({ waypoints: [BAY, TOWN] })).success).toBe(false);
});
