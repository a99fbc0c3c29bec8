// Counts soundings on both sides of the borders between charts: how much of the water with charted soundings
// shows some, on each side. A chart with few soundings of its own does not count as a step.

import type { VectorTile } from '@mapbox/vector-tile';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { nodesOf } from '../../shared/s57/cell/geometry.ts';
import { isInside, type Rings, TILE_UNITS, type TileReader } from './tile-geometry.ts';

/** Side of a square of water: two numbers fit next to each other. */
const SQUARE_PIXELS = 48;
const TILE_PIXELS = 512;
/** Sides with fewer squares are too small to judge. */
const MIN_SQUARES = 12;
/** Tiles are made down to this zoom; deeper zooms enlarge them. */
const DEEPEST = 15;

interface Place {
  readonly cell: string;
  /** In the Mercator square, or in units of a tile. */
  readonly x: number;
  readonly y: number;
}

/** All soundings of cells. */
export function soundingsOf(cells: readonly Cell[]): Place[] {
  return cells.flatMap((cell) =>
    cell.features
      .filter(({ acronym }) => acronym === 'SOUNDG')
      .flatMap((feature) => nodesOf(cell, feature))
      .flatMap(({ positions, depths }) =>
        Array.from(depths ?? [], (_, i) => ({
          cell: cell.header.name,
          x: mercatorX(positions[2 * i]!),
          y: mercatorY(positions[2 * i + 1]!),
        })),
      ),
  );
}

export interface BorderDensity {
  readonly zoom: number;
  /** Names of the cells on both sides. */
  readonly cells: readonly [string, string];
  /** Share of the squares with charted soundings that show some, on both sides. */
  readonly shares: readonly [number, number];
  /** The ratio of both shares; infinite if only one side shows soundings. */
  readonly step: number;
}

/** The part of a cell in a tile, as numbers of squares. */
interface Side {
  readonly cell: string;
  charted: number;
  shown: number;
}

export class BorderDensities {
  readonly #tiles: TileReader;
  readonly #soundings: readonly Place[];

  constructor(tiles: TileReader, soundings: readonly Place[]) {
    this.#tiles = tiles;
    this.#soundings = soundings;
  }

  /** The borders in all tiles of a zoom, which may have a fraction. */
  async at(zoom: number): Promise<BorderDensity[]> {
    const z = Math.min(Math.floor(zoom), DEEPEST);
    const borders = new Map<string, [Side, Side]>();
    for (const [key, charted] of this.#byTile(z)) {
      const [x, y] = key.split(' ').map(Number) as [number, number];
      const tile = await this.#tiles.read(z, x, y);
      if (tile === undefined) continue;
      const sides = sidesOf(tile, zoom, z, charted);
      sides.forEach((first, i) => {
        for (const second of sides.slice(i + 1)) addTo(borders, first, second);
      });
    }
    return [...borders.values()]
      .filter((sides) => sides.every(({ charted }) => charted >= MIN_SQUARES))
      .map(([a, b]) => {
        const shares = [a.shown / a.charted, b.shown / b.charted] as const;
        const [least, most] = [Math.min(...shares), Math.max(...shares)];
        return { zoom, cells: [a.cell, b.cell], shares, step: most === 0 ? 1 : most / least };
      });
  }

  /** Charted soundings by tile, in units of the tile. */
  #byTile(z: number): Map<string, Place[]> {
    const found = new Map<string, Place[]>();
    for (const { cell, ...at } of this.#soundings) {
      const [x, y] = [at.x * 2 ** z, at.y * 2 ** z];
      const key = `${Math.floor(x)} ${Math.floor(y)}`;
      const place = { cell, x: (x % 1) * TILE_UNITS, y: (y % 1) * TILE_UNITS };
      const known = found.get(key);
      if (known === undefined) found.set(key, [place]);
      else known.push(place);
    }
    return found;
  }
}

/** The cells with charted soundings in a tile, by name. */
function sidesOf(tile: VectorTile, zoom: number, z: number, charted: readonly Place[]): Side[] {
  const grounds = groundsOf(tile);
  if (grounds.size < 2) return [];
  const side = (SQUARE_PIXELS * 2 ** (z - zoom) * TILE_UNITS) / TILE_PIXELS;
  const shown = shownIn(tile, zoom);
  const sides: Side[] = [];
  for (const [cell, ground] of grounds) {
    const own = charted.filter((one) => one.cell === cell).map(({ x, y }) => [x, y] as const);
    const all = squaresWith(own, ground, side);
    const some = squaresWith(shown, ground, side);
    const both = [...all].filter((square) => some.has(square));
    if (all.size > 0) sides.push({ cell, charted: all.size, shown: both.length });
  }
  return sides.sort((a, b) => (a.cell < b.cell ? -1 : 1));
}

function addTo(borders: Map<string, [Side, Side]>, first: Side, second: Side): void {
  const key = `${first.cell} ${second.cell}`;
  const known = borders.get(key);
  if (known === undefined) {
    borders.set(key, [{ ...first }, { ...second }]);
    return;
  }
  [first, second].forEach(({ charted, shown }, i) => {
    known[i]!.charted += charted;
    known[i]!.shown += shown;
  });
}

type At = readonly [x: number, y: number];

function groundsOf(tile: VectorTile): Map<string, Rings> {
  const layer = tile.layers['coverage'];
  const found = new Map<string, Rings>();
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer!.feature(i);
    const name = String(feature.properties['cell']);
    found.set(name, [...(found.get(name) ?? []), ...feature.loadGeometry()]);
  }
  return found;
}

function shownIn(tile: VectorTile, zoom: number): At[] {
  const layer = tile.layers['SOUNDG'];
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i))
    .filter(({ properties }) => Number(properties['mz'] ?? 0) <= zoom)
    .flatMap((feature) => feature.loadGeometry().flat())
    .map(({ x, y }) => [x, y] as const);
}

function squaresWith(places: readonly At[], ground: Rings, side: number): Set<string> {
  return new Set(
    places
      .filter(([x, y]) => isInside(x, y, ground))
      .map(([x, y]) => `${Math.floor(x / side)} ${Math.floor(y / side)}`),
  );
}
