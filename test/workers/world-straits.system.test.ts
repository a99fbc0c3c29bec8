// Straits and passages of the world through the service: the service sails through each, by the length
// of the route and by the places that it passes.

import { describe, expect } from 'vitest';
import { geodesicMeters } from '../../shared/geo/geodesic.ts';
import { demoTest } from '../support/fixtures.ts';
import { type Answer, askRoute } from '../support/route/ask-route.ts';
import { STRAITS, type StraitRow } from '../support/route/straits.ts';

/** Places of the table are this near to the route, or by its length. */
const NEAR_METERS = 15_000;
const NEAR_PART = 0.12;
const SMALL_SHIP = { draft: 2.5, airDraft: 25, beam: 10, length: 60 };

type Place = readonly [latitude: number, longitude: number];

const metersBetween = (a: Place, b: Place) => geodesicMeters(a[1], a[0], b[1], b[0]);
const lengthOf = (places: readonly Place[]) =>
  places.slice(1).reduce((sum, place, i) => sum + metersBetween(places[i]!, place), 0);

describe('POST /api/v1/routing/route', () => {
  demoTest(
    `sails through ${STRAITS.length} straits of the world`,
    async ({ service }) => {
      const token = await service.token();
      const wrong: string[] = [];
      for (const strait of STRAITS) {
        const answer = await askRoute(service, token, bodyOf(strait));
        wrong.push(...faultsOf(strait, answer).map((fault) => `${strait.name}: ${fault}`));
      }
      expect(wrong).toEqual([]);
    },
    600_000,
  );

  demoTest(
    'sails around Sri Lanka, because the Palk Strait is closed by a shoal',
    async ({ service }) => {
      const token = await service.token();
      const places: Place[] = [
        [8.6, 78.6],
        [10.3, 80.3],
      ];
      const answer = await askRoute(service, token, bodyOf({ name: 'Palk Strait', places }));
      expect(answer.success).toBe(true);
      expect(answer.distance).toBeGreaterThan(3 * lengthOf(places));
    },
    120_000,
  );

  demoTest(
    'does not enter a strait that is too shallow for the vessel',
    async ({ service }) => {
      const token = await service.token();
      const simpson = STRAITS.find(({ name }) => name === 'Simpson Strait')!;
      const ship = { ...SMALL_SHIP, draft: 6 };
      const deep = await askRoute(service, token, { ...bodyOf(simpson), vessel: ship });
      const answer = await askRoute(service, token, bodyOf(simpson));
      expect(answer.distance).toBeLessThan(0.6 * deep.distance);
    },
    120_000,
  );
});

function bodyOf({ places, canals = [] }: StraitRow) {
  const isPolar = places.some(([latitude]) => latitude > 70);
  return {
    waypoints: [places[0]!, places.at(-1)!],
    vessel: SMALL_SHIP,
    safety: { allowUnknownDepth: true, underKeelClearance: 0.5 },
    options: {
      maxSnapDistance: 5000,
      canals,
      ...(isPolar && { latitudeLimits: [-66, 84] }),
    },
  };
}

function faultsOf({ places }: StraitRow, answer: Answer): string[] {
  if (!answer.success) return [answer.messages[0]!];
  const [miles, through] = [answer.distance / 1852, lengthOf(places) / 1852];
  const near = Math.max(NEAR_METERS, NEAR_PART * lengthOf(places));
  const faults = places
    .slice(1, -1)
    .filter((place) => metersTo(answer.route, place) > near)
    .map((place) => `the route is not near ${place}`);
  if (miles > 1.12 * through + 3) faults.push(`${miles} miles instead of ${through}`);
  return faults;
}

/** Distance of a place from a line, on a plane around the place. */
function metersTo(line: readonly Place[], [latitude, longitude]: Place): number {
  const scale = Math.cos((latitude * Math.PI) / 180);
  const plane = line.map(([y, x]): [number, number] => [
    (x - longitude) * scale * 111_320,
    (y - latitude) * 111_320,
  ]);
  return Math.min(
    ...plane.slice(1).map(([bx, by], i) => {
      const [ax, ay] = plane[i]!;
      const [dx, dy] = [bx - ax, by - ay];
      const along = -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1);
      const t = Math.max(0, Math.min(1, along));
      return Math.hypot(ax + t * dx, ay + t * dy);
    }),
  );
}
