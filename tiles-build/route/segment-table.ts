// The exact edges of one sheet: every segment of every item once. Two areas share each border, and
// coastlines run along land. The more severe statement about a segment is kept. A segment between
// two areas of the same depth is not an edge, but the border of two areas on its same side is one.

import type { Box } from '../../shared/geo/clip-box.ts';
import type { HazardFeature, HazardKind } from '../../shared/route/sea.ts';
import { cutBoxOf, isOnBox } from './cut-item.ts';
import { gridUnits, type RouteItem } from './item.ts';

export interface Segment {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly kind: HazardKind;
  depth: number;
  readonly clearance: number;
  readonly radius: number;
  feature: HazardFeature;
  /** The side of the segment on which its area lies, 1 or −1; 0 for lines and points. */
  side: number;
  /** Whether the segment is not an edge, or is covered by a more severe one. */
  isIdle: boolean;
  /**
   * Number of its item on the sheet, and its number in the item: they define the order of lists.
   */
  readonly item: number;
  readonly part: number;
}

export class SegmentTable {
  readonly #segments: Segment[] = [];
  readonly #byPlace = new Map<number, Segment[]>();

  /** The remaining segments, in the order in which they were added. */
  segments(): readonly Segment[] {
    return this.#segments.filter(({ isIdle }) => !isIdle);
  }

  /**
   * @param item its areas have outer rings of positive area and holes of negative area
   * @param x column of the sheet to which the item was cut
   * @param y row of that sheet
   * @param place number of the item on the sheet
   * @param around excludes segments that are not near this box
   */
  add(item: RouteItem, x: number, y: number, place: number, around?: Box): void {
    const { shape, effect, paths, feature } = item;
    const { kind, depth, clearance, radius } = effect;
    if (kind === undefined) return;
    const cut = cutBoxOf(8, x, y, radius);
    let part = 0;
    const put = (ax: number, ay: number, bx: number, by: number): void => {
      const number = part++;
      if (shape !== 'point' && isOnBox(cut, ax, ay, bx, by)) return;
      const segment: Segment = {
        ax,
        ay,
        bx,
        by,
        kind,
        depth,
        clearance,
        radius,
        feature,
        side: shape === 'area' ? Math.sign(bx - ax || by - ay) : 0,
        isIdle: false,
        item: place,
        part: number,
      };
      // Among equal places the one with the larger radius counts, so no excluded segment matters.
      if (around !== undefined && !comesNear(segment, around, reachOf(segment))) return;
      this.#put(segment);
    };
    for (const path of paths) {
      const last = path.length - 2;
      if (last === 0) put(path[0]!, path[1]!, path[0]!, path[1]!);
      for (let i = 0; i < last; i += 2) put(path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!);
      if (shape === 'area' && last > 0) put(path[last]!, path[last + 1]!, path[0]!, path[1]!);
    }
  }

  #put(segment: Segment): void {
    const key = placeKey(segment);
    const segments = this.#byPlace.get(key);
    if (segments === undefined) this.#byPlace.set(key, [segment]);
    else {
      const same = segments.filter((other) => isSamePlace(other, segment));
      // Segments that may never be crossed come first: where there is one, no other counts.
      same.sort((one, other) => Number(isNever(other)) - Number(isNever(one)));
      if (same.some((other) => absorbs(other, segment))) return;
      for (const other of same) if (isNever(segment)) other.isIdle ||= absorbs(segment, other);
      segments.push(segment);
    }
    this.#segments.push(segment);
  }
}

/** Whether `known` contains all information about the place of `added`. May change `known`. */
function absorbs(known: Segment, added: Segment): boolean {
  if (known.radius < added.radius) return false;
  if (isNever(known)) return !known.isIdle;
  if (known.kind !== added.kind || known.radius !== added.radius) return false;
  if (known.kind !== 'depth' && known.kind !== 'unknown-depth') return false;
  if (Object.is(known.depth, added.depth)) {
    // The other side has the same depth. A third segment, from overlapping data, is not a side.
    known.isIdle = !known.isIdle && known.side * added.side < 0;
  } else {
    if (added.depth < known.depth || known.isIdle) {
      known.feature = added.feature;
      known.side = added.side;
    }
    known.depth = known.isIdle ? added.depth : Math.min(known.depth, added.depth);
    known.isIdle = false;
  }
  return true;
}

/** Whether no vessel may ever cross it. */
function isNever({ depth }: Segment): boolean {
  return Number.isNaN(depth);
}

function isSamePlace(a: Segment, b: Segment): boolean {
  const straight = a.ax === b.ax && a.ay === b.ay && a.bx === b.bx && a.by === b.by;
  return straight || (a.ax === b.bx && a.ay === b.by && a.bx === b.ax && a.by === b.ay);
}

/** The same key for both directions. */
function placeKey({ ax, ay, bx, by }: Segment): number {
  const a = Math.imul(ax | 0, 0x9e3779b1) ^ Math.imul(ay | 0, 0x85ebca6b);
  const b = Math.imul(bx | 0, 0x9e3779b1) ^ Math.imul(by | 0, 0x85ebca6b);
  return (Math.imul(a ^ (a >>> 15), 0xc2b2ae35) + Math.imul(b ^ (b >>> 15), 0xc2b2ae35)) | 0;
}

/** How far the ground of a segment extends around it, on the hazard grid. */
export function reachOf({ radius, ay, by }: Segment): number {
  return 1 + (radius === 0 ? 0 : Math.max(gridUnits(radius, ay), gridUnits(radius, by)) * 1.01);
}

/** Whether a segment may be within `reach` of a box. Tests the box's sides and the line. */
export function comesNear({ ax, ay, bx, by }: Segment, box: Box, reach: number): boolean {
  const left = box.left - reach;
  const right = box.right + reach;
  const top = box.top - reach;
  const bottom = box.bottom + reach;
  if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) return false;
  if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) return false;
  // All four corners are on one side of the line, so they do not intersect.
  const dx = bx - ax;
  const dy = by - ay;
  const a = dx * (top - ay) - dy * (left - ax);
  const b = dx * (top - ay) - dy * (right - ax);
  const c = dx * (bottom - ay) - dy * (left - ax);
  const d = dx * (bottom - ay) - dy * (right - ax);
  return !((a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0));
}
