// Which part of an archive stores a tile. A region is a tile of the world and contains the tiles below it, from
// `FIRST_REGION_ZOOM` and from its own zoom on. All other tiles are in the base.
//
// Bytes of an archive have addresses: the number of the part times `PART_SPAN`, plus the offset in its file.

import { ancestor, type TileId } from '../geo/tile.ts';
import type { Archive, Manifest } from './manifest.ts';
import { type Part, readPartLine, regionName } from './part-line.ts';

/** The least zoom of the tiles in regions. */
export const FIRST_REGION_ZOOM = 5;

/** No part is larger. There is room for 2 ** 17 parts. */
const PART_SPAN = 2 ** 36;

/** An index that contradicts itself. */
export class BrokenIndex extends Error {}

type Indexed = Pick<Archive, 'tileset' | 'worldZoom' | 'parts' | 'bytes' | 'tiles'>;

/** Kept for each archive, because reading a nation's lines takes milliseconds. */
const known = new WeakMap<Indexed, PartIndex>();

export class PartIndex {
  readonly parts: readonly Part[];
  readonly #worldZoom: number;
  /** Part numbers by column and row, for each zoom of regions. */
  readonly #regions: Map<number, number>[] = [];
  readonly #base: number | undefined;

  private constructor({ tileset, worldZoom, parts, bytes, tiles }: Indexed) {
    this.parts = parts.map(readPartLine);
    this.#worldZoom = worldZoom;
    for (const [number, { region }] of this.parts.entries()) {
      if (region === undefined) this.#base = number;
      else if (this.#numberOf(region) === undefined) {
        this.#regions[region.z] ??= new Map();
        this.#regions[region.z]!.set(cellOf(region), number);
      } else throw new BrokenIndex(`${tileset} has two parts for ${regionName(region)}`);
    }
    const sum = (of: (part: Part) => number) => this.parts.reduce((all, part) => all + of(part), 0);
    if (sum((part) => part.tiles) !== tiles || sum((part) => part.bytes) !== bytes) {
      throw new BrokenIndex(`the parts of ${tileset} are incomplete`);
    }
  }

  /** @throws BrokenIndex */
  static of(archive: Indexed): PartIndex {
    const index = known.get(archive) ?? new PartIndex(archive);
    known.set(archive, index);
    return index;
  }

  /** Number of the part that stores a tile, if it is stored; `undefined` if nothing is stored there. */
  partOf({ z, x, y }: TileId): number | undefined {
    const zoom = z - this.#worldZoom;
    if (zoom < FIRST_REGION_ZOOM) return this.#base;
    const side = 2 ** zoom;
    return this.#numberOf({ z: zoom, x: x % side, y: y % side }) ?? this.#base;
  }

  /** The part of the region that contains a tile of the world. */
  #numberOf(tile: TileId): number | undefined {
    for (let zoom = Math.min(tile.z, this.#regions.length - 1); zoom >= 0; zoom--) {
      const found = this.#regions[zoom]?.get(cellOf(ancestor(tile, zoom)));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** All parts of a build. @throws BrokenIndex */
export const partsOf = ({ archives }: Pick<Manifest, 'archives'>): readonly Part[] =>
  archives.flatMap((archive) => PartIndex.of(archive).parts);

const cellOf = ({ z, x, y }: TileId): number => y * 2 ** z + x;

export const addressOf = (part: number, offset: number): number => part * PART_SPAN + offset;

export const placeOf = (address: number): { readonly part: number; readonly offset: number } => ({
  part: Math.floor(address / PART_SPAN),
  offset: address % PART_SPAN,
});
