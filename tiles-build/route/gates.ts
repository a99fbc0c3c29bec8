// Gates: pairs of lateral marks on the two sides of a channel, and the water outside the channel
// next to each pair. S-57 does not relate the marks of a pair, so the distance decides.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Cell, Feature } from '../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../shared/s57/cell/geometry.ts';
import { numberOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { gridX, gridY } from '../quilt/coverage.ts';
import { type Effect, NO_EFFECT } from './item.ts';

/** Longitude, latitude in degrees. */
type Place = readonly [longitude: number, latitude: number];
type Line = readonly [Place, Place];

export interface Gate {
  readonly marks: readonly [Feature, Feature];
  /** Across the gate at a right angle, through its centre. */
  readonly axis: Line;
  readonly widthMeters: number;
  /**
   * Lines from each mark away from the other. A path that crosses one passes outside the channel.
   */
  readonly wings: readonly Line[];
}

/** Wider pairs mark channels for large ships. Small vessels pass on either side of those marks. */
const WIDEST_METERS = 200;
/** Two marks nearer than this are in one place, for example a beacon that replaces a buoy. */
const NARROWEST_METERS = 8;
/** Long enough for bends between gates that are about 500 m apart. */
const WING_METERS = 400;
/** Marks behind a mark within this angle (as a cosine) are in the direction of its wing. */
const SECTOR_COSINE = Math.SQRT1_2;
/** If a wing would cross another gate, it ends at this part of the distance. */
const WING_PART = 0.8;

const LATERAL_CLASSES: ReadonlySet<string> = new Set(['BOYLAT', 'BCNLAT']);
/**
 * CATLAM: port, starboard. 3 and 4 separate two channels, and are port and starboard of the
 * preferred one.
 */
const PORT = 1;
const STARBOARD = 2;
const PREFERRED_TO_STARBOARD = 3;
const PREFERRED_TO_PORT = 4;

interface Mark {
  readonly feature: Feature;
  readonly at: Place;
  readonly isPort: boolean;
  /** Whether another channel begins on the other side of the mark. */
  readonly isJunction: boolean;
}

type Pair = readonly [port: Mark, starboard: Mark];

/**
 * The gates of a cell. Two lateral marks of opposite sides form a gate if each is the nearest mark
 * of the opposite side to the other.
 *
 * @param isCounted excludes marks that are gone
 */
export function gatesOf(cell: Cell, isCounted: (feature: Feature) => boolean): Gate[] {
  const marks = marksOf(cell, isCounted);
  const pairs: Pair[] = [];
  for (const port of marks.filter(({ isPort }) => isPort)) {
    const starboard = partnerOf(port, marks);
    if (starboard === undefined || partnerOf(starboard, marks) !== port) continue;
    pairs.push([port, starboard]);
  }
  return pairs.map((pair) => gateOf(pair, marks, pairs));
}

/**
 * Effects of a gate on routes: the water around its axis is a fairway; its wings are outside the
 * channel.
 *
 * @returns lines on the quilt's grid, with their effects
 */
export function linesOfGate({ axis, widthMeters, wings }: Gate): { line: Flat; effect: Effect }[] {
  const onGrid = (line: Line) => line.flatMap(([x, y]) => [gridX(x), gridY(y)]);
  const fairway: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.fairway, radius: widthMeters / 4 };
  const beside: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.besideMarks };
  return [
    { line: onGrid(axis), effect: fairway },
    ...wings.map((wing) => ({ line: onGrid(wing), effect: beside })),
  ];
}

function marksOf(cell: Cell, isCounted: (feature: Feature) => boolean): Mark[] {
  const marks: Mark[] = [];
  for (const feature of cell.features) {
    const isLateral = LATERAL_CLASSES.has(feature.acronym.toUpperCase());
    if (!isLateral || feature.primitive !== 'point' || !isCounted(feature)) continue;
    const category = numberOf(feature.attributes, 'CATLAM');
    const isPort = category === PORT || category === PREFERRED_TO_STARBOARD;
    if (!isPort && category !== STARBOARD && category !== PREFERRED_TO_PORT) continue;
    const isJunction = category === PREFERRED_TO_STARBOARD || category === PREFERRED_TO_PORT;
    for (const { positions } of nodesOf(cell, feature)) {
      const at = [positions[0]!, positions[1]!] as const;
      marks.push({ feature, at, isPort, isJunction });
    }
  }
  return marks;
}

