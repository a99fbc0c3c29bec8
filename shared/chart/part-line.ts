// A part of an archive as one line of the manifest.

import type { TileId } from '../geo/tile.ts';

/** One PMTiles file: the tiles of a tileset in one region. Its name is the hash of its content. */
export interface Part {
  /** Tile of the world, or `undefined` for the base: all tiles that are in no region. */
  readonly region: TileId | undefined;
  readonly sha256: string;
  readonly bytes: number;
  /** Addressed tiles, counting each tile of a run. */
  readonly tiles: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Length and CRC-32 of header and directories, the first bytes of the file. */
  readonly headBytes: number;
  readonly headSum: number;
}

const BASE = 'base';

export const PART_LINE = /^(?:base|\d{1,2}\/\d{1,8}\/\d{1,8}) [0-9a-f]{64}(?: \d{1,15}){6}$/;

/** `z/x/y`, or `base`. */
export const regionName = (region: TileId | undefined): string =>
  region === undefined ? BASE : `${region.z}/${region.x}/${region.y}`;

export function partLine(part: Part): string {
  const { region, sha256, bytes, tiles, minZoom, maxZoom, headBytes, headSum } = part;
  const numbers = [bytes, tiles, minZoom, maxZoom, headBytes, headSum];
  return [regionName(region), sha256, ...numbers].join(' ');
}

/** @param line matches `PART_LINE` */
export function readPartLine(line: string): Part {
  const [name = '', sha256 = '', ...numbers] = line.split(' ');
  const [bytes, tiles, minZoom, maxZoom, headBytes, headSum] = numbers.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [z, x, y] = name.split('/').map(Number);
  const region = name === BASE ? undefined : { z: z!, x: x!, y: y! };
  return { region, sha256, bytes, tiles, minZoom, maxZoom, headBytes, headSum };
}

/** Prefix of the keys of all parts, which builds share. */
export const PARTS_PREFIX = 'parts/';

/** Name of a part's file in the bucket and in the folder of a build. */
export const partKey = (sha256: string): string => `${PARTS_PREFIX}${sha256}.pmtiles`;

/** The hash in a part's key; `undefined` for other keys. */
export const hashOfPartKey = (key: string): string | undefined =>
  /^parts\/([0-9a-f]{64})\.pmtiles$/.exec(key)?.[1];
