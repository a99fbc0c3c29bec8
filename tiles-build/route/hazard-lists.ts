// Which squares of a sheet keep which exact edges: each segment stands in every square that has no
// finer one where the segment, with its radius, touches the ground.

import type { Box } from '../../shared/geo/clip-box.ts';
import { HAZARD_GRID, hazardColumns, putEnds } from '../../shared/route/hazard-codec.ts';
import { HAZARD_KINDS, type HazardFeature, type Hazards } from '../../shared/route/sea.ts';
import { boxOfNode } from './cut-item.ts';
import { gridUnits } from './item.ts';
import type { Segment } from './segment-table.ts';
import type { SquareDraft } from './square-draft.ts';

export const squareKey = (z: number, x: number, y: number): string => `${z}/${x}/${y}`;

/** Segments of each square, by its key. @param squares of one sheet, among them its zoom-8 square */
export function hazardLists(
  segments: readonly Segment[],
  sheet: SquareDraft,
  squares: ReadonlyMap<string, SquareDraft>,
): ReadonlyMap<string, readonly Segment[]> {
  const lists = new Map<string, Segment[]>();
  const note = (key: string, segment: Segment): void => {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [segment]);
    else if (list.at(-1) !== segment) list.push(segment);
  };
  /** From a square down to those that have no finer ones where the segment is. */
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
  for (const segment of segments) {
    const { radius, ay, by } = segment;
    const reach =
      1 + (radius === 0 ? 0 : Math.max(gridUnits(radius, ay), gridUnits(radius, by)) * 1.01);
    visit(sheet, segment, reach);
  }
  return lists;
}

/** Whether a segment comes as near to a box as `reach`, or may: by the box's sides and its own. */
function comesNear({ ax, ay, bx, by }: Segment, box: Box, reach: number): boolean {
  const left = box.left - reach;
  const right = box.right + reach;
  const top = box.top - reach;
  const bottom = box.bottom + reach;
  if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) return false;
  if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) return false;
  // All four corners on one side of the line: apart.
  const dx = bx - ax;
  const dy = by - ay;
  const a = dx * (top - ay) - dy * (left - ax);
  const b = dx * (top - ay) - dy * (right - ax);
  const c = dx * (bottom - ay) - dy * (left - ax);
  const d = dx * (bottom - ay) - dy * (right - ax);
  return !((a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0));
}

export function hazardsOf(segments: readonly Segment[]): Hazards {
  const features: HazardFeature[] = [];
  const numbers = new Map<HazardFeature, number>();
  const hazards = hazardColumns(segments.length, features);
  segments.forEach((segment, i) => {
    putEnds(hazards, i, [segment.ax, segment.ay, segment.bx, segment.by]);
    hazards.kind[i] = HAZARD_KINDS.indexOf(segment.kind);
    hazards.depth[i] = segment.depth;
    hazards.clearance[i] = segment.clearance;
    hazards.radius[i] = segment.radius;
    const { feature } = segment;
    let number = numbers.get(feature);
    if (number === undefined) {
      number = features.push(feature) - 1;
      numbers.set(feature, number);
    }
    hazards.feature[i] = number;
  });
  return hazards;
}
