// The squares of a sheet until the rest of the world is ready: encoded and deflated. There is a
// bundle for each square of zoom 11 and one for the sheet's own square, with its block of the
// coarser square above. The format is temporary: only the code that wrote the bytes reads them.

import { constants, deflateSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { IntegerWriter } from '../../shared/bytes/integer-writer.ts';
import type { SeaSquare } from '../../shared/route/sea.ts';
import { decodeSheet, encodeSheet, type PackedSquare } from '../../shared/route/sheets.ts';
import { encodeSquare } from '../../shared/route/square-codec.ts';
import type { Family } from './build-sheet.ts';
import { BLOCK_COUNT, type Block } from './square-draft.ts';

/** Record types of the packs: items of a sheet, its coastal zone, or the ground of all sheets. */
export const ITEMS = 0;
export const ALL_GROUND = 1;
export const COAST = 2;

const tagged = (tag: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of(tag), bytes]);

export const asItems = (bytes: Uint8Array): Uint8Array => tagged(ITEMS, bytes);
export const asCoast = (bytes: Uint8Array): Uint8Array => tagged(COAST, bytes);

/** The content of a sheet without other data: the ground that no cell owns. */
export const GROUND = { ocean: 0, land: 1, coast: 2 } as const;
export type Ground = (typeof GROUND)[keyof typeof GROUND];

/** @param sheets a `GROUND` for each zoom-8 tile, by rows */
export function encodeGround(sheets: Uint8Array): Uint8Array {
  return tagged(ALL_GROUND, sheets);
}

export function decodeGround(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== ALL_GROUND)
    throw new Error('The first record of the parts is not the ground of the background.');
  return bytes.subarray(1);
}

/**
 * Most bytes of coarse squares are runs of zeros: searching for runs alone takes a third of the time and
 * no more bytes. Finer squares would be a seventh larger.
 */
const RUNS = { strategy: constants.Z_RLE };
const LAST_ZOOM_OF_RUNS = 8;

/** Converts a square to its stored form. */
export function packed(square: SeaSquare): PackedSquare {
  const { zoom: z, x, y } = square;
  const options = z <= LAST_ZOOM_OF_RUNS ? RUNS : {};
  return { z, x, y, deflated: deflateSync(encodeSquare(square), options) };
}

/** A square of zoom 11 with its finer squares, or the sheet's own square. */
export interface Bundle extends Family<PackedSquare> {
  /** The sheet's coordinates. */
  readonly x: number;
  readonly y: number;
  /** Of everything that a square of zoom 11 is made from; empty in the bundle of the sheet's own square. */
  readonly digest: string;
}

/** Zoom of the squares that have a bundle each. */
export const MIDDLE_SQUARE_ZOOM = 11;

export function encodeBundle({ x, y, digest, block, squares }: Bundle): Uint8Array {
  const out = new IntegerWriter();
  out.writeVarint(x);
  out.writeVarint(y);
  out.writeString(digest);
  for (const plane of planesOf(block)) writeRuns(out, plane);
  out.writeBytes(encodeSheet(squares));
  return out.finish();
}

const planesOf = ({ least, most, clearance, bearing, flags }: Block) => [
  least,
  most,
  clearance,
  bearing,
  flags,
];

/** The number of runs of equal values, then each value and its count. */
function writeRuns(out: IntegerWriter, plane: Uint8Array | Uint16Array | undefined): void {
  const runs: number[] = [];
  for (let at = 0, end = 0; plane !== undefined && at < plane.length; at = end) {
    while (plane[end] === plane[at]) end++;
    runs.push(plane[at]!, end - at);
  }
  out.writeVarint(runs.length / 2);
  for (const value of runs) out.writeVarint(value);
}

function readRuns<T extends Uint8Array | Uint16Array>(reader: PbfReader, plane: T): T | undefined {
  const count = reader.readVarint();
  for (let i = 0, at = 0; i < count; i++) {
    const value = reader.readVarint();
    const end = at + reader.readVarint();
    plane.fill(value, at, end);
    at = end;
  }
  return count === 0 ? undefined : plane;
}

export function decodeBundle(bytes: Uint8Array): Bundle {
  const reader = new PbfReader(bytes);
  const x = reader.readVarint();
  const y = reader.readVarint();
  const digest = reader.readString();
  const plane = () => readRuns(reader, new Uint8Array(BLOCK_COUNT));
  const [least, most, clearance, bearing] = [plane(), plane(), plane(), plane()];
  const flags = readRuns(reader, new Uint16Array(BLOCK_COUNT));
  const block = { least: least!, most: most!, clearance, bearing, flags };
  return { x, y, digest, block, squares: decodeSheet(reader.readBytes()) };
}
