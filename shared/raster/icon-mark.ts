// Creates the mark of an icon at a point or on a line: position and covered box.

import type { Mark } from './block.ts';
import type { LineAnchor } from './line-anchors.ts';
import { type Anchor, anchorShares } from './shape-text.ts';

/** Position of a symbol in pixels of its block, and on its line. */
export interface Site {
  readonly x: number;
  readonly y: number;
  readonly line?: ArrayLike<number>;
  readonly anchor?: LineAnchor;
}

/** Returns a property of the layer for the current feature. */
export type Value = <T>(name: string) => T;

/** The mark of an icon at a site. */
export function iconMark(
  layer: number,
  image: string,
  [width, height]: readonly [number, number],
  { x, y, anchor }: Site,
  value: Value,
): Mark {
  const turnsWithMap = value<string>('icon-rotation-alignment') === 'map' || anchor !== undefined;
  const turn = value<number>('icon-rotate') + ((anchor?.angle ?? 0) * 180) / Math.PI;
  const turnDegrees = turnsWithMap || turn !== 0 ? turn : undefined;
  const [alignX, alignY] = anchorShares(value<Anchor>('icon-anchor'));
  const [offsetX, offsetY] = value<readonly [number, number]>('icon-offset');
  const left = offsetX - alignX * width;
  const top = offsetY - alignY * height;
  const middle = turned(left + width / 2, top + height / 2, turn);
  const [above, right, below, before] = value<{ values: readonly number[] }>('icon-padding').values;
  const corners = [
    [left - before!, top - above!],
    [left + width + right!, top - above!],
    [left - before!, top + height + below!],
    [left + width + right!, top + height + below!],
  ].map(([cx, cy]) => turned(cx!, cy!, turn));
  const xs = corners.map(([cx]) => cx);
  const ys = corners.map(([, cy]) => cy);
  return {
    layer,
    item: { kind: 'icon', image, x: x + middle[0], y: y + middle[1], turnDegrees },
    boxes: [x + Math.min(...xs), y + Math.min(...ys), x + Math.max(...xs), y + Math.max(...ys)],
    isKept: value('icon-allow-overlap'),
    isObstacle: !value<boolean>('icon-ignore-placement'),
    // Icons that fade in between integer zooms start with an opacity below zero.
    isBlank: value<number>('icon-opacity') <= 0,
    sortKey: value<number | undefined>('symbol-sort-key'),
  };
}

/** Rotate an offset clockwise. */
function turned(x: number, y: number, degrees: number): readonly [number, number] {
  if (degrees === 0) return [x, y];
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return [x * cosine - y * sine, x * sine + y * cosine];
}
