// Reads and writes complete byte ranges of open files.

import { readSync, writeSync } from 'node:fs';

/** Read exactly `length` bytes. @throws Error if the file ends before */
export function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let bytesRead = 0; bytesRead < length; ) {
    const read = readSync(file, bytes, bytesRead, length - bytesRead, position + bytesRead);
    if (read === 0)
      throw new Error(`Unexpected end of file: ${length - bytesRead} bytes are missing.`);
    bytesRead += read;
  }
  return bytes;
}

/** Write all bytes at the current file position. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let bytesWritten = 0; bytesWritten < bytes.length; ) {
    bytesWritten += writeSync(file, bytes, bytesWritten, bytes.length - bytesWritten);
  }
}

/** The bytes of an array of numbers, without a copy. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
