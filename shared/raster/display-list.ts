// What is to be painted, in order, free of styles and tiles: the one list that every painter draws.

import type { PlacedGlyph } from './shape-text.ts';

/** Pixels along one side of a raster tile (contract: raster-v1 is 256×256). */
export const TILE_PIXELS = 256;
/** Letters and their halos reach this far beyond their boxes. */
export const MARK_MARGIN_PIXELS = 6;

/** 8-bit colour, opacity 0–1; not premultiplied. */
export interface Ink {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Pixel coordinates x, y, x, y …; the tile is 0 to 256 each way. */
export type Path = Float32Array;

/** Rings wind so that what lies in any outer ring but not in its holes is filled. */
export interface FillItem {
  readonly kind: 'fill';
  readonly rings: readonly Path[];
  /** A colour, or the name of an image repeated from the world's corner. */
  readonly ink: Ink | string;
  /** Edges blended. Without it a pixel is filled or not, so that neighbours join. */
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
  /** Where the image's middle goes. */
  readonly x: number;
  readonly y: number;
  /** Clockwise. Undefined: never turned, so it is put on whole pixels and stays crisp. */
  readonly turnDegrees: number | undefined;
}

/** A text, letter by letter. */
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
  /** World pixel position of the tile's corner: where repeated images begin is counted from 0. */
  readonly originX: number;
  readonly originY: number;
}
