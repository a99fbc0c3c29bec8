// PNG files of indexed pixels (ISO/IEC 15948). Own code because it is on the path of every tile: the
// platform does the compression, and what is left is four chunks and their checksums.

import { crc32 } from '../bytes/crc32.ts';
import type { IndexedPixels } from './palette.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const INDEXED_COLOR = 3;

/**
 * @param sizePixels of the square picture
 * @param deflate to a zlib stream (RFC 1950)
 */
export function encodePng(
  { palette, indices }: IndexedPixels,
  sizePixels: number,
  deflate: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): Uint8Array {
  const depth = bitsFor(palette.length / 3);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, sizePixels);
  view.setUint32(4, sizePixels);
  header[8] = depth;
  header[9] = INDEXED_COLOR;
  const rows = packRows(indices, sizePixels, depth);
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

const bitsFor = (colors: number): number =>
  colors <= 2 ? 1 : colors <= 4 ? 2 : colors <= 16 ? 4 : 8;

/** Rows with their filter byte, which is 0: indices have nothing to predict. */
function packRows(indices: Uint8Array, size: number, depth: number): Uint8Array<ArrayBuffer> {
  const rowBytes = (size * depth) / 8;
  const rows = new Uint8Array(size * (rowBytes + 1));
  const perByte = 8 / depth;
  let from = 0;
  for (let y = 0; y < size; y++) {
    const base = y * (rowBytes + 1) + 1;
    if (depth === 8) {
      rows.set(indices.subarray(y * size, (y + 1) * size), base);
      continue;
    }
    for (let at = base; at < base + rowBytes; at++) {
      let byte = 0;
      for (let i = 0; i < perByte; i++) byte = (byte << depth) | indices[from++]!;
      rows[at] = byte;
    }
  }
  return rows;
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
