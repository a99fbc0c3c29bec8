// Where the route archive keeps which squares. Squares lie in sheets, so that a trip takes few reads;
// each square is deflated (zlib) apart, so that few are unpacked.
//
//   sheet := version squares:count { zoom x y length }  { deflated square }
//
// Sheet 0/0/0 holds all squares of zooms 2 and 5. Those of zoom 8 lie in the sheet of their zoom-5
// square; those of zooms 11 and 14 in the deepest sheet above them of zooms 8 to 10: where charts are
// dense, a sheet is parted in four.

import { PbfReader } from 'pbf';
import { IntegerWriter } from '../bytes/integer-writer.ts';
import { ancestor, type TileId } from '../geo/tile.ts';
import type { SeaZoom, SquareId } from './sea.ts';

/** The archive's tileset, as the manifest names it. */
export const ROUTE_TILESET = 'enc-route-v1';

const SHEET_VERSION = 1;

/** All squares of the coarsest zooms. */
export const COARSE_SHEET: TileId = { z: 0, x: 0, y: 0 };
/** Sheets of zoom-8 squares. */
export const MIDDLE_SHEET_ZOOM = 5;
/** Sheets of finer squares, the coarsest and the finest. */
export const FINE_SHEET_ZOOM = 8;
export const LAST_SHEET_ZOOM = 10;

/** Sheets that may hold a square: it is in the first of them that exists. */
export function sheetsFor({ z, x, y }: SquareId): readonly TileId[] {
  const tile = { z, x, y };
  if (z <= MIDDLE_SHEET_ZOOM) return [COARSE_SHEET];
  if (z === FINE_SHEET_ZOOM) return [ancestor(tile, MIDDLE_SHEET_ZOOM)];
  const zooms = LAST_SHEET_ZOOM - FINE_SHEET_ZOOM + 1;
  return Array.from({ length: zooms }, (_, i) => ancestor(tile, LAST_SHEET_ZOOM - i));
}

/** A square as it lies in a sheet. */
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

/** The squares of a sheet; none is copied. @throws RangeError on bytes that are no sheet */
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
