// A block of the chart, ready to paint: the square of a vector tile with the style applied.
// Neighbouring raster tiles share blocks.

import type { FillItem, IconItem, StrokeItem, TextItem } from './display-list.ts';

/** Left, top, right, bottom in pixels. */
export type PixelBox = readonly [number, number, number, number];

/** A ground item with the index of its style layer. */
export interface GroundItem<T extends FillItem | StrokeItem = FillItem | StrokeItem> {
  readonly layer: number;
  readonly item: T;
  /** Bounding box of each path. */
  readonly boxes: readonly PixelBox[];
}

/** An icon or text, in pixels of its block. */
export interface Mark {
  readonly layer: number;
  readonly item: IconItem | TextItem;
  /** Covered boxes: left, top, right, bottom for each, in pixels of the block. */
  readonly boxes: readonly number[];
  /** Shifts in pixels to alternative positions. The first free one is used. */
  readonly places?: readonly (readonly [x: number, y: number])[];
  /** Takes space but is invisible. */
  readonly isBlank?: boolean;
  /** The other part of a symbol with icon and text. Both are shown, or neither. */
  readonly partner?: Mark;
  /** Shown even if it overlaps other marks. */
  readonly isKept: boolean;
  /** Other marks must not overlap it. */
  readonly isObstacle: boolean;
  /**
   * Marks with larger keys are drawn on top, within a layer, and marks with equal keys in the order of the tile.
   * In a layer without keys, marks further south are drawn on top.
   */
  readonly sortKey: number | undefined;
}

export interface PreparedBlock {
  readonly ground: readonly GroundItem[];
  readonly marks: readonly Mark[];
  /** Size in numbers, to limit memory: coordinates, and the memory of marks and letters. */
  readonly weight: number;
}

/** A block of a window, with the position of its corner in pixels of the tile. */
export interface SetBlock {
  readonly block: PreparedBlock;
  readonly left: number;
  readonly top: number;
  /** Whether the block contains the tile. Only its ground is drawn. */
  readonly isOwn: boolean;
}

/** A mark, with the position of its block's corner in pixels of the tile. */
export interface SetMark {
  readonly mark: Mark;
  readonly left: number;
  readonly top: number;
}
