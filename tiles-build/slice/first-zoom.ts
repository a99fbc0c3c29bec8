// Computes the lowest zoom at which a vector tile may contain a feature. It uses the feature's class,
// SCAMIN and latitude, not its geometry.

import { ALWAYS_DRAWN_CLASSES } from '../../shared/chart/always-drawn.ts';
import { scaminZoom } from '../../shared/chart/scale-zoom.ts';
import type { Feature } from '../../shared/s57/cell/cell.ts';
import { numberOf } from '../../shared/s57/vocabulary/typed-values.ts';

/** @param latitude latitude of the feature's point farthest from the equator, in degrees */
export function firstZoomOf({ acronym, attributes }: Feature, latitude: number): number {
  if (ALWAYS_DRAWN_CLASSES.has(acronym.toUpperCase())) return 0;
  return Math.floor(scaminZoom(numberOf(attributes, 'SCAMIN'), latitude) ?? 0);
}
