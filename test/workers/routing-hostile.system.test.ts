// Whatever is sent for a route gets a documented answer and never a 5xx: odd bytes, odd JSON, and
// sound bodies with one thing odd about them, so that all that is behind the proxy is reached.

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_121;
const PATH = '/api/v1/routing/route';
const ROUNDS = isLong ? 20_000 : 60;
/** Problems name at most ten faults. */
const MAX_REFUSAL_CHARACTERS = 6000;

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

const random = seededRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const whole = (most: number) => Math.floor(random() * (most + 1));

const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e-300,
  1e300,
  1e308,
  180,
  -180,
  90,
  -90,
  90.0000001,
  2 ** 53,
  '',
  '0',
  'NaN',
  '\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(1000),
  [],
  {},
  [[]],
  [null],
  [[], []],
  { length: 5 },
  { length: { toString: 1, valueOf: 1 } },
  { type: 'Polygon' },
  { toString: 1 },
  [1, 2],
  ['1', '2'],
  [
    [0, 0],
    [0, 0],
  ],
];

const KEYS = [
  'waypoints',
  'vessel',
  'safety',
  'options',
  'draft',
  'airDraft',
  'turningRadius',
  'maxTurnAngle',
  'beam',
  'length',
  'speed',
  'underKeelClearance',
  'overheadClearance',
  'lateralClearance',
  'shoreDistance',
  'waterLevel',
  'allowUnknownDepth',
  'avoidAreas',
  'avoid',
  'preferFairways',
  'followTss',
  'optimize',
  'departureTime',
  'maxSnapDistance',
  'latitudeLimits',
  'include',
  'continuousLongitudes',
  '__proto__',
  'constructor',
  'toString',
  '0',
  '',
];

/** Around the demo's port, where every kind of water and ground is. */
const near = (): [number, number] => [
  -29.987 + (random() - 0.5) * 0.2,
  -19.988 + (random() - 0.5) * 0.2,
];
const anywhere = (): [number, number] => [random() * 180 - 90, random() * 360 - 180];
const ENDS: readonly [number, number][] = [
  [90, 0],
  [-90, 180],
  [85.06, 10],
  [0, 180],
  [0, -180],
  [-29.987, -19.988],
];

function anyWaypoints(): [number, number][] {
  const first = near();
  const kind = random();
  if (kind < 0.1) return [first, [...first]];
  if (kind < 0.2) return [first, [first[0] + 1e-5, first[1]]];
  if (kind < 0.23) return [pick(ENDS), pick(ENDS)];
  if (kind < 0.235) return [anywhere(), first];
  return Array.from({ length: 2 + (random() < 0.1 ? whole(5) : whole(1)) }, near);
}

const soundBody = (): Record<string, unknown> => ({
  waypoints: anyWaypoints(),
  ...(random() < 0.4
    ? { vessel: { draft: whole(20), airDraft: whole(60), turningRadius: pick([0, 20, 500]) } }
    : {}),
  ...(random() < 0.2 ? { draft: whole(9), maxTurnAngle: pick([1, 20, 90, 180]) } : {}),
  ...(random() < 0.3
    ? {
        safety: {
          lateralClearance: pick([0, 5, 100, 2000]),
          waterLevel: whole(6),
          allowUnknownDepth: random() < 0.5,
        },
      }
    : {}),
  ...(random() < 0.4
    ? {
        options: {
          avoid: pick([
            [],
            ['locks'],
            ['restricted', 'caution', 'tss', 'military', 'openingBridges'],
          ]),
          include: pick([[], ['gpx'], ['geojson', 'gpx']]),
          maxSnapDistance: pick([0, 50, 5000]),
          optimize: pick(['distance', 'safety']),
          ...(random() < 0.5 ? { avoidAreas: anyArea() } : {}),
        },
      }
    : {}),
});

/** Rings that cross themselves, lie on one point, or hold the world. */
function anyArea(): object {
  const ring = () => {
    const corners = pick([
      () => [near(), near(), near()],
      () => [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      () => [
        [-90, -180],
        [90, -180],
        [90, 180],
        [-90, 180],
      ],
      () => Array.from({ length: 3 + whole(20) }, anywhere),
    ])().map(([latitude, longitude]) => [longitude, latitude]);
    return [...corners, corners[0]];
  };
  return random() < 0.5
    ? { type: 'Polygon', coordinates: [ring(), ring()] }
    : { type: 'MultiPolygon', coordinates: [[ring()], [ring()]] };
}

/** One place of the body, however deep, is something else. */
function spoilt(body: Record<string, unknown>): unknown {
  let at: Record<string, unknown> = body;
  for (;;) {
    const keys = Object.keys(at);
    const key = keys.length > 0 && random() < 0.8 ? pick(keys) : pick(KEYS);
    if (Array.isArray(at) && key === 'length') continue;
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    if (typeof inner === 'object' && inner !== null && random() < 0.6) {
      at = inner as Record<string, unknown>;
      continue;
    }
    if (random() < 0.2 && !Array.isArray(at)) delete at[key];
    else {
      // As an own property, `__proto__` goes over the wire too.
      const own = { enumerable: true, configurable: true, writable: true };
      Object.defineProperty(at, key, { ...own, value: pick(ODD) });
    }
    return body;
  }
}

function anyText(): string | Uint8Array {
  const kind = random();
  if (kind < 0.05) return Uint8Array.from({ length: whole(200) }, () => whole(255));
  if (kind < 0.1) {
    const text = JSON.stringify(soundBody());
    return text.slice(0, whole(text.length));
  }
  if (kind < 0.12) return `{"waypoints":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  if (kind < 0.14) return JSON.stringify({ waypoints: Array.from({ length: whole(4000) }, near) });
  if (kind < 0.15) return `{"waypoints":[[1e999,0],[0,-1e999]],"draft":1e400}`;
  if (kind < 0.16) return ' '.repeat(66_000);
  if (kind < 0.2) return JSON.stringify(pick(ODD));
  if (kind < 0.92) return JSON.stringify(spoilt(soundBody()));
  return JSON.stringify(soundBody());
}

describe(`bodies of all kinds (seed ${SEED})`, () => {
  test(
    `${ROUNDS} of them are answered as documented`,
    async () => {
      const seen = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round++) {
        const body = anyText();
        const response = await app.fetch(`${PATH}?token=${app.token}`, {
          method: 'POST',
          body: body as BodyInit,
        });
        const place = `round ${round}: ${String(body).slice(0, 300)} → ${response.status}`;
        expect([200, 400, 413], place).toContain(response.status);
        expect(await check('POST', PATH, response), place).toEqual([]);
        const text = await response.text();
        if (response.status !== 200) {
          expect(text.length, place).toBeLessThan(MAX_REFUSAL_CHARACTERS);
        }
        const { success } = JSON.parse(text) as { success: boolean };
        const kind = `${response.status} ${success}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
      // The mix must reach the planner, not only the proxy.
      expect(Object.fromEntries(seen)).toEqual({
        '200 true': expect.any(Number),
        '200 false': expect.any(Number),
        '400 false': expect.any(Number),
        '413 false': expect.any(Number),
      });
      for (const [kind, count] of seen) expect(count, kind).toBeGreaterThan(ROUNDS / 400);
    },
    ROUNDS * 1000,
  );
});
