// Soundings as bytes, as the database stores them: for each sounding its time in epoch milliseconds (64-bit integer),
// then latitude and longitude in degrees and depth in metres (doubles). All are big-endian, as PostgreSQL reads them.

import { type Soundings, soundingColumns } from './soundings.ts';

/** Bytes per sounding. */
export const SOUNDING_BYTES = 32;

export function packSoundings({
  count,
  latitudes,
  longitudes,
  depths,
  times,
}: Soundings): Uint8Array {
  const bytes = new Uint8Array(count * SOUNDING_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    const at = i * SOUNDING_BYTES;
    view.setUint32(at, Math.floor(times[i]! / 0x1_0000_0000));
    view.setUint32(at + 4, times[i]! >>> 0);
    view.setFloat64(at + 8, latitudes[i]!);
    view.setFloat64(at + 16, longitudes[i]!);
    view.setFloat64(at + 24, depths[i]!);
  }
  return bytes;
}

/** @throws RangeError if the bytes end within a sounding */
export function unpackSoundings(bytes: Uint8Array): Soundings {
  if (bytes.length % SOUNDING_BYTES !== 0)
    throw new RangeError('Packed soundings must have a multiple of 32 bytes.');
  const soundings = soundingColumns(bytes.length / SOUNDING_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < soundings.count; i++) {
    const at = i * SOUNDING_BYTES;
    soundings.times[i] = view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
    soundings.latitudes[i] = view.getFloat64(at + 8);
    soundings.longitudes[i] = view.getFloat64(at + 16);
    soundings.depths[i] = view.getFloat64(at + 24);
  }
  return soundings;
}
