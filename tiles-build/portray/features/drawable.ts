// What portrayal hands to the tiler: features already decided for drawing, still tied to the
// cell's shared edges so that every neighbour is simplified alike.

import type { AreaOfEdges, Chain } from '../../../shared/s57/cell/cell.ts';

export type PropertyValue = string | number | boolean;

type DrawableGeometry =
  /** `whole` points are kept or dropped by their anchor and never cut (symbols, sectors). */
  | { readonly type: 'point'; readonly longitude: number; readonly latitude: number }
  | { readonly type: 'line'; readonly chains: readonly Chain[] }
  | { readonly type: 'area'; readonly polygons: AreaOfEdges };

/** One feature of one source layer of the vector tiles. */
export interface Drawable {
  /** Source layer, e.g. `DEPARE`, `DEPEDGE`, `SOUNDG`. */
  readonly layer: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly geometry: DrawableGeometry;
  /** First tile zoom that holds it (from SCAMIN and latitude); 0 where it is always shown. */
  readonly minZoom: number;
  /** Feature identity, for duplicates on cell borders: points with equal keys are kept once. */
  readonly key: string;
  /** Soundings only: depth in metres, for thinning to the shoalest below the compilation scale. */
  readonly thinBy?: number;
  /** Soundings only: shallow end of the depth area around it, as those either side of a contour stay. */
  readonly thinWith?: number;
}
