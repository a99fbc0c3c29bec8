// The data tiles of some cells, made by the build and cut by the Worker's code, without archives.

import { gzipSync } from 'node:zlib';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import { clipCollection, type FeatureCollection } from '../../shared/chart/clip-geojson.ts';
import { ancestor, type TileId } from '../../shared/geo/tile.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import type { Drawable } from '../../tiles-build/portray/features/drawable.ts';
import { portrayCell } from '../../tiles-build/portray/portray-cell.ts';
import { type Clipper, loadClipper } from '../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../tiles-build/quilt/coverage.ts';
import { BACKGROUND, computeOwnership, type Ownership } from '../../tiles-build/quilt/ownership.ts';
import type { Fragment } from '../../tiles-build/slice/fragment.ts';
import { mergeRaw } from '../../tiles-build/slice/merge-raw.ts';
import { ownerOf } from '../../tiles-build/slice/owner.ts';
import { sliceRaw } from '../../tiles-build/slice/slice-raw.ts';
import { mergeShoreline, sliceShoreline } from '../../tiles-build/slice/slice-shoreline.ts';

/** A cell as read, with the files of the updates that were applied. */
export interface ReadFiles {
  readonly cell: Cell;
  readonly files: CellFiles;
}

/** Cells below some folders. */
export async function readCells(folders: readonly string[]): Promise<ReadFiles[]> {
  const { cells } = await findCells(folders);
  const read: ReadFiles[] = [];
  for (const source of cells) {
    const files = await loadCell(source);
    const { cell } = readCell(files);
    if (cell === undefined) continue;
    const updates = files.updates.filter(
      ({ name }) => Number(name.slice(-3)) <= cell.header.update,
    );
    read.push({ cell, files: { ...files, updates } });
  }
  return read;
}

export class DataTiles {
  readonly #parts = new Map<number, Uint8Array[]>();
  readonly #merge: (parts: Uint8Array[], zoom: number) => Uint8Array;
  /** A tile is merged when it is requested, because tests use few of the tiles. */
  readonly #merged = new Map<number, Uint8Array>();

  private constructor(
    fragments: Iterable<Fragment>,
    merge: (parts: Uint8Array[], zoom: number) => Uint8Array,
  ) {
    this.#merge = merge;
    for (const { tileId, bytes } of fragments) {
      const list = this.#parts.get(tileId);
      if (list === undefined) this.#parts.set(tileId, [bytes]);
      else list.push(bytes);
    }
  }

  #tile({ z, x, y }: TileId): Uint8Array | undefined {
    const id = zxyToTileId(z, x, y);
    const parts = this.#parts.get(id);
    if (parts === undefined) return undefined;
    const tile = this.#merged.get(id) ?? this.#merge(parts, z);
    this.#merged.set(id, tile);
    return tile;
  }

  /** GeoJSON tiles. @param bytes maximum size of a tile; default: the limit of builds */
  static async raw(cells: readonly Cell[], bytes?: number): Promise<DataTiles> {
    const { clipper, owners } = await quilted(cells);
    const fragments = cells.flatMap((cell) =>
      sliceRaw(ownerOf(cell), cell, owners.get(cell.header.name)!, clipper),
    );
    return new DataTiles(
      fragments,
      (parts, zoom) => mergeRaw(parts, { zoom, ...(bytes !== undefined && { bytes }) }).bytes,
    );
  }

  /** Shoreline tiles over a background of the given drawables. */
  static async shore(cells: readonly Cell[], background: readonly Drawable[]): Promise<DataTiles> {
    const { clipper, owners } = await quilted(cells);
    const fragments = [
      ...sliceShoreline(background, owners.get(BACKGROUND)!, clipper),
      ...cells.flatMap((cell) => [
        ...sliceShoreline(portrayCell(cell), owners.get(cell.header.name)!, clipper),
      ]),
    ];
    return new DataTiles(fragments, (parts) => mergeShoreline(parts, clipper));
  }

  /** The tile that the Worker returns: stored, or cut from its deepest stored ancestor. */
  read(tile: TileId): FeatureCollection | undefined {
    for (let z = tile.z; z >= 0; z--) {
      const bytes = this.#tile(ancestor(tile, z));
      if (bytes === undefined) continue;
      const found = JSON.parse(new TextDecoder().decode(bytes)) as FeatureCollection;
      return z === tile.z ? found : clipCollection(found, tile, ancestor(tile, z));
    }
    return undefined;
  }

  /** Zoom of the tile that the answer is cut from. */
  storedZoom(tile: TileId): number | undefined {
    for (let z = tile.z; z >= 0; z--) {
      const from = ancestor(tile, z);
      if (this.#parts.has(zxyToTileId(from.z, from.x, from.y))) return z;
    }
    return undefined;
  }

  /** The stored tiles of a zoom. */
  storedAt(zoom: number): TileId[] {
    return [...this.#parts.keys()].flatMap((id) => {
      const [z, x, y] = tileIdToZxy(id);
      return z === zoom ? [{ z, x, y }] : [];
    });
  }

  /** Compressed size of a stored tile. */
  packedBytes(tile: TileId): number {
    return gzipSync(this.#tile(tile)!).length;
  }
}

async function quilted(
  cells: readonly Cell[],
): Promise<{ readonly clipper: Clipper; readonly owners: ReadonlyMap<string, Ownership> }> {
  const clipper = await loadClipper();
  return { clipper, owners: computeOwnership(cells.map(coverageOf), clipper) };
}
