// Alternative positions of a text around a point, as in MapLibre, so that both maps agree.

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
