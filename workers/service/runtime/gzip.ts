// Decompression of stored tiles (gzip) and of the data within them (zlib). It verifies the checksum
// and limits the size: a damaged tile must neither be served nor exhaust memory.

import { joinChunks } from './join-chunks.ts';

/** Maximum decompressed size. */
const MAX_TILE_BYTES = 32 * 1024 * 1024;

/** @throws TypeError for damaged data, RangeError if it decompresses to more than 32 MiB */
export function gunzip(bytes: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  return unpack(bytes, 'gzip');
}

/** Decompresses zlib data. @throws the same errors as `gunzip` */
export function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  return unpack(bytes, 'deflate');
}

/** Checks gzip data without keeping the result. @throws the same errors as `gunzip` */
export async function checkGzip(bytes: Uint8Array): Promise<void> {
  await unpackInto(bytes, 'gzip', () => undefined);
}

/** Compresses as gzip (RFC 1952). */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(bytes as BodyInit).body!.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpack(
  bytes: Uint8Array | ArrayBuffer,
  format: 'gzip' | 'deflate',
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const size = await unpackInto(bytes, format, (chunk) => chunks.push(chunk));
  return joinChunks(chunks, size);
}

/** @returns the decompressed size */
async function unpackInto(
  bytes: Uint8Array | ArrayBuffer,
  format: 'gzip' | 'deflate',
  take: (chunk: Uint8Array<ArrayBuffer>) => void,
): Promise<number> {
  const stream = new Response(bytes as BodyInit).body!.pipeThrough(new DecompressionStream(format));
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
