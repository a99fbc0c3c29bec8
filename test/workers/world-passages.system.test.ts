// Passages between ports of all seas through the service, over the background alone: all are answered,
// and no leg meets land by JSTS, except along the lines of canals.

import { expect } from 'vitest';
import { distanceMeters } from '../../shared/geo/earth.ts';
import { geodesicMeters } from '../../shared/geo/geodesic.ts';
import { CANALS, PASSAGES } from '../../shared/route/passages.ts';
import type { Position } from '../../shared/route/trip.ts';
import { demoTest } from '../support/fixtures.ts';
import { isLong } from '../support/long-run.ts';
import { type Answer, askRoute } from '../support/route/ask-route.ts';
import { LandJudge } from '../support/route/land-judge.ts';
import { portPairs } from '../support/route/port-pairs.ts';
import { CASPIAN_PORTS, PORTS } from '../support/route/ports.ts';
import type { Service } from '../support/service.ts';

const PAIRS = portPairs(300).slice(0, isLong ? 300 : 24);

const ask = (service: Service, token: string, from: Position, to: Position): Promise<Answer> =>
  askRoute(service, token, {
    waypoints: [from, to].map(([longitude, latitude]) => [latitude, longitude]),
    vessel: { draft: 7, airDraft: 30, beam: 15, length: 120 },
    safety: { allowUnknownDepth: true },
    options: { maxSnapDistance: 5000, canals: CANALS },
  });

demoTest(
  `answers ${PAIRS.length} of 300 pairs of ports with routes that meet no land outside canals`,
  async ({ service }) => {
    const token = await service.token();
    const land = new LandJudge();
    const wrong: string[] = [];
    for (const [from, to] of PAIRS) {
      const answer = await ask(service, token, PORTS[from]!, PORTS[to]!);
      const name = `${from} to ${to}`;
      if (!answer.success) {
        wrong.push(`${name}: ${answer.messages[0]}`);
        continue;
      }
      const path = answer.route.map(([latitude, longitude]): Position => [longitude, latitude]);
      const [start, end] = [path[0]!, path.at(-1)!];
      if (distanceMeters(...start, ...PORTS[from]!) > 5001) wrong.push(`${name}: starts elsewhere`);
      if (distanceMeters(...end, ...PORTS[to]!) > 5001) wrong.push(`${name}: ends elsewhere`);
      if (answer.distance < 0.999 * geodesicMeters(...start, ...end)) wrong.push(`${name}: short`);
      wrong.push(...legsOverLand(land, path).map((leg) => `${name}: ${leg}`));
    }
    expect(wrong).toEqual([]);
  },
  3_600_000,
);

demoTest('states that there is no way out of the Caspian Sea', async ({ service }) => {
  const token = await service.token();
  for (const port of Object.values(CASPIAN_PORTS)) {
    const answer = await ask(service, token, port, PORTS['Rotterdam']!);
    expect(answer.failures?.map(({ code }) => code)).toEqual(['NO_PATH']);
  }
  const inside = await ask(service, token, CASPIAN_PORTS['Baku']!, CASPIAN_PORTS['Aktau']!);
  expect(inside.success).toBe(true);
});

/** Half the width of a corridor along a canal, metres, and the error of its line. */
const CORRIDOR_METERS = 1000;

/** Legs that meet a shore and do not lie along a canal. */
function legsOverLand(land: LandJudge, path: readonly Position[]): string[] {
  const allowed = new Set(
    path.slice(1).flatMap((to, i) => (isInCanal(path[i]!, to) ? [`${path[i]} ${to}`] : [])),
  );
  return land.crossings(path).filter((leg) => !allowed.has(leg));
}

/** Whether ten places of a leg are all near the line of one canal. */
function isInCanal(from: Position, to: Position): boolean {
  const places = Array.from(
    { length: 11 },
    (_, k): Position => [
      from[0] + ((to[0] - from[0]) * k) / 10,
      from[1] + ((to[1] - from[1]) * k) / 10,
    ],
  );
  return PASSAGES.some(
    ({ canal, line }) =>
      canal !== undefined && places.every((place) => metersTo(line, place) < CORRIDOR_METERS),
  );
}

/** Distance of a place from a line, on a plane around the place. */
function metersTo(line: readonly Position[], [longitude, latitude]: Position): number {
  const scale = Math.cos((latitude * Math.PI) / 180);
  const plane = line.map(([x, y]) => [
    (x - longitude) * scale * 111_320,
    (y - latitude) * 111_320,
  ]) as [number, number][];
  return Math.min(
    ...plane.slice(1).map(([bx, by], i) => {
      const [ax, ay] = plane[i]!;
      const [dx, dy] = [bx - ax, by - ay];
      const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy)));
      return Math.hypot(ax + t * dx, ay + t * dy);
    }),
  );
}
