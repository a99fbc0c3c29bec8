// PNG files of indexed pixels (ISO/IEC 15948). Own code because it is on the path of every tile: the
// platform does the compression, and what is left is four chunks and their checksums.

import { crc32 } from '../bytes/crc32.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const INDEXED_COLOR = 3;
/** A level above the usual takes a tenth of a millisecond more, and a hundredth of the bytes off. */
export const DEFLATE_LEVEL = 7;

/** A picture of at most 256 colours. */
export interface IndexedRows {
  /** Of an index: 1, 2, 4 or 8. */
  readonly bits: number;
  /** Red, green, blue by threes. */
  readonly palette: Uint8Array;
  /** Row by row a filter byte, then indices packed into bytes (7.2). */
  readonly rows: Uint8Array<ArrayBuffer>;
}

/**
 * @param sizePixels of the square picture
 * @param deflate to a zlib stream (RFC 1950)
 */
export function encodePng(
  { bits, palette, rows }: IndexedRows,
  sizePixels: number,
  deflate: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, sizePixels);
  view.setUint32(4, sizePixels);
  header[8] = bits;
  header[9] = INDEXED_COLOR;
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflate(rows)),
    chunk('IEND', new Uint8Array(0)),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
