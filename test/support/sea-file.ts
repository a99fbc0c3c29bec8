// The sea of a build on disk, all of it at once: its sheets by the pmtiles reader, its squares
// unpacked when they are asked for.

import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { PMTiles } from 'pmtiles';
import {
  FINER_SQUARES,
  type Sea,
  type SeaSquare,
  type SeaZoom,
  SQUARE_CELLS,
} from '../../shared/route/sea.ts';
import { decodeSheet, type PackedSquare, sheetsFor } from '../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../shared/route/square-codec.ts';
import { fileSource } from './pmtiles-file.ts';

export interface SeaFile extends Sea {
  /** Every stored square as it is packed. */
  readonly packed: ReadonlyMap<string, PackedSquare>;
  /** The finest cell of a place of the Mercator unit square. */
  cellAt(x: number, y: number): SeaCell;
}

export interface SeaCell {
  readonly square: SeaSquare;
  /** Index into its planes. */
  readonly index: number;
}

export async function openSeaFile(charts: string): Promise<SeaFile> {
  const archive = new PMTiles(fileSource(join(charts, 'enc-route-v1.pmtiles')));
  const packed = new Map<string, PackedSquare>();
  const opened = new Map<string, SeaSquare>();
  const add = async (z: number, x: number, y: number): Promise<readonly PackedSquare[]> => {
    const sheet = await archive.getZxy(z, x, y);
    const squares = sheet === undefined ? [] : decodeSheet(new Uint8Array(sheet.data));
    for (const square of squares) packed.set(nameOf(square.z, square.x, square.y), square);
    return squares;
  };
  const square = (z: number, x: number, y: number): SeaSquare | undefined => {
    const name = nameOf(z, x, y);
    const found = packed.get(name);
    if (found === undefined) return undefined;
    let known = opened.get(name);
    if (known === undefined) {
      const decoded = decodeSquare(new Uint8Array(inflateSync(found.deflated)));
      if (isDamaged(decoded)) throw new Error(`${name}: ${decoded.damaged}`);
      opened.set(name, decoded);
      known = decoded;
    }
    return known;
  };

  for (const { z, x, y } of await add(0, 0, 0)) if (z === 5) await add(5, x, y);
  const eights = [...packed.values()].filter(({ z }) => z === 8);
  for (const { x, y } of eights) {
    const { hasFiner } = square(8, x, y)!;
    opened.delete(nameOf(8, x, y));
    if (!hasFiner.includes(1)) continue;
    const sheets = new Set<string>();
    hasFiner.forEach((has, i) => {
      if (has === 0) return;
      const id = { z: 11 as const, x: 8 * x + (i % 8), y: 8 * y + Math.floor(i / 8) };
      for (const tile of sheetsFor(id)) sheets.add(`${tile.z} ${tile.x} ${tile.y}`);
    });
    for (const sheet of sheets)
      await add(...(sheet.split(' ').map(Number) as [number, number, number]));
  }
  return {
    packed,
    square,
    cellAt(x, y) {
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
        return { square: here, index };
      }
    },
  };
}

const nameOf = (z: number, x: number, y: number): string => `${z}/${x}/${y}`;
