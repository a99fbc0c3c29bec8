// Cuts land that crosses 180° or surrounds a pole to the map plane. Some sources keep such rings
// whole, with neighbouring positions at 180° and −180°. On a plane this would be a line across the
// world.

import { clipPolygon } from '../../shared/geo/clip-polygon.ts';
import type { Path, Position, Ring } from './geojson.ts';

const PLANE = { left: -180, top: -90, right: 180, bottom: 90 };

/** The polygons of an area within −180° to 180°. Areas that do not cross are returned unchanged. */
export function cutAtAntimeridian(
  polygons: readonly (readonly Ring[])[],
): readonly (readonly Ring[])[] {
  return polygons.flatMap((rings) => (rings.some(jumps) ? cut(rings) : [rings]));
}

/** Splits a path at the antimeridian. */
export function cutPathAtAntimeridian(path: Path): readonly Path[] {
  const parts: Position[][] = [];
  let part: Position[] = [];
  path.forEach((position, i) => {
    const before = path[i - 1];
    if (before !== undefined && Math.abs(position[0]! - before[0]!) > 180) {
      const side = before[0]! > 0 ? 180 : -180;
      const beyond = position[0]! + 2 * side - before[0]!;
      const share = beyond === 0 ? 0 : (side - before[0]!) / beyond;
      const latitude = before[1]! + share * (position[1]! - before[1]!);
      parts.push([...part, [side, latitude]]);
      part = [[-side, latitude]];
    }
    part.push(position);
  });
  return [...parts, part];
}

const jumps = (ring: Ring): boolean =>
  ring.some((position, i) => i > 0 && Math.abs(position[0]! - ring[i - 1]![0]!) > 180);

function cut(rings: readonly Ring[]): readonly (readonly Ring[])[] {
  const [outer, ...holes] = rings.map(unrolled);
  if (outer === undefined) return [];
  // Shift the holes to the longitudes of the outer ring.
  const near = holes.map((hole) =>
    shifted(hole, 360 * Math.round((middleOf(outer) - middleOf(hole)) / 360)),
  );
  return [-360, 0, 360].flatMap((shift) => {
    const kept = clipPolygon(
      [outer, ...near].map((ring) => shifted(ring, shift)),
      PLANE,
    );
    return kept.length === 0 ? [] : [kept.map(closed)];
  });
}

/**
 * Flat coordinates of a ring, with longitudes that continue beyond 180°; the first point is not
 * repeated.
 */
function unrolled(ring: Ring): number[] {
  const flat: number[] = [];
  let turns = 0;
  for (let i = 0; i < ring.length; i++) {
    const [longitude, latitude] = ring[i] as [number, number];
    if (i > 0) {
      const step = longitude - ring[i - 1]![0]!;
      if (step > 180) turns--;
      else if (step < -180) turns++;
    }
    flat.push(longitude + 360 * turns, latitude);
  }
  if (turns === 0) return flat.slice(0, -2);
  // The ring surrounds a pole, so it is closed via the nearer one; no land surrounds the equator.
  const pole = flat[1]! < 0 ? -90 : 90;
  return [...flat, flat.at(-2)!, pole, flat[0]!, pole];
}

const shifted = (ring: readonly number[], degrees: number): number[] =>
  ring.map((value, i) => (i % 2 === 0 ? value + degrees : value));

function middleOf(ring: readonly number[]): number {
  const longitudes = ring.filter((_, i) => i % 2 === 0);
  return (
    (longitudes.reduce((a, b) => Math.min(a, b)) + longitudes.reduce((a, b) => Math.max(a, b))) / 2
  );
}

function closed(flat: readonly number[]): Ring {
  const ring: [number, number][] = [];
  for (let i = 0; i < flat.length; i += 2) ring.push([flat[i]!, flat[i + 1]!]);
  return [...ring, ring[0]!];
}
