// The sea of a build on disk. All sheets are read with the pmtiles reader; a square is decompressed when it
// is first requested.

import { inflateSync } from 'node:zlib';
import { type Entry, PMTiles, tileIdToZxy } from 'pmtiles';
import {
  FINER_SQUARES,
  type Sea,
  type SeaSquare,
  type SeaZoom,
  SQUARE_CELLS,
} from '../../shared/route/sea.ts';
import { decodeSheet, type PackedSquare } from '../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../shared/route/square-codec.ts';
import { fullSquare } from './full-square.ts';
import { fileSource } from './pmtiles-file.ts';
import { wholeArchive } from './whole-archive.ts';

export interface SeaFile extends Sea {
  square(zoom: SeaZoom, x: number, y: number): SeaSquare | undefined;
  /** Every stored square in its compressed form. */
  readonly packed: ReadonlyMap<string, PackedSquare>;
  /** The finest cell at a position in the Mercator unit square. */
  cellAt(x: number, y: number): SeaCell;
}

export interface SeaCell {
  readonly square: SeaSquare;
  /** Index into its planes. */
  readonly index: number;
}

const MAX_OPENED = 1000;

export async function openSeaFile(charts: string): Promise<SeaFile> {
  const packed = new Map<string, PackedSquare>();
  for (const sheet of await sheetsIn(wholeArchive(charts, 'enc-route-v1'))) {
    for (const one of decodeSheet(sheet)) packed.set(nameOf(one.z, one.x, one.y), one);
  }
  return seaOfSquares(packed);
}

/** @param packed compressed squares by zoom/x/y */
export function seaOfSquares(packed: ReadonlyMap<string, PackedSquare>): SeaFile {
  const opened = new Map<string, SeaSquare>();
  const square = (z: number, x: number, y: number): SeaSquare | undefined => {
    const name = nameOf(z, x, y);
    const found = packed.get(name);
    if (found === undefined) return undefined;
    let known = opened.get(name);
    if (known === undefined) {
      const decoded = decodeSquare(new Uint8Array(inflateSync(found.deflated)));
      if (isDamaged(decoded)) throw new Error(`${name}: ${decoded.damaged}`);
      // A decompressed square takes a quarter of a megabyte.
      if (opened.size >= MAX_OPENED) opened.clear();
      opened.set(name, decoded);
      known = decoded;
    }
    return known;
  };

  return {
    packed,
    square,
    cellAt(unwrapped, y) {
      const x = unwrapped - Math.floor(unwrapped);
      let zoom: SeaZoom = 2;
      for (;;) {
        const side = 2 ** zoom;
        const [column, row] = [Math.floor(x * side), Math.floor(y * side)];
        const here = square(zoom, column, row);
        if (here === undefined) throw new Error(`no square ${nameOf(zoom, column, row)}`);
        const within = (value: number, cells: number) => Math.floor((value % 1) * cells);
        const finer =
          within(y * side, FINER_SQUARES) * FINER_SQUARES + within(x * side, FINER_SQUARES);
        if (zoom < 14 && here.hasFiner[finer] === 1) {
          zoom = (zoom + 3) as SeaZoom;
          continue;
        }
        const index =
          within(y * side, SQUARE_CELLS) * SQUARE_CELLS + within(x * side, SQUARE_CELLS);
        return { square: fullSquare(here), index };
      }
    },
  };
}

/** All tiles of an archive, found by its directories. */
async function sheetsIn(path: string): Promise<Uint8Array[]> {
  const source = fileSource(path);
  const archive = new PMTiles(source);
  const header = await archive.getHeader();
  const entriesAt = async (offset: number, length: number): Promise<readonly Entry[]> => {
    const found = await archive.cache.getDirectory(source, offset, length, header);
    const deeper = found.map((entry) =>
      entry.runLength > 0
        ? [entry]
        : entriesAt(header.leafDirectoryOffset + entry.offset, entry.length),
    );
    return (await Promise.all(deeper)).flat();
  };
  const entries = await entriesAt(header.rootDirectoryOffset, header.rootDirectoryLength);
  const sheets: Uint8Array[] = [];
  for (const { tileId } of entries) {
    const tile = await archive.getZxy(...tileIdToZxy(tileId));
    sheets.push(new Uint8Array(tile!.data));
  }
  return sheets;
}

const nameOf = (z: number, x: number, y: number): string => `${z}/${x}/${y}`;
