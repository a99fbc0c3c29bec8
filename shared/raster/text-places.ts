// Places around a point where a text may stand, as vector maps try them, so that both pictures agree.

import { GLYPH_EM } from './glyphs.ts';
import { type Anchor, anchorShares } from './shape-text.ts';

/** What vector maps move a text above or below a point by: from its line's edge to its letters. */
const BASELINE_EMS = 7 / GLYPH_EM;

interface PlacesOptions {
  readonly anchors: readonly Anchor[];
  readonly offsetEms: readonly [number, number];
  readonly sizePixels: number;
  /** Of the text's box with its padding. */
  readonly widthPixels: number;
  readonly heightPixels: number;
}

/**
 * Shifts in pixels, one for each anchor, of a text that is set with its middle on the point.
 */
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
