// Which squares of a sheet keep which exact edges. Each segment is in every square that has no
// finer square where the segment, with its radius, touches the ground.

import type { Box } from '../../shared/geo/clip-box.ts';
import { HAZARD_GRID, hazardColumns, putEnds } from '../../shared/route/hazard-codec.ts';
import { HAZARD_KINDS, type HazardFeature, type Hazards } from '../../shared/route/sea.ts';
import { boxOfNode } from './cut-item.ts';
import { comesNear, reachOf, type Segment } from './segment-table.ts';
import type { SquareDraft } from './square-draft.ts';

export const squareKey = (z: number, x: number, y: number): string => `${z}/${x}/${y}`;

/** Segments of each square, by its key. @param squares a square and the squares below it, by key */
export function hazardLists(
  segments: readonly Segment[],
  first: SquareDraft,
  squares: ReadonlyMap<string, SquareDraft>,
): ReadonlyMap<string, readonly Segment[]> {
  const lists = new Map<string, Segment[]>();
  const note = (key: string, segment: Segment): void => {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [segment]);
    else if (list.at(-1) !== segment) list.push(segment);
  };
  /** Descends from a square to the squares that have no finer ones at the segment. */
  const visit = (square: SquareDraft, segment: Segment, reach: number): void => {
    const key = squareKey(square.zoom, square.x, square.y);
    if (!square.hasFiner.includes(1)) {
      if (comesNear(segment, boxOfNode(square.zoom, square.x, square.y), reach)) note(key, segment);
      return;
    }
    const below = square.zoom + 3;
    const side = HAZARD_GRID / 2 ** below;
    const column = square.x * 8;
    const row = square.y * 8;
    const within = (value: number, from: number) =>
      Math.min(Math.max(Math.floor(value / side) - from, 0), 7);
    const lastColumn = within(Math.max(segment.ax, segment.bx) + reach, column);
    const lastRow = within(Math.max(segment.ay, segment.by) + reach, row);
    const firstColumn = within(Math.min(segment.ax, segment.bx) - reach, column);
    const firstRow = within(Math.min(segment.ay, segment.by) - reach, row);
    for (let y = firstRow; y <= lastRow; y++) {
      for (let x = firstColumn; x <= lastColumn; x++) {
        if (!comesNear(segment, boxOfNode(below, column + x, row + y), reach)) continue;
        if (square.hasFiner[8 * y + x] === 0) note(key, segment);
        else visit(squares.get(squareKey(below, column + x, row + y))!, segment, reach);
      }
    }
  };
  for (const segment of segments) visit(first, segment, reachOf(segment));
  return lists;
}

/**
 * Whether `hazardLists` visits a square of a sheet with a segment: if the segment is near. A
 * segment that only touches the eastern or southern border does not count, unless the sheet ends
 * there.
 */
export function isReached(segment: Segment, box: Box, sheet: Box): boolean {
  const { ax, ay, bx, by } = segment;
  const reach = reachOf(segment);
  return (
    comesNear(segment, box, reach) &&
    (Math.min(ax, bx) - reach < box.right || box.right === sheet.right) &&
    (Math.min(ay, by) - reach < box.bottom || box.bottom === sheet.bottom)
  );
}

export function hazardsOf(segments: readonly Segment[]): Hazards {
  const features: HazardFeature[] = [];
  const numbers = new Map<HazardFeature, number>();
  const byContent = new Map<string, number>();
  // In a large sheet, a feature may have been read several times.
  const numberOf = (feature: HazardFeature): number => {
    const { id, objectClass, objectName } = feature;
    const content = `${id}\n${objectClass}\n${objectName}`;
    const number = byContent.get(content) ?? features.push(feature) - 1;
    byContent.set(content, number);
    numbers.set(feature, number);
    return number;
  };
  const hazards = hazardColumns(segments.length, features);
  segments.forEach((segment, i) => {
    putEnds(hazards, i, [segment.ax, segment.ay, segment.bx, segment.by]);
    hazards.kind[i] = HAZARD_KINDS.indexOf(segment.kind);
    hazards.depth[i] = segment.depth;
    hazards.clearance[i] = segment.clearance;
    hazards.radius[i] = segment.radius;
    const { feature } = segment;
    hazards.feature[i] = numbers.get(feature) ?? numberOf(feature);
  });
  return hazards;
}
