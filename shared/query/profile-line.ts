// The line of a depth profile: short pieces that follow the line as a Mercator chart draws it, and
// samples along them.

import type { Box } from '../geo/clip-box.ts';
import { geodesicMeters, wrappedDegrees } from '../geo/geodesic.ts';
import { latitudeAt, mercatorY } from '../geo/mercator.ts';
import { GRID } from './record.ts';

/** Longitude and latitude, degrees. */
export type LonLat = readonly [longitude: number, latitude: number];

/** A piece of the line. It is straight in degrees and does not cross 180°. */
export interface Piece {
  /** Ends on the grid, with longitudes from −180° to 180°. */
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  /** Metres from the start of the line to the start of the piece. */
  readonly start: number;
  readonly meters: number;
}

export interface SamplePlace {
  /** Metres from the start of the line. */
  readonly distance: number;
  readonly longitude: number;
  readonly latitude: number;
  /** Index of the piece. */
  readonly piece: number;
}

/**
 * Pieces per width of the world: half the width of the smallest bucket. At most 2.5 km long, a piece
 * deviates less than 10 cm from a straight line on the Mercator chart.
 */
const PIECES_AROUND = 2 ** 14;
/** Less is a repeated position, or a rounding error at 180°. */
const MIN_METERS = 1e-6;

/** Cuts a line into pieces. Each leg takes the shorter direction around the globe. */
export function piecesOf(positions: readonly LonLat[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (let i = 1; i < positions.length; i++) {
    const points = cutAtAntimeridian(pointsOfLeg(positions[i - 1]!, positions[i]!));
    for (let j = 1; j < points.length; j++) {
      const [a, b] = [points[j - 1]!, points[j]!];
      const meters = geodesicMeters(...a, ...b);
      if (meters < MIN_METERS) continue;
      pieces.push({ ...endsOnGrid(a, b), start, meters });
      start += meters;
    }
  }
  return pieces;
}

function pointsOfLeg([fromLon, fromLat]: LonLat, [toLon, toLat]: LonLat): LonLat[] {
  const east = wrappedDegrees(toLon - fromLon);
  const fromY = mercatorY(fromLat);
  const down = mercatorY(toLat) - fromY;
  const reach = Math.max(Math.abs(east) / 360, Math.abs(down));
  const count = Math.max(1, Math.ceil(reach * PIECES_AROUND));
  return Array.from({ length: count + 1 }, (_, i): LonLat => {
    if (i === 0) return [fromLon, fromLat];
    if (i === count) return [fromLon + east, toLat];
    return [fromLon + (east * i) / count, latitudeAt(fromY + (down * i) / count)];
  });
}

/** Adds a point where the longitude passes 180°, or 180° and full turns. */
function cutAtAntimeridian(points: readonly LonLat[]): LonLat[] {
  return points.flatMap(([longitude, latitude], i) => {
    const before = points[i - 1];
    const turn = turnOf(longitude);
    const turnBefore = turnOf(before?.[0] ?? longitude);
    if (before === undefined || turn === turnBefore) return [[longitude, latitude]];
    const border = 180 + 360 * Math.min(turn, turnBefore);
    const t = (border - before[0]) / (longitude - before[0]);
    return [
      [border, before[1] + (latitude - before[1]) * t],
      [longitude, latitude],
    ];
  });
}

const turnOf = (longitude: number): number => Math.floor((longitude + 180) / 360);

function endsOnGrid([fromLon, fromLat]: LonLat, [toLon, toLat]: LonLat) {
  const turn = 360 * Math.round((fromLon + toLon) / 720);
  return {
    fromX: (fromLon - turn) * GRID,
    fromY: fromLat * GRID,
    toX: (toLon - turn) * GRID,
    toY: toLat * GRID,
  };
}

export const lengthOf = (pieces: readonly Piece[]): number => {
  const last = pieces.at(-1);
  return last === undefined ? 0 : last.start + last.meters;
};

/** Bounding box of a piece on the grid; `top` is south. */
export function boxOfPiece({ fromX, fromY, toX, toY }: Piece): Box {
  return {
    left: Math.floor(Math.min(fromX, toX)),
    right: Math.ceil(Math.max(fromX, toX)),
    top: Math.floor(Math.min(fromY, toY)),
    bottom: Math.ceil(Math.max(fromY, toY)),
  };
}

/** Distances at equal intervals, from the start to the end of the line. */
export function evenDistances(meters: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (meters * i) / (count - 1));
}

/** Multiples of an interval, and the end of the line. The last interval may be shorter. */
export function steppedDistances(meters: number, interval: number): number[] {
  const count = Math.ceil(meters / interval);
  return [...Array.from({ length: count }, (_, i) => i * interval), meters];
}

/** The places at ascending distances. */
export function placesAt(pieces: readonly Piece[], distances: readonly number[]): SamplePlace[] {
  let index = 0;
  return distances.map((distance) => {
    while (index < pieces.length - 1 && distance >= pieces[index + 1]!.start) index++;
    const { fromX, fromY, toX, toY, start, meters } = pieces[index]!;
    const t = Math.min(1, (distance - start) / meters);
    return {
      distance,
      longitude: Math.round(fromX + (toX - fromX) * t) / GRID,
      latitude: Math.round(fromY + (toY - fromY) * t) / GRID,
      piece: index,
    };
  });
}
