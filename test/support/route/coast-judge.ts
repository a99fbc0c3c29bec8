// The distance of a position from land, as GDAL reads it from charts and from the background files: by
// geodesics to points along the shore. It uses no code of Leadline for reading charts or painting.

import { geodesicMeters } from '../../../shared/geo/geodesic.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { polygonsOf } from '../../../tiles-build/background/geojson.ts';
import type { GdalFeature } from '../gdal.ts';
import { shapeOf } from '../wkb.ts';

type XY = readonly [longitude: number, latitude: number];
type Box = readonly [west: number, south: number, east: number, north: number];

/** Degrees between neighbouring points along a shore: a hundred metres. */
const STEP = 0.001;
/** The size in degrees of the boxes that group shores. */
const BOX = 0.25;

export class CoastJudge {
  readonly #places = new Map<string, XY[]>();

  /** A line or ring of a shore. */
  add(path: readonly XY[]): void {
    for (const [i, [x, y]] of path.entries()) {
      const [bx, by] = path[i + 1] ?? [x, y];
      const pieces = Math.max(1, Math.ceil(Math.hypot(bx - x, by - y) / STEP));
      for (let k = 0; k < pieces; k++) {
        const place: XY = [x + ((bx - x) * k) / pieces, y + ((by - y) * k) / pieces];
        const key = keyOf(place[0], place[1]);
        const list = this.#places.get(key);
        if (list === undefined) this.#places.set(key, [place]);
        else list.push(place);
      }
    }
  }

  addCharted(features: readonly GdalFeature[]): void {
    for (const { acronym, wkb } of features) {
      if (acronym !== 'LNDARE') continue;
      const geometry = shapeOf(wkb);
      if (geometry === undefined) continue;
      if (geometry.kind === 'POINT')
        for (const at of geometry.parts.flat()) this.add([at as never]);
      else for (const path of geometry.parts) this.add(path as unknown as readonly XY[]);
    }
  }

  /** The built-in land around a box. */
  addBackground([west, south, east, north]: Box): void {
    const layers = readBackground(findBackground(undefined));
    const features = layers.flatMap((one) => (one.layer === 'bg_land' ? one.features : []));
    for (const { geometry } of features) {
      for (const ring of polygonsOf(geometry).flat() as unknown as readonly XY[][]) {
        const near = ring.filter(
          ([x, y]) => x > west - 1 && x < east + 1 && y > south - 1 && y < north + 1,
        );
        if (near.length > 0) this.add(near);
      }
    }
  }

  /** Metres to the nearest shore within half a degree; infinity if no shore is that near. */
  metersFromLand([x, y]: XY): number {
    let least = Number.POSITIVE_INFINITY;
    const reach = Math.ceil(0.25 / BOX / Math.cos((y * Math.PI) / 180)) + 1;
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        for (const [px, py] of this.#places.get(keyOf(x + dx * BOX, y + dy * BOX)) ?? []) {
          const rough = Math.hypot((px - x) * Math.cos((y * Math.PI) / 180), py - y) * 111_000;
          if (rough > least + 500) continue;
          least = Math.min(least, geodesicMeters(x, y, px, py));
        }
      }
    }
    return least;
  }
}

/** Boxes wrap around the world. */
function keyOf(x: number, y: number): string {
  const columns = 360 / BOX;
  return `${((Math.floor(x / BOX) % columns) + columns) % columns} ${Math.floor(y / BOX)}`;
}
