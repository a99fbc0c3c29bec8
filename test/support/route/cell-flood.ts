// A flood over the stored cells of a built sea, plain and slow: which finest cells can be reached from
// a place by steps to side neighbours, all cells within the lateral clearance being safe. A path
// through them always exists, so where it arrives, the planner must find one.

import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { clearanceOfCode, codeForNeed } from '../../../shared/route/depth-code.ts';
import { SEA_FLAGS } from '../../../shared/route/sea.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import type { SeaFile } from '../sea-file.ts';

const WORLD = 2 ** 22;

export type Flooded = 'arrived' | 'enclosed' | 'too large';

export function floodCells(
  sea: SeaFile,
  trip: Trip,
  from: Position,
  to: Position,
  mostCells: number,
): Flooded {
  const isSafe = safetyOf(sea, trip);
  const [startX, startY] = cellOf(from);
  const [endX, endY] = cellOf(to);
  const latitude = Math.max(Math.abs(from[1]), Math.abs(to[1])) + 0.5;
  const meters = (2 * Math.PI * 6_356_752 * Math.cos((latitude * Math.PI) / 180)) / WORLD;
  const reach = Math.ceil(trip.safety.lateralClearance / meters);
  const roomy = new Map<number, boolean>();
  const isRoomy = (x: number, y: number): boolean => {
    const key = y * WORLD + x;
    let known = roomy.get(key);
    if (known === undefined) {
      known = true;
      for (let dy = -reach; known && dy <= reach; dy++) {
        for (let dx = -reach; known && dx <= reach; dx++) known = isSafe(x + dx, y + dy);
      }
      roomy.set(key, known);
    }
    return known;
  };
  if (!isRoomy(startX, startY)) return 'enclosed';
  const seen = new Set([startY * WORLD + startX]);
  const stack = [[startX, startY] as const];
  while (stack.length > 0) {
    const [x, y] = stack.pop()!;
    if (x === endX && y === endY) return 'arrived';
    if (seen.size > mostCells) return 'too large';
    for (const [nx, ny] of [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ] as const) {
      const key = ny * WORLD + nx;
      if (seen.has(key) || !isRoomy(nx, ny)) continue;
      seen.add(key);
      stack.push([nx, ny]);
    }
  }
  return 'enclosed';
}

function cellOf([longitude, latitude]: Position): [number, number] {
  return [Math.floor(mercatorX(longitude) * WORLD), Math.floor(mercatorY(latitude) * WORLD)];
}

function safetyOf(sea: SeaFile, { vessel, safety }: Trip): (x: number, y: number) => boolean {
  const code = codeForNeed(vessel.draft + safety.underKeelClearance - safety.waterLevel);
  const height = vessel.airDraft === undefined ? 0 : vessel.airDraft + safety.overheadClearance;
  const forbidden = SEA_FLAGS.prohibited | (safety.allowUnknownDepth ? 0 : SEA_FLAGS.unknownDepth);
  return (x, y) => {
    const { square, index } = sea.cellAt((x + 0.5) / WORLD, (y + 0.5) / WORLD);
    if (square.leastDepth[index]! < code) return false;
    if (((square.flags?.[index] ?? 0) & forbidden) !== 0) return false;
    return clearanceOfCode(square.clearance?.[index] ?? 255) >= height - 1e-6;
  };
}
