// The nearest place that is safe for the vessel, for a waypoint that is not.

import { BLOCKED, FREE } from '../geometry/blocks.ts';
import { greatCircleMeters, metersPerCell, type Point, positionOf } from '../geometry/plane.ts';
import { FULL_DETAIL } from '../read/detail.ts';
import type { Needs } from '../read/needs.ts';
import type { Pieces, SquareRequests } from '../read/square-requests.ts';
import { TOP_LEVEL, type Water } from '../read/water.ts';
import { Heap } from '../search/heap.ts';
import { LineOfSight } from '../sight/line-of-sight.ts';
import { distanceText, positionText } from '../warnings/texts.ts';
import { isBeyondMap } from './waypoints.ts';

/** Maximum distance of the nearest safe place. */
const NEAREST_WITHIN_METERS = 20_000;
const MOST_BLOCKS = 20_000;
/** The same if the place may not be behind a barrier. */
const MOST_BLOCKS_AROUND = 1000;
/** Blocks behind a barrier are divided down to this part (1/4) of their distance. */
const BEHIND_PARTS = 4;
/** The needs of a vessel that only land, structures and dangers of unknown depth stop. */
const ONLY_BARRIERS: Needs = {
  depth: Number.NEGATIVE_INFINITY,
  depthCode: 1,
  clearance: undefined,
  clearanceCode: 0,
  forbidden: 0,
  lateralMeters: 0,
  allowUnknownDepth: true,
  avoidRestricted: false,
  avoidToBeAvoided: false,
  allowProhibited: true,
};

interface Block {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** A safe place, and its distance from a point. */
interface SafePlace {
  readonly point: Point;
  readonly meters: number;
}

/**
 * The nearest safe place, to within the size of a cell. If land, a structure or a danger of unknown depth lies
 * between it and the point, another one that is at most `snapMeters` away without such a barrier, if there is one.
 */
export function* nearestSafe(
  water: Water,
  pieces: Pieces,
  point: Point,
  snapMeters: number,
): SquareRequests<SafePlace | undefined> {
  // A place beyond the map was moved to its border, so its distance is unknown.
  if (isBeyondMap(point)) return undefined;
  const lineOfSight = new LineOfSight(water, FULL_DETAIL);
  const any: SafeSearch = { lineOfSight, point, within: NEAREST_WITHIN_METERS, most: MOST_BLOCKS };
  const nearest = yield* nearestIn(any, pieces);
  if (nearest === undefined || nearest.meters > snapMeters) return nearest;
  const barriers = new LineOfSight(water.withNeeds(ONLY_BARRIERS), FULL_DETAIL);
  const isApart = () => barriers.meetsUnsafe(point, nearest.point);
  if (!(yield* pieces.run(isApart))) return nearest;
  const most = MOST_BLOCKS_AROUND;
  const open = yield* nearestIn({ ...any, within: snapMeters, most, barriers }, pieces);
  return open !== undefined && open.meters <= snapMeters ? open : nearest;
}

interface SafeSearch {
  readonly lineOfSight: LineOfSight;
  readonly point: Point;
  /** Maximum distance, metres. */
  readonly within: number;
  /** Maximum number of blocks. */
  readonly most: number;
  /** What may not lie between the point and the place. */
  readonly barriers?: LineOfSight;
}

/** Examines blocks in order of distance. */
function* nearestIn(search: SafeSearch, pieces: Pieces): SquareRequests<SafePlace | undefined> {
  const { point, within, most } = search;
  let nearest: Point | undefined;
  let reach = within / metersPerCell(point.y);
  const heap = new Heap();
  const blocks: Block[] = [];
  const add = (block: Block) => {
    const distance = distanceToBlock(point, block);
    if (distance >= reach) return;
    blocks.push(block);
    heap.push(distance, blocks.length - 1);
  };
  const size = 2 ** TOP_LEVEL;
  const [column, row] = [Math.floor(point.x / size), Math.floor(point.y / size)];
  for (let y = Math.max(0, row - 1); y <= Math.min(3, row + 1); y++) {
    for (let x = column - 1; x <= column + 1; x++) add({ level: TOP_LEVEL, x, y });
  }
  for (let taken = 0; heap.size > 0 && heap.topKey() < reach && taken < most; taken++) {
    const block = blocks[heap.top()]!;
    heap.pop();
    const found = yield* pieces.run(() => safeIn(search, block));
    if (found === 'nothing') continue;
    if (found !== 'unknown') {
      const distance = Math.hypot(found.x - point.x, found.y - point.y);
      if (distance < reach) nearest = found;
      // Another place must be nearer by at least one cell.
      reach = Math.min(reach, distance - 1);
    }
    const { level, x, y } = block;
    if (level === 0) continue;
    for (let i = 0; i < 4; i++) add({ level: level - 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) });
  }
  return nearest && { point: nearest, meters: greatCircleMeters(point, nearest) };
}

/** A safe place in a block. The block may contain a safe place that is nearer. */
function safeIn(
  { lineOfSight, point, barriers }: SafeSearch,
  block: Block,
): Point | 'nothing' | 'unknown' {
  const { level, x, y } = block;
  const kind = lineOfSight.water.classOf(level, x, y);
  if (kind === BLOCKED) return 'nothing';
  const place = kind === FREE ? placeIn(lineOfSight, point, block) : undefined;
  if (place !== undefined) {
    if (barriers?.meetsUnsafe(point, place) !== true) return place;
    // A large block may contain a place that is not behind the barrier.
    const isSmall = BEHIND_PARTS * 2 ** level <= distanceToBlock(point, block);
    return isSmall ? 'nothing' : 'unknown';
  }
  return isTooNear(lineOfSight, block) ? 'nothing' : 'unknown';
}

/** Whether all of a block is nearer to one unsafe edge than the lateral clearance. */
function isTooNear(lineOfSight: LineOfSight, { level, x, y }: Block): boolean {
  const size = 2 ** level;
  const [top, bottom] = [y * size, (y + 1) * size];
  const clearance = Math.min(
    lineOfSight.lateralCells(top, top),
    lineOfSight.lateralCells(bottom, bottom),
  );
  const within = clearance - size * Math.SQRT1_2;
  const middle = { x: (x + 0.5) * size, y: (y + 0.5) * size };
  return within > 0 && lineOfSight.nearestUnsafeEdge(middle, within) !== undefined;
}

/**
 * A safe place in a free block: the nearest one if the water around the block is free too, otherwise
 * the nearest one that is as far inside as the clearance requires.
 */
function placeIn(
  lineOfSight: LineOfSight,
  point: Point,
  { level, x, y }: Block,
): Point | undefined {
  const size = 2 ** level;
  const places = [0, lineOfSight.lateralCells(y * size, (y + 1) * size)].map((clearance) => {
    const inset = Math.min(size / 2, clearance + 0.25);
    return {
      x: Math.max(x * size + inset, Math.min((x + 1) * size - inset, point.x)),
      y: Math.max(y * size + inset, Math.min((y + 1) * size - inset, point.y)),
    };
  });
  return places.find((place) => lineOfSight.isClear(place, place));
}

function distanceToBlock(point: Point, { level, x, y }: Block): number {
  const size = 2 ** level;
  const dx = Math.max(x * size - point.x, 0, point.x - (x + 1) * size);
  const dy = Math.max(y * size - point.y, 0, point.y - (y + 1) * size);
  return Math.hypot(dx, dy);
}

export function nearestText(nearest: SafePlace): string {
  return `The nearest safe place is ${positionText(positionOf(nearest.point))}, ${distanceText(nearest.meters)} away.`;
}
