// Draws a synthetic sea and a path into a PNG in the test cache, for manual review. Only in long runs,
// because drawing takes as long as planning.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PNG } from 'pngjs';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import { isLong } from '../long-run.ts';
import { freeCells } from './sea-judge.ts';
import type { SyntheticSea } from './synthetic-sea.ts';

const FOLDER = resolve(
  import.meta.dirname,
  '../../../node_modules/.cache/leadline-test/route-pictures',
);

const LAND = [200, 180, 120] as const;
const SHALLOW = [150, 190, 230] as const;
const NARROW = [205, 225, 240] as const;
const SAFE = [245, 250, 255] as const;
const PATH = [200, 0, 120] as const;
const WAYPOINT = [0, 90, 0] as const;

/** Draws land and other unsafe areas, water that is too shallow, water that is too near, and the path. */
export function drawSea(
  name: string,
  sea: SyntheticSea,
  trip: Trip,
  path: readonly Position[],
): void {
  if (!isLong) return;
  const { width, height } = sea;
  const png = new PNG({ width, height });
  const free = freeCells(sea, trip);
  const bare = freeCells(sea, { ...trip, safety: { ...trip.safety, lateralClearance: 0 } });
  const paint = (x: number, y: number, colour: readonly [number, number, number]) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    png.data.set([...colour, 255], (Math.floor(y) * width + Math.floor(x)) * 4);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (free[i] === 1) paint(x, y, SAFE);
      else if (bare[i] === 1) paint(x, y, NARROW);
      else paint(x, y, sea.least[i] === 0 ? LAND : SHALLOW);
    }
  }
  for (let i = 1; i < path.length; i++) {
    const [ax, ay] = sea.spotOf(path[i - 1]!);
    const [bx, by] = sea.spotOf(path[i]!);
    const steps = Math.ceil(Math.hypot(bx - ax, by - ay) * 2);
    for (let k = 0; k <= steps; k++) {
      paint(ax + ((bx - ax) * k) / steps, ay + ((by - ay) * k) / steps, PATH);
    }
  }
  for (const waypoint of trip.waypoints) {
    const [x, y] = sea.spotOf(waypoint);
    for (let d = -2; d <= 2; d++) {
      paint(x + d, y, WAYPOINT);
      paint(x, y + d, WAYPOINT);
    }
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), PNG.sync.write(png));
}
