// Checks that vector tiles show dangers, using cells as GDAL reads them and an independent tile reader: near every
// charted danger, and every sounding that SCAMIN allows, a point of its kind that is at least as shoal is shown.

import type { VectorTile } from '@mapbox/vector-tile';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCellWithGdal } from './gdal.ts';
import { isInside, type TileReader } from './tile-geometry.ts';
import { shapeOf } from './wkb.ts';

/** Units of a tile per pixel of a 512-pixel tile. */
const PIXEL = 8;
const TILE_UNITS = 4096;
/** Maximum distance in pixels between a point and the one that represents it. */
const REACH = 24;
/** Scale denominator at zoom 0 on the equator. */
const WORLD_SCALE = 279_541_132;
/** Within this distance of the border of a cell's ground, the chart can show another cell. */
const BORDER_UNITS = 2;
const DANGERS = ['UWTROC', 'OBSTRN', 'WRECKS'];

/** Dangers are shown from this many zooms below the compilation scale, less the rounding of latitudes. */
const BELOW = 1.8;
/** At the zooms of its band a chart shows everything; band 1 may be far below its scale at zoom 0. */
const FIRST_ZOOMS = [Number.POSITIVE_INFINITY, 7, 9, 11, 13, 15];

const zoomAt = (scale: number, latitude: number): number =>
  Math.log2((WORLD_SCALE * Math.cos(latitude)) / scale);

const firstZoomOf = (usageBand: number): number =>
  FIRST_ZOOMS[usageBand - 1] ?? Number.POSITIVE_INFINITY;

type Kind = 'danger' | 'sounding';

interface Charted {
  readonly kind: Kind;
  readonly cell: string;
  /** In the square of Web Mercator, 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** Metres; `undefined` if not charted. */
  readonly depth: number | undefined;
  /** Zoom from which it must be shown or represented: for a danger by scale, for a sounding by SCAMIN. */
  readonly from: number;
}

/** The dangers and soundings of cells. */
export class ShoalJudge {
  readonly #charted: Charted[] = [];
  judged = 0;

  constructor(cells: readonly CellFiles[]) {
    for (const files of cells) {
      const { features, scaleDenominator, usageBand } = readCellWithGdal(files);
      for (const { acronym, attributes, wkb } of features) {
        const isDanger = DANGERS.includes(acronym);
        if (!isDanger && acronym !== 'SOUNDG') continue;
        const shape = shapeOf(wkb);
        if (shape?.kind !== 'POINT') continue;
        for (const [longitude, latitude, depth] of shape.parts.flat() as [
          number,
          number,
          number,
        ][]) {
          const radians = (latitude * Math.PI) / 180;
          const scamin = Number(attributes['SCAMIN'] ?? Number.NaN);
          this.#charted.push({
            kind: isDanger ? 'danger' : 'sounding',
            cell: files.name,
            x: longitude / 360 + 0.5,
            y: 0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI),
            depth: isDanger ? numberOrNone(attributes['VALSOU']) : depth,
            from: isDanger
              ? Math.min(zoomAt(scaleDenominator, radians) - BELOW, firstZoomOf(usageBand))
              : zoomAt(Number.isNaN(scamin) ? scaleDenominator : scamin, radians),
          });
        }
      }
    }
  }

  /** Tiles of a zoom that contain any of the points. */
  tilesAt(z: number): (readonly [x: number, y: number])[] {
    const tiles = new Map<string, readonly [number, number]>();
    for (const { x, y } of this.#charted) {
      const at = [Math.floor(x * 2 ** z), Math.floor(y * 2 ** z)] as const;
      tiles.set(at.join(), at);
    }
    return [...tiles.values()];
  }

  /** Points that a tile should show and does not, as sentences. */
  async failuresOf(tiles: TileReader, z: number, x: number, y: number): Promise<string[]> {
    const tile = await tiles.read(z, x, y);
    if (tile === undefined) return [];
    const ground = groundByCell(tile);
    const shown = { danger: new Shown(), sounding: new Shown() };
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const other = dx === 0 && dy === 0 ? tile : await beside(tiles, z, x + dx, y + dy);
        if (other === undefined) continue;
        const [left, top] = [dx * TILE_UNITS, dy * TILE_UNITS];
        for (const layer of DANGERS) shown.danger.addLayer(other, layer, left, top, z);
        shown.sounding.addLayer(other, 'SOUNDG', left, top, z);
      }
    }
    const failures: string[] = [];
    for (const point of this.#charted) {
      if (point.from > z) continue;
      const at = [
        (point.x * 2 ** z - x) * TILE_UNITS,
        (point.y * 2 ** z - y) * TILE_UNITS,
      ] as const;
      if (at.some((unit) => unit < 0 || unit >= TILE_UNITS)) continue;
      const rings = ground.get(point.cell);
      if (rings === undefined || !isWellInside(at, rings)) continue;
      this.judged++;
      if (shown[point.kind].standsFor(at, point.depth)) continue;
      const place = `${Math.round(at[0])}, ${Math.round(at[1])}`;
      failures.push(
        `${z}/${x}/${y}: ${point.kind} of ${point.depth} m of ${point.cell} at ${place}`,
      );
    }
    return failures;
  }
}

