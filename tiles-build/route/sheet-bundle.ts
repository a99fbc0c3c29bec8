// A sheet's squares while they wait for the rest of the world: encoded, deflated, and as the block of
// the coarser square above. Temporary: these bytes are read by the code that wrote them alone.

import { deflateSync } from 'node:zlib';
import { PbfReader, PbfWriter } from 'pbf';
import { decodeSheet, encodeSheet, type PackedSquare } from '../../shared/route/sheets.ts';
import { type EncodableSquare, encodeSquare } from '../../shared/route/square-codec.ts';
import { buildSheet, type Sheet } from './build-sheet.ts';
import { decodeCoast, joinedCoasts } from './coast-zone.ts';
import { decodeItems } from './item-codec.ts';
import type { Block } from './square-draft.ts';

/** Records of the route packs: items of a sheet, its coastal zone, or what all sheets are like. */
const ITEMS = 0;
const ALL_GROUND = 1;
const COAST = 2;

const tagged = (tag: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of(tag), bytes]);

export const asItems = (bytes: Uint8Array): Uint8Array => tagged(ITEMS, bytes);
export const asCoast = (bytes: Uint8Array): Uint8Array => tagged(COAST, bytes);

/** What a sheet is like of which no more is said: the ground that no cell owns. */
export const GROUND = { ocean: 0, land: 1, coast: 2 } as const;
export type Ground = (typeof GROUND)[keyof typeof GROUND];

/** @param sheets a `GROUND` for each zoom-8 tile, by rows */
export function encodeGround(sheets: Uint8Array): Uint8Array {
  return tagged(ALL_GROUND, sheets);
}

export function decodeGround(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== ALL_GROUND) throw new Error('The background did not say where land is.');
  return bytes.subarray(1);
}

/** Fragments of one sheet, of all its owners, to its bundle. */
export function mergeRoute(fragments: readonly Uint8Array[]): Uint8Array {
  if (fragments[0]![0] === ALL_GROUND) return fragments[0]!;
  return encodeBundle(sheetOf(fragments));
}

/** Whether fragments tell where a coast is near, and not what the ground is. */
export const isCoastAlone = (fragments: readonly Uint8Array[]): boolean =>
  fragments.every((bytes) => bytes[0] === COAST);

/** The sheet that fragments tell of. @throws Error where none tells what its ground is */
export function sheetOf(fragments: readonly Uint8Array[]): Sheet {
  const of = (tag: number) =>
    fragments.filter((bytes) => bytes[0] === tag).map((bytes) => bytes.subarray(1));
  const owners = of(ITEMS).map(decodeItems);
  if (isCoastAlone(fragments)) throw new Error('A coast reaches a sheet that nothing is said of.');
  return buildSheet(owners, joinedCoasts(of(COAST).map(decodeCoast)));
}

/** zlib's default: a twentieth more bytes than 9, in a third of the time. */
const LEVEL = 6;

/** What a square is stored as. */
export function packed(square: EncodableSquare): PackedSquare {
  const { zoom: z, x, y } = square;
  return { z, x, y, deflated: deflateSync(encodeSquare(square), { level: LEVEL }) };
}

export interface Bundle {
  readonly x: number;
  readonly y: number;
  readonly block: Block;
  /** The square of zoom 8 first, where there are any. */
  readonly squares: readonly PackedSquare[];
}

function encodeBundle({ x, y, block, squares }: Sheet): Uint8Array {
  const out = new PbfWriter();
  out.writeVarint(x);
  out.writeVarint(y);
  for (const plane of [block.least, block.most, block.clearance, block.bearing]) {
    out.writeBytes(plane ?? EMPTY);
  }
  const { flags } = block;
  out.writeBytes(flags === undefined ? EMPTY : new Uint8Array(flags.slice().buffer));
  out.writeBytes(encodeSheet(squares.map(packed)));
  return out.finish();
}

const EMPTY = new Uint8Array(0);

export function decodeBundle(bytes: Uint8Array): Bundle {
  const reader = new PbfReader(bytes);
  const x = reader.readVarint();
  const y = reader.readVarint();
  const plane = () => reader.readBytes();
  const [least, most, clearance, bearing, flags] = [plane(), plane(), plane(), plane(), plane()];
  const orNone = (cells: Uint8Array) => (cells.length === 0 ? undefined : cells);
  return {
    x,
    y,
    block: {
      least,
      most,
      clearance: orNone(clearance),
      bearing: orNone(bearing),
      flags: flags.length === 0 ? undefined : new Uint16Array(Uint8Array.from(flags).buffer),
    },
    squares: decodeSheet(reader.readBytes()),
  };
}
