// A block of the chart, ready to be painted: a vector tile's square at its zoom with the style
// applied. Neighbouring raster tiles share blocks.

import type { FillItem, IconItem, StrokeItem, TextItem } from './display-list.ts';

/** Left, top, right, bottom in pixels. */
export type PixelBox = readonly [number, number, number, number];

/** An item of the ground with the style layer it belongs to. */
export interface GroundItem<T extends FillItem | StrokeItem = FillItem | StrokeItem> {
  readonly layer: number;
  readonly item: T;
  /** What each path of the item covers. */
  readonly boxes: readonly PixelBox[];
}

/** An icon or a text in pixels of its block. */
export interface Mark {
  readonly layer: number;
  readonly item: IconItem | TextItem;
  /** What it covers, left, top, right, bottom by fours, in pixels of its block. */
  readonly boxes: readonly number[];
  /** Shifts in pixels to the places where it may stand; the first that is free is taken. */
  readonly places?: readonly (readonly [x: number, y: number])[];
  /** Takes space, but is not seen. */
  readonly isBlank?: boolean;
  /** The other half of a symbol with icon and text: each is shown with the other or not at all. */
  readonly partner?: Mark;
  /** Shown whatever lies there. */
  readonly isKept: boolean;
  /** Makes later marks give way. */
  readonly isObstacle: boolean;
  /** Within its layer, what has more is drawn over what has less. */
  readonly sortKey: number;
}

export interface PreparedBlock {
  readonly ground: readonly GroundItem[];
  readonly marks: readonly Mark[];
  /** Numbers kept, to bound memory by. */
  readonly weight: number;
}

/** A block of a window and where its corner lies, in pixels of the tile. */
export interface SetBlock {
  readonly block: PreparedBlock;
  readonly left: number;
  readonly top: number;
  /** Whether the tile itself is part of it: only its ground is drawn. */
  readonly isOwn: boolean;
}

/** A mark and where its block's corner lies, in pixels of the tile. */
export interface SetMark {
  readonly mark: Mark;
  readonly left: number;
  readonly top: number;
}