function partnerOf(mark: Mark, marks: readonly Mark[]): Mark | undefined {
  let nearest: Mark | undefined;
  let least = WIDEST_METERS;
  for (const other of marks) {
    if (other.isPort === mark.isPort) continue;
    const meters = Math.hypot(...metersTo(mark.at, other.at));
    if (meters >= least || meters < NARROWEST_METERS) continue;
    nearest = other;
    least = meters;
  }
  return nearest;
}

function gateOf([port, starboard]: Pair, marks: readonly Mark[], pairs: readonly Pair[]): Gate {
  const [dx, dy] = metersTo(port.at, starboard.at);
  const middle = moved(port.at, dx / 2, dy / 2);
  const wings = [wingOf(port, starboard, marks, pairs), wingOf(starboard, port, marks, pairs)];
  return {
    marks: [port.feature, starboard.feature],
    axis: [moved(middle, -dy, dx), moved(middle, dy, -dx)],
    widthMeters: Math.hypot(dx, dy),
    wings: wings.filter((wing) => wing !== undefined),
  };
}

/** `undefined` if a mark of the other side is behind the mark: another channel may be there. */
function wingOf(
  mark: Mark,
  partner: Mark,
  marks: readonly Mark[],
  pairs: readonly Pair[],
): Line | undefined {
  const [dx, dy] = metersTo(partner.at, mark.at);
  const width = Math.hypot(dx, dy);
  const isBehind = (other: Mark): boolean => {
    const [x, y] = metersTo(mark.at, other.at);
    const meters = Math.hypot(x, y);
    if (meters < NARROWEST_METERS || meters > WING_METERS + WIDEST_METERS) return false;
    return x * dx + y * dy > SECTOR_COSINE * meters * width;
  };
  if (mark.isJunction) return undefined;
  if (marks.some((other) => other.isPort !== mark.isPort && isBehind(other))) return undefined;
  const [ux, uy] = [dx / width, dy / width];
  let length = WING_METERS;
  for (const pair of pairs) {
    if (pair.includes(mark)) continue;
    const crossed = metersAlong(
      metersTo(mark.at, pair[0].at),
      metersTo(mark.at, pair[1].at),
      ux,
      uy,
    );
    length = Math.min(length, WING_PART * crossed);
  }
  return [mark.at, moved(mark.at, ux * length, uy * length)];
}

/** Distance along a direction to its crossing with the segment a to b; infinite if it misses. */
function metersAlong(
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  ux: number,
  uy: number,
): number {
  const [sideA, sideB] = [ux * ay - uy * ax, ux * by - uy * bx];
  if (sideA * sideB > 0 || sideA === sideB) return Number.POSITIVE_INFINITY;
  const share = sideA / (sideA - sideB);
  const along = (ax + share * (bx - ax)) * ux + (ay + share * (by - ay)) * uy;
  return along > 0 ? along : Number.POSITIVE_INFINITY;
}

const DEGREE_METERS = 111_195;
const narrowed = (latitude: number): number => Math.cos((latitude * Math.PI) / 180);

/** Metres east and north. For lengths of a harbour, the relative error is some thousandths. */
function metersTo([ax, ay]: Place, [bx, by]: Place): [east: number, north: number] {
  const east = bx - ax - 360 * Math.round((bx - ax) / 360);
  return [east * DEGREE_METERS * narrowed(ay), (by - ay) * DEGREE_METERS];
}

function moved([x, y]: Place, east: number, north: number): Place {
  return [x + east / (DEGREE_METERS * narrowed(y)), y + north / DEGREE_METERS];
}
