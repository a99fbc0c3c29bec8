// Display list: what to paint, in order, independent of styles and tiles. All painters use it.

import type { PlacedGlyph } from './shape-text.ts';

/** Pixels along one side of a raster tile (contract: raster-v1 is 256×256). */
export const TILE_PIXELS = 256;
/** Letters and halos extend this far beyond their boxes. */
export const MARK_MARGIN_PIXELS = 6;

/** 8-bit colour, opacity 0–1; not premultiplied. */
export interface Ink {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Pixel coordinates x, y, x, y …; the tile spans 0 to 256. */
export type Path = Float32Array;

/** Rings with nonzero winding: outer rings minus holes. */
export interface FillItem {
  readonly kind: 'fill';
  readonly rings: readonly Path[];
  /** A colour, or the name of an image that repeats from the world's corner. */
  readonly ink: Ink | string;
  /** Antialiased edges. Without it a pixel is filled or not, so that neighbouring areas join. */
  readonly isSmooth: boolean;
}

export interface StrokeItem {
  readonly kind: 'stroke';
  readonly lines: readonly Path[];
  readonly ink: Ink;
  readonly widthPixels: number;
  /** Dash and gap lengths in pixels; empty for a solid line. */
  readonly dashPixels: readonly number[];
  readonly hasRoundCaps: boolean;
}

export interface IconItem {
  readonly kind: 'icon';
  readonly image: string;
  /** Position of the image centre. */
  readonly x: number;
  readonly y: number;
  /** Clockwise rotation. If `undefined`, the image is drawn on whole pixels and stays sharp. */
  readonly turnDegrees: number | undefined;
}

/** A text as positioned letters. */
export interface TextItem {
  readonly kind: 'text';
  readonly text: string;
  readonly font: string;
  readonly sizePixels: number;
  readonly x: number;
  readonly y: number;
  readonly glyphs: readonly PlacedGlyph[];
  readonly ink: Ink;
  readonly halo: Ink;
  readonly haloPixels: number;
}

export type DisplayItem = FillItem | StrokeItem | IconItem | TextItem;

export interface DisplayList {
  readonly items: readonly DisplayItem[];
  /** World pixel position of the tile's corner, the origin of repeated images. */
  readonly originX: number;
  readonly originY: number;
}