/** A tile; x wraps around the world. `undefined` beyond its north and south. */
async function beside(tiles: TileReader, z: number, x: number, y: number) {
  const size = 2 ** z;
  return y < 0 || y >= size ? undefined : tiles.read(z, (x + size) % size, y);
}

const numberOrNone = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

type Ring = readonly { readonly x: number; readonly y: number }[];

/** Rings of the ground on which each cell is shown in a tile. */
function groundByCell(tile: VectorTile): Map<string, Ring[]> {
  const found = new Map<string, Ring[]>();
  const layer = tile.layers['coverage'];
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer!.feature(i);
    const name = String(feature.properties['cell']);
    found.set(name, [...(found.get(name) ?? []), ...feature.loadGeometry()]);
  }
  return found;
}

function isWellInside([x, y]: readonly [number, number], rings: readonly Ring[]): boolean {
  const by = BORDER_UNITS;
  return [
    [-by, -by],
    [by, -by],
    [-by, by],
    [by, by],
  ].every(([dx, dy]) => isInside(x + dx!, y + dy!, rings));
}

/** Side of a square of points, in units: the maximum distance of a representing point. */
const SQUARE = REACH * PIXEL;

/** Points that tiles show, by position. */
class Shown {
  readonly #squares = new Map<string, { x: number; y: number; depth: number }[]>();

  addLayer(tile: VectorTile, name: string, left: number, top: number, zoom: number): void {
    const layer = tile.layers[name];
    for (let i = 0; i < (layer?.length ?? 0); i++) {
      const feature = layer!.feature(i);
      if (feature.type !== 1) continue;
      const { d, dd, mz, sy } = feature.properties;
      // Points that appear later, and middles of areas without a symbol, represent no others now.
      if (Number(mz ?? 0) > zoom || (name !== 'SOUNDG' && sy === undefined)) continue;
      for (const place of feature.loadGeometry().flat()) {
        const [x, y] = [place.x + left, place.y + top];
        const key = this.#keyOf(x, y, 0, 0);
        const known = this.#squares.get(key);
        const point = { x, y, depth: Number(dd ?? d ?? Number.NEGATIVE_INFINITY) };
        if (known === undefined) this.#squares.set(key, [point]);
        else known.push(point);
      }
    }
  }

  standsFor([x, y]: readonly [number, number], depth: number | undefined): boolean {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const point of this.#squares.get(this.#keyOf(x, y, dx, dy)) ?? []) {
          const isNear = Math.hypot(point.x - x, point.y - y) <= SQUARE;
          if (isNear && (depth === undefined || point.depth <= depth + 0.005)) return true;
        }
      }
    }
    return false;
  }

  #keyOf(x: number, y: number, dx: number, dy: number): string {
    return `${Math.floor(x / SQUARE) + dx} ${Math.floor(y / SQUARE) + dy}`;
  }
}
