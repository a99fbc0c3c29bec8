// The initial view of a map: on a chart, instead of the world with a tiny chart in it.

import { type GeoBounds, middleOf } from './bounds.ts';

interface SeenCell {
  readonly name: string;
  readonly scaleDenominator: number;
  readonly bounds: GeoBounds;
  readonly status: string;
}

export interface FirstSight {
  readonly longitude: number;
  readonly latitude: number;
  /** Zoom at which a picture of 512 pixels shows about the whole cell. */
  readonly zoom: number;
}

/** Deeper than the compilation scale of any chart. */
const MAX_ZOOM = 16;

/**
 * The middle of the used cell with the largest scale, the first by name of several; `undefined` if no cell is
 * used.
 */
export function firstSight(cells: readonly SeenCell[]): FirstSight | undefined {
  const [finest] = cells
    .filter(({ status }) => status.startsWith('used'))
    .sort((a, b) => a.scaleDenominator - b.scaleDenominator || (a.name < b.name ? -1 : 1));
  if (finest === undefined) return undefined;
  const { longitude, latitude, width } = middleOf(finest.bounds);
  const fits = Math.floor(Math.log2(360 / Math.max(width, 1e-3)));
  return { longitude, latitude, zoom: Math.min(Math.max(fits, 0), MAX_ZOOM) };
}
