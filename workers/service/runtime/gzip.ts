// Decompression of stored tiles (gzip) and of the data within them (zlib). It verifies the checksum
// and limits the size: a damaged tile must neither be served nor exhaust memory.

import { inflateSync } from 'node:zlib';
import { joinChunks } from './join-chunks.ts';

/** Maximum decompressed size. */
const MAX_TILE_BYTES = 32 * 1024 * 1024;

/** @throws TypeError for damaged data, RangeError if it decompresses to more than 32 MiB */
export async function gunzip(bytes: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const size = await unpackInto(bytes, (chunk) => chunks.push(chunk));
  return joinChunks(chunks, size);
}

/**
 * Decompresses zlib data. Synchronous: a request for a route has a hundred squares, and setting up a
 * DecompressionStream for one takes longer than decompressing it.
 * @throws Error for damaged data, RangeError if it decompresses to more than 32 MiB
 */
export function inflate(bytes: Uint8Array): Uint8Array {
  return inflateSync(bytes, { maxOutputLength: MAX_TILE_BYTES });
}

/** Checks gzip data without keeping the result. @throws the same errors as `gunzip` */
export async function checkGzip(bytes: Uint8Array): Promise<void> {
  await unpackInto(bytes, () => undefined);
}

/** Compresses as gzip (RFC 1952). */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(bytes as BodyInit).body!.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @returns the decompressed size */
async function unpackInto(
  bytes: Uint8Array | ArrayBuffer,
  take: (chunk: Uint8Array<ArrayBuffer>) => void,
): Promise<number> {
  const stream = new Response(bytes as BodyInit).body!.pipeThrough(new DecompressionStream('gzip'));
  let size = 0;
  const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size;
    size += value.length;
    if (size > MAX_TILE_BYTES) {
      await reader.cancel();
      throw new RangeError(`the tile decompresses to more than ${MAX_TILE_BYTES} bytes`);
    }
    take(value);
  }
}
