// Bytes of an open file, all of them or an error.

import { readSync, writeSync } from 'node:fs';

/** The bytes at a place of a file. @throws Error where it ends before */
export function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, position + done);
    if (read === 0) throw new Error(`A file ended ${length - done} bytes early.`);
    done += read;
  }
  return bytes;
}

/** Write all of them, where the file stands. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done);
  }
}

/** The bytes of numbers, as they lie in memory. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
