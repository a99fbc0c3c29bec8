// The latitude limits of a trip, and the areas that it must avoid.

import { openPassages } from '../../passage-limits.ts';
import type { Passage } from '../../passages.ts';
import type { Trip } from '../../trip.ts';
import { AvoidedAreas } from './avoided-areas.ts';
import { type Point, pathOf, pointOf, WORLD_CELLS } from './plane.ts';

/** Where the search may not go, in addition to the sea itself. Heights of the plane, in cells. */
export interface Bounds {
  readonly north: number;
  readonly south: number;
  readonly areas: AvoidedAreas | undefined;
  /** Blocks of `PASSAGE_LEVEL` in which the vessel may enter corridors of the background, by key. */
  readonly passages: ReadonlySet<number>;
}

/** Limits lie on borders of blocks of 4.9 km, so that no search follows them cell by cell. */
export const PASSAGE_LEVEL = 9;
const BLOCK_CELLS = 2 ** PASSAGE_LEVEL;

/** A limit does not apply if a waypoint lies beyond it. The limits of requests contain all waypoints. */
export function boundsOf(trip: Trip): Bounds {
  const { waypoints, options } = trip;
  const [south, north] = options.latitudeLimits;
  const isNorthKept = waypoints.every(([, latitude]) => latitude <= north);
  const isSouthKept = waypoints.every(([, latitude]) => latitude >= south);
  const { avoidAreas } = options;
  return {
    // The equator is a border of blocks. A waypoint on a limit needs free water on both sides.
    north: isNorthKept ? onPlane(Math.floor((pointOf([0, north]).y - 1) / BLOCK_CELLS)) : 0,
    south: isSouthKept
      ? onPlane(Math.ceil((pointOf([0, south]).y + 1) / BLOCK_CELLS))
      : WORLD_CELLS,
    areas: avoidAreas.length > 0 ? new AvoidedAreas(avoidAreas, pathOf(waypoints)) : undefined,
    passages: new Set(openPassages(trip).flatMap((passage) => [...blocksOf(passage)])),
  };
}

/** Cache: blocks by passage. */
const blocks = new Map<Passage, ReadonlySet<number>>();

/** Keys of the blocks that a passage touches, and of their neighbours. */
export function blocksOf(passage: Passage): ReadonlySet<number> {
  let known = blocks.get(passage);
  if (known === undefined) {
    known = new Set(pathOf(passage.line).flatMap((to, i, line) => around(line[i - 1] ?? to, to)));
    blocks.set(passage, known);
  }
  return known;
}

/** Key of the block of a place. */
export const passageBlock = ({ x, y }: Point): number => keyOf(x / BLOCK_CELLS, y / BLOCK_CELLS);

function around(from: Point, to: Point): number[] {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / BLOCK_CELLS) + 1;
  return Array.from({ length: 9 * steps }, (_, i) => {
    const [part, k] = [Math.floor(i / 9) / steps, i % 9];
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
    return keyOf(x / BLOCK_CELLS + (k % 3) - 1, y / BLOCK_CELLS + Math.floor(k / 3) - 1);
  });
}

/** Numbers a block of `PASSAGE_LEVEL`; x wraps. */
function keyOf(x: number, y: number): number {
  const across = WORLD_CELLS / BLOCK_CELLS;
  return Math.floor(y) * across + (((Math.floor(x) % across) + across) % across);
}

/** The border of a block. Rounding can put the ends of the plane slightly outside it. */
const onPlane = (block: number): number => Math.max(0, Math.min(WORLD_CELLS, block * BLOCK_CELLS));
