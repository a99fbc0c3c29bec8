// Whose ground is being cut: one cell, or the background.

import type { Cell } from '../../shared/s57/cell/cell.ts';
import { type Coverage, coverageOf, isUnwrapped } from '../quilt/coverage.ts';
import { zoomsOfBand } from '../quilt/rank.ts';

export interface Owner {
  readonly name: string;
  /** Western longitudes are counted on past 180°. */
  readonly unwrapped: boolean;
  /** Zoom from which all its soundings are shown. */
  readonly nativeZoom: number;
  readonly coverage: Coverage | undefined;
}

export const BACKGROUND_OWNER: Owner = {
  name: 'background',
  unwrapped: false,
  nativeZoom: 0,
  coverage: undefined,
};

export function ownerOf(cell: Cell): Owner {
  return {
    name: cell.header.name,
    unwrapped: isUnwrapped(cell),
    nativeZoom: zoomsOfBand(cell.header.usageBand).minZoom,
    coverage: coverageOf(cell),
  };
}

/** Ground pixels are metres at the equator of a zoom-0 map of 512-pixel tiles. */
const METERS_PER_PIXEL = 78_271.517;
/** Size of a pixel on screens, as standards for displays assume it. */
const PIXEL_METERS = 0.000_28;

/** Properties of the `coverage` layers: cell, scale, band, and the zoom where twice overscaled. */
export function coverageProperties(coverage: Coverage) {
  const latitude = -(coverage.box.top + coverage.box.bottom) / 2 / 1e7;
  const scaled = METERS_PER_PIXEL * Math.cos((latitude * Math.PI) / 180);
  const zoom = Math.log2(scaled / (coverage.scaleDenominator * PIXEL_METERS)) + 1;
  return {
    cell: coverage.name,
    cscl: coverage.scaleDenominator,
    band: coverage.usageBand,
    oz: Math.round(zoom * 10) / 10,
  };
}
