// Computes the lowest zoom at which a vector tile may contain a feature. It uses the feature's class,
// SCAMIN and latitude, not its geometry.

import { ALWAYS_DRAWN_CLASSES } from '../../shared/chart/always-drawn.ts';
import { scaminZoom } from '../../shared/chart/scale-zoom.ts';
import type { Feature } from '../../shared/s57/cell/cell.ts';
import { numberOf } from '../../shared/s57/vocabulary/typed-values.ts';

/** The zoom from which SCAMIN shows a feature at a latitude in degrees, to a tenth. */
export function shownFrom({ acronym, attributes }: Feature, latitude: number): number {
  if (ALWAYS_DRAWN_CLASSES.has(acronym.toUpperCase())) return 0;
  return scaminZoom(numberOf(attributes, 'SCAMIN'), latitude) ?? 0;
}

/**
 * 0 for soundings, because a neighbouring chart may show them before their SCAMIN does.
 * @param latitude latitude of the feature's point farthest from the equator, in degrees
 */
export function firstZoomOf(feature: Feature, latitude: number): number {
  return feature.acronym === 'SOUNDG' ? 0 : Math.floor(shownFrom(feature, latitude));
}
