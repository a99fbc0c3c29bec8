// Whose ground is being cut: one cell, or the background.

import type { Cell } from '../../shared/s57/cell/cell.ts';
import { type Coverage, coverageOf, isUnwrapped } from '../quilt/coverage.ts';
import { compilationZoom, zoomsOfBand } from '../quilt/rank.ts';

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

/** Properties of the `coverage` layers: cell, scale, band, and the zoom where twice overscaled. */
export function coverageProperties(coverage: Coverage) {
  const zoom = compilationZoom(coverage) + 1;
  return {
    cell: coverage.name,
    cscl: coverage.scaleDenominator,
    band: coverage.usageBand,
    oz: Math.round(zoom * 10) / 10,
  };
}
