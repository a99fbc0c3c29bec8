// What is to be painted, in order, free of styles and tiles: the one list that every back-end draws.

/** 8-bit colour and opacity 0–1; not premultiplied. */
export interface Ink {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Flat arrays of pixel coordinates x, y, x, y …; the tile is 0 to 256 each way. */
export type Path = Float32Array;

export interface FillItem {
  readonly kind: 'fill';
  readonly rings: readonly Path[];
  readonly ink: Ink;
}

/** Polygons filled with a repeated image, anchored to the world so that tiles join. */
export interface PatternItem {
  readonly kind: 'pattern';
  readonly rings: readonly Path[];
  readonly image: string;
}

export interface StrokeItem {
  readonly kind: 'stroke';
  readonly lines: readonly Path[];
  readonly ink: Ink;
  readonly widthPixels: number;
  /** Dash and gap lengths in pixels; empty for a solid line. */
  readonly dashPixels: readonly number[];
  readonly roundCaps: boolean;
}

export interface IconItem {
  readonly kind: 'icon';
  readonly image: string;
  /** Where the image's centre goes. */
  readonly x: number;
  readonly y: number;
  readonly rotateDegrees: number;
}

/** One line of text, already placed: the baseline's start and direction. */
export interface TextItem {
  readonly kind: 'text';
  readonly text: string;
  readonly font: string;
  readonly sizePixels: number;
  readonly x: number;
  readonly y: number;
  readonly angleDegrees: number;
  readonly letterSpacingPixels: number;
  readonly ink: Ink;
  readonly halo: Ink;
  readonly haloPixels: number;
}

export type DisplayItem = FillItem | PatternItem | StrokeItem | IconItem | TextItem;

export interface DisplayList {
  readonly background: Ink;
  readonly items: readonly DisplayItem[];
  /** World pixel position of the tile's corner, modulo pattern sizes: where patterns begin. */
  readonly originX: number;
  readonly originY: number;
}

/** Pixels along one side of a raster tile (contract: raster-v1 is 256×256). */
export const TILE_PIXELS = 256;
