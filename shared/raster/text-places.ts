// Alternative positions of a text around a point, as in MapLibre, so that both maps agree.

import { MARK_MARGIN_PIXELS, TILE_PIXELS } from './display-list.ts';
import { GLYPH_EM } from './glyphs.ts';
import { type Anchor, anchorShares } from './shape-text.ts';

/**
 * Vertical shift of a text above or below a point in MapLibre: from the edge of its line to its
 * letters.
 */
const BASELINE_EMS = 7 / GLYPH_EM;

interface PlacesOptions {
  readonly anchors: readonly Anchor[];
  readonly offsetEms: readonly [number, number];
  readonly sizePixels: number;
  /** Size of the text's box with padding. */
  readonly widthPixels: number;
  readonly heightPixels: number;
}

/** Shifts in pixels of a text centred on the point, one for each anchor. */
export function textPlaces(options: PlacesOptions): (readonly [number, number])[] {
  const { anchors, offsetEms, sizePixels, widthPixels, heightPixels } = options;
  const outX = Math.abs(offsetEms[0]) * sizePixels;
  const outY = (Math.abs(offsetEms[1]) - BASELINE_EMS) * sizePixels;
  return anchors.map((anchor) => {
    const [alignX, alignY] = anchorShares(anchor);
    return [
      (0.5 - alignX) * (widthPixels + 2 * outX),
      (0.5 - alignY) * (heightPixels + 2 * outY),
    ] as const;
  });
}

/** A tile shows the marks of blocks within its own width. */
const MAX_REACH_PIXELS = TILE_PIXELS - MARK_MARGIN_PIXELS;

/**
 * Whether a text reaches so far from its point, at one of its places, that a tile border could cut
 * it. The box is left, top, right, bottom.
 */
export function reachesTooFar(
  x: number,
  y: number,
  [left, top, right, bottom]: readonly number[],
  places: readonly (readonly [number, number])[] = [[0, 0]],
): boolean {
  return places.some(
    ([dx, dy]) =>
      Math.max(x - left! - dx, y - top! - dy, right! - x + dx, bottom! - y + dy) > MAX_REACH_PIXELS,
  );
}
