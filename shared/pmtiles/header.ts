// The header of a PMTiles v3 archive.

import { utf8Bytes } from '../bytes/utf8.ts';
import { HEADER_BYTES } from './directory.ts';

/** West, south, east, north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Initial map position, degrees. */
export interface Center {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

export interface HeaderFields {
  /** Whether directories and metadata are compressed with gzip. Tiles always are. */
  readonly isPacked: boolean;
  readonly rootBytes: number;
  /** Offset and length of each section. */
  readonly metadata: readonly [number, number];
  readonly leaves: readonly [number, number];
  readonly data: readonly [number, number];
  /** Addressed tiles, entries, contents. */
  readonly counts: readonly [number, number, number];
  readonly isVector: boolean;
  readonly zooms: readonly [number, number];
  readonly bounds: Bounds;
  readonly center: Center;
}

/** The 127-byte header, PMTiles v3, section 3. */
export function encodeHeader(fields: HeaderFields): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8Bytes('PMTiles'));
  bytes[7] = 3;
  const numbers = [
    HEADER_BYTES,
    fields.rootBytes,
    ...fields.metadata,
    ...fields.leaves,
    ...fields.data,
    ...fields.counts,
  ];
  numbers.forEach((value, i) => {
    view.setBigUint64(8 + i * 8, BigInt(value), true);
  });
  const [none, gzip] = [1, 2];
  const isClustered = 1;
  const internal = fields.isPacked ? gzip : none;
  bytes.set([isClustered, internal, gzip, fields.isVector ? 1 : 0, ...fields.zooms], 96);
  const { longitude, latitude, zoom } = fields.center;
  const inTenMillionths = (degrees: number) => Math.round(degrees * 1e7);
  fields.bounds.forEach((degrees, i) => {
    view.setInt32(102 + i * 4, inTenMillionths(degrees), true);
  });
  bytes[118] = zoom;
  view.setInt32(119, inTenMillionths(longitude), true);
  view.setInt32(123, inTenMillionths(latitude), true);
  return bytes;
}
