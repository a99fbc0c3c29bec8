// The zooms at which a chart is drawn below its compilation scale, and how much further apart
// symbols are there. Points and symbols of areas use the same values.

import { SOURCE_LAYERS } from '../../shared/chart/tile-schema.ts';

/** The classes of aids to navigation. */
export const AIDS: ReadonlySet<string> = new Set(
  SOURCE_LAYERS.filter(({ group }) => group === 'aids').map(({ id }) => id),
);
/** The classes of dangers under water. */
export const DANGERS: ReadonlySet<string> = new Set(['UWTROC', 'OBSTRN', 'WRECKS']);
/** A zoom may be below a chart's scale by this fraction of a zoom and still show everything. */
export const SOON = 0.2;
const WIDER_A_ZOOM = 0.5;
const MAX_WIDENING = 2.5;

export interface BelowScale {
  /** Zoom of the compilation scale, with one decimal. */
  readonly scaleZoom: number;
  /** Last whole zoom at which the chart is thinned; -1 if it is never thinned. */
  readonly lastZoom: number;
  /**
   * Factor for the distance between symbols at a zoom. It grows with the distance below the
   * compilation scale, from two zooms below it, up to 2.5: at small scales the chart is an
   * overview, and symbols hide it.
   */
  readonly widerAt: (zoom: number) => number;
}

/** @param scaleZoom zoom of the compilation scale; rounded to one decimal */
export function belowScale(scaleZoom: number): BelowScale {
  const tenths = Math.round(scaleZoom * 10);
  const [rounded, soon] = [tenths / 10, (tenths - SOON * 10) / 10];
  const lastUnwidened = Math.round(rounded) - 1;
  return {
    scaleZoom: rounded,
    lastZoom: Math.max(Math.ceil(soon) - 1, -1),
    widerAt: (zoom) => Math.min(MAX_WIDENING, 1 + WIDER_A_ZOOM * Math.max(0, lastUnwidened - zoom)),
  };
}
