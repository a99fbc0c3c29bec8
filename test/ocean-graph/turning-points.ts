// Places where a short way around land may turn: corners of open blocks, the sharpest of each region.

import { ACROSS, type OpenBlocks } from './open-blocks.ts';

export interface TurningPoint {
  readonly x: number;
  readonly y: number;
  /** Corners of the block at which land lies: bits 1 to 8 for NW, NE, SW, SE. */
  sides: number;
}

/** Directions that are examined, from the east, clockwise on the plane. */
const DIRECTIONS = 32;
/**
 * Blocks that must be open in a direction, and within which a turn must be necessary: in wide waters,
 * and in narrow ones that have no such place.
 */
const REACHES = [16, 5] as const;
/** Smaller turns are not necessary: the smoothing of a path finds them. */
const MIN_TURN = Math.PI / 9;
/** Blocks between two points that see each other. */
const APART = 18;
const TURN = 2 * Math.PI;

/** Ends of the rays from a point, for each reach. */
const RAYS = REACHES.map((reach) =>
  Array.from({ length: DIRECTIONS }, (_, k) => ({
    x: reach * Math.cos((TURN * k) / DIRECTIONS),
    y: reach * Math.sin((TURN * k) / DIRECTIONS),
    angle: (TURN * k) / DIRECTIONS,
  })),
);
type Ray = (typeof RAYS)[number][number];

export function turningPoints(blocks: OpenBlocks): TurningPoint[] {
  const found: (TurningPoint & { readonly rank: number })[] = [];
  for (let y = blocks.top + 1; y < blocks.bottom; y++) {
    for (let x = 0; x < ACROSS; x++) {
      if (!blocks.has(x, y)) continue;
      for (let k = 0; k < 4; k++) {
        const [sx, sy] = sideOf(k);
        if (blocks.has(x + sx, y + sy) || !blocks.has(x + sx, y) || !blocks.has(x, y + sy))
          continue;
        const turns = RAYS.map((rays) => sharpestTurn(blocks, x, y, Math.atan2(sy, sx), rays));
        const scale = turns.findIndex((turn) => turn > 0);
        // Those of wide waters come first.
        if (scale >= 0) found.push({ x, y, sides: 1 << k, rank: turns[scale]! - scale * TURN });
      }
    }
  }
  found.sort((a, b) => b.rank - a.rank || a.y - b.y || a.x - b.x);
  return sharpestOnly(blocks, found);
}

/** Direction of a corner of a block. */
const sideOf = (k: number): readonly [number, number] => [k & 1 ? 1 : -1, k & 2 ? 1 : -1];

/**
 * The sharpest turn around the land on one side, radians, between two places that do not see each
 * other; 0 if no turn is sharp enough.
 */
function sharpestTurn(
  blocks: OpenBlocks,
  x: number,
  y: number,
  land: number,
  rays: readonly Ray[],
): number {
  const [cx, cy] = [x + 0.5, y + 0.5];
  const open = rays
    .filter((ray) => blocks.isClear(cx, cy, cx + ray.x, cy + ray.y))
    .map((ray) => ({ ...ray, angle: nearZero(ray.angle - land) }));
  let sharpest = 0;
  for (const a of open) {
    for (const b of open) {
      const turn = Math.PI - (b.angle - a.angle);
      if (a.angle >= 0 || b.angle <= 0 || turn < MIN_TURN || turn <= sharpest) continue;
      if (!blocks.isClear(cx + a.x, cy + a.y, cx + b.x, cy + b.y)) sharpest = turn;
    }
  }
  return sharpest;
}

const nearZero = (angle: number): number => angle - TURN * Math.round(angle / TURN);

/** Points that see no sharper one within `APART`. They get the sides of those that they replace. */
function sharpestOnly(blocks: OpenBlocks, found: readonly TurningPoint[]): TurningPoint[] {
  const cell = 2 ** Math.ceil(Math.log2(APART));
  const columns = ACROSS / cell;
  const kept = new Map<number, TurningPoint[]>();
  for (const point of found) {
    const [column, row] = [Math.floor(point.x / cell), Math.floor(point.y / cell)];
    const near = Array.from({ length: 9 }, (_, k) => {
      const x = (column + (k % 3) - 1 + columns) % columns;
      return kept.get((row + Math.floor(k / 3) - 1) * columns + x) ?? [];
    }).flat();
    const sharper = near.find(({ x, y }) => {
      const dx = x - point.x - ACROSS * Math.round((x - point.x) / ACROSS);
      const [fromX, fromY] = [point.x + 0.5, point.y + 0.5];
      return (
        Math.hypot(dx, y - point.y) < APART && blocks.isClear(fromX, fromY, fromX + dx, y + 0.5)
      );
    });
    if (sharper !== undefined) {
      sharper.sides |= point.sides;
      continue;
    }
    const key = row * columns + column;
    kept.set(key, [...(kept.get(key) ?? []), point]);
  }
  return [...kept.values()].flat().sort((a, b) => a.y - b.y || a.x - b.x);
}
