// The output of portrayal: features with their final properties, still linked to the shared edges
// of the cell so that neighbours are simplified alike.

import type { AreaOfEdges, Chain } from '../../../shared/s57/cell/cell.ts';

export type PropertyValue = string | number | boolean;

type DrawableGeometry =
  /** Kept or dropped by its position; its symbol is never cut. */
  | { readonly type: 'point'; readonly longitude: number; readonly latitude: number }
  | { readonly type: 'line'; readonly chains: readonly Chain[] }
  | { readonly type: 'area'; readonly polygons: AreaOfEdges };

/** One feature of one source layer of the vector tiles. */
export interface Drawable {
  /** Source layer, for example `DEPARE`, `DEPEDGE` or `SOUNDG`. */
  readonly layer: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly geometry: DrawableGeometry;
  /** First tile zoom that contains it (from SCAMIN and latitude); 0 if it is always shown. */
  readonly minZoom: number;
  /**
   * Zoom from which it is shown if SCAMIN does not decide it, and its properties from there on: see
   * generalise/floors.ts.
   */
  readonly floor?: { readonly zoom: number; readonly properties: Drawable['properties'] };
  /** Identity across cells: of points with equal keys on cell borders, one is kept. */
  readonly key: string;
  /** Soundings only: depth in metres, for keeping the shoalest below the compilation scale. */
  readonly thinBy?: number;
  /**
   * Soundings only: shallow end of the surrounding depth area; soundings across a contour do not
   * thin each other.
   */
  readonly thinWith?: number;
}
