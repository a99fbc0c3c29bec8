// Land that crosses the 180° meridian or surrounds a pole, cut to the plane of the map. Some sources
// keep such rings whole: two neighbouring positions then lie at 180° and −180°, which on a plane is
// a line across the whole world.

import { clipPolygon } from '../../shared/geo/clip-polygon.ts';
import type { Path, Position, Ring } from './geojson.ts';

const PLANE = { left: -180, top: -90, right: 180, bottom: 90 };

/** The polygons of one area within −180° to 180°; those that lie there already come back as they are. */
export function cutAtAntimeridian(
  polygons: readonly (readonly Ring[])[],
): readonly (readonly Ring[])[] {
  return polygons.flatMap((rings) => (rings.some(jumps) ? cut(rings) : [rings]));
}

/** A line in the parts that lie within −180° to 180°: one that steps over the meridian ends there. */
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
  // Holes are brought to the outer ring's turn of the world.
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

/** A ring as flat coordinates whose longitudes run on beyond 180°, not repeating the first. */
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
  // Around a pole, and so closed by way of it: the nearer one, as no land reaches around the equator.
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
