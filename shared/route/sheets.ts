// Which sheet of the route archive holds which squares. Squares are grouped in sheets, so that a
// trip needs few reads. Each square is deflated (zlib) separately, so that few are inflated.
//
//   sheet := version squares:count { zoom x y length }  { deflated square }
//
// Sheet 0/0/0 holds all squares of zooms 2 and 5. A square of zoom 8 is in the sheet of its zoom-5
// square. A square of zoom 11 or 14 is in the deepest sheet of zooms 8 to 10 above it: where charts
// are dense, a sheet is split into four.

import { PbfReader } from 'pbf';
import { IntegerWriter } from '../bytes/integer-writer.ts';
import { ancestor, type TileId } from '../geo/tile.ts';
import type { SeaZoom, SquareId } from './sea.ts';

/** The tileset name of the archive in the manifest. */
export const ROUTE_TILESET = 'enc-route-v1';

const SHEET_VERSION = 1;

/** All squares of the coarsest zooms. */
export const COARSE_SHEET: TileId = { z: 0, x: 0, y: 0 };
/** Sheets of zoom-8 squares. */
export const MIDDLE_SHEET_ZOOM = 5;
/** Sheets of finer squares, the coarsest and the finest. */
export const FINE_SHEET_ZOOM = 8;
export const LAST_SHEET_ZOOM = 10;

/** Sheets that may hold a square. The square is in the first of them that exists. */
export function sheetsFor({ z, x, y }: SquareId): readonly TileId[] {
  const tile = { z, x, y };
  if (z <= MIDDLE_SHEET_ZOOM) return [COARSE_SHEET];
  if (z === FINE_SHEET_ZOOM) return [ancestor(tile, MIDDLE_SHEET_ZOOM)];
  const zooms = LAST_SHEET_ZOOM - FINE_SHEET_ZOOM + 1;
  return Array.from({ length: zooms }, (_, i) => ancestor(tile, LAST_SHEET_ZOOM - i));
}

/** A square as it is stored in a sheet. */
export interface PackedSquare extends SquareId {
  /** zlib. */
  readonly deflated: Uint8Array;
}

export function encodeSheet(squares: readonly PackedSquare[]): Uint8Array {
  const out = new IntegerWriter();
  out.writeVarint(SHEET_VERSION);
  out.writeVarint(squares.length);
  for (const { z, x, y, deflated } of squares) {
    for (const value of [z, x, y, deflated.length]) out.writeVarint(value);
  }
  for (const { deflated } of squares) {
    out.realloc(deflated.length);
    out.buf.set(deflated, out.pos);
    out.pos += deflated.length;
  }
  return out.finish();
}

/** The squares of a sheet, without copying. @throws RangeError if the bytes are not a sheet */
export function decodeSheet(bytes: Uint8Array): readonly PackedSquare[] {
  const reader = new PbfReader(bytes);
  if (reader.readVarint() !== SHEET_VERSION) throw new RangeError('not a sheet of this version');
  const count = reader.readVarint();
  if (!(count * 4 <= bytes.length)) throw new RangeError('more squares than bytes');
  const heads = Array.from({ length: count }, () => {
    const [z, x, y, length] = [0, 1, 2, 3].map(() => reader.readVarint());
    return { z: z as SeaZoom, x: x!, y: y!, length: length! };
  });
  let at = reader.pos;
  const squares = heads.map(({ z, x, y, length }) => {
    const deflated = bytes.subarray(at, at + length);
    at += length;
    return { z, x, y, deflated };
  });
  if (at !== bytes.length) throw new RangeError('a sheet longer or shorter than it says');
  return squares;
}
