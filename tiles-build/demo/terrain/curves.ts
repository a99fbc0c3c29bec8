// Smooths lines and reduces their points.

import { doubleArea } from '../../../shared/geo/ring.ts';
import { vertexDistances } from '../../../shared/geo/simplify.ts';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';

/** A line with its corners cut twice (G. Chaikin, 1974); the ends of an open line are kept. */
export function smoothed(positions: readonly Position[], isClosed: boolean): Position[] {
  return cornersCut(cornersCut(positions, isClosed), isClosed);
}

function cornersCut(positions: readonly Position[], isClosed: boolean): Position[] {
  const cut: Position[] = [];
  const last = positions.length - 1;
  for (let i = 0; i < last; i++) {
    const [ax, ay] = positions[i]!;
    const [bx, by] = positions[i + 1]!;
    if (i === 0 && !isClosed) cut.push(positions[0]!);
    else cut.push([0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by]);
    if (i === last - 1 && !isClosed) cut.push(positions[last]!);
    else cut.push([0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by]);
  }
  if (isClosed) cut.push(cut[0]!);
  return cut;
}

/**
 * Integer positions of a line: the fewest within a tolerance of it, without consecutive duplicates.
 */
export function thinned(positions: readonly Position[], tolerance: number): Position[] {
  const distances = vertexDistances(positions.flat());
  const kept: Position[] = [];
  positions.forEach(([x, y], i) => {
    if (distances[i]! <= tolerance) return;
    const whole: Position = [Math.round(x), Math.round(y)];
    const before = kept.at(-1);
    if (before?.[0] !== whole[0] || before[1] !== whole[1]) kept.push(whole);
  });
  return kept;
}

/** Area of a ring, positive if it is counterclockwise; the end may repeat the start. */
export const signedArea = (ring: readonly Position[]): number => doubleArea(ring.flat()) / 2;
