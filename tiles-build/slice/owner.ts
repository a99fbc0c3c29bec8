// The owner whose ground is being cut: one cell, or the background.

import { MAX_VECTOR_ZOOM } from '../../shared/chart/band-for-zoom.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { type Coverage, coverageOf } from '../quilt/coverage.ts';
import { compilationZoom, scaleZoomOf, zoomsOfBand } from '../quilt/rank.ts';

export interface Owner {
  readonly name: string;
  /** First whole zoom of its compilation scale; below it the chart is generalised. */
  readonly nativeZoom: number;
  /** Zoom of that scale, with a fraction; below it points are thinned. */
  readonly scaleZoom: number;
  /** Deepest zoom for which its tiles are made. */
  readonly deepestZoom: number;
  readonly coverage: Coverage | undefined;
}

export const BACKGROUND_OWNER: Owner = {
  name: 'background',
  nativeZoom: 0,
  scaleZoom: 0,
  deepestZoom: MAX_VECTOR_ZOOM,
  coverage: undefined,
};

export function ownerOf(cell: Cell): Owner {
  const coverage = coverageOf(cell);
  const { maxZoom } = zoomsOfBand(cell.header.usageBand);
  const scaleZoom = scaleZoomOf(coverage);
  return {
    name: cell.header.name,
    nativeZoom: Math.round(scaleZoom),
    scaleZoom,
    deepestZoom: maxZoom,
    coverage,
  };
}

/**
 * Properties of the `coverage` layers: cell, scale, band, whether all its ground has a skin and, if it has finer
 * neighbours, the zoom at which it is shown at twice its scale.
 */
export function coverageProperties(
  coverage: Coverage,
  hasFinerNeighbour: boolean,
  isCharted: boolean,
) {
  const zoom = compilationZoom(coverage) + 1;
  return {
    cell: coverage.name,
    cscl: coverage.scaleDenominator,
    band: coverage.usageBand,
    ...(isCharted ? { full: 1 } : {}),
    ...(hasFinerNeighbour ? { oz: Math.round(zoom * 10) / 10 } : {}),
  };
}
