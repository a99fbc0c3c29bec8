// Stored tiles are gzip, what is packed within them zlib. Unpacking checks them too, and is limited: a
// damaged tile must neither be served nor fill the memory.

import { joinChunks } from './join-chunks.ts';

/** The largest tile that is believed, unpacked. */
const MAX_TILE_BYTES = 32 * 1024 * 1024;

/** @throws TypeError on damaged data, RangeError on data that unpacks to more than a tile can be */
export function gunzip(bytes: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  return unpack(bytes, 'gzip');
}

/** The same for zlib. */
export function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  return unpack(bytes, 'deflate');
}

/** Unpacks it and keeps nothing of it. @throws as `gunzip` does */
export async function checkGzip(bytes: Uint8Array): Promise<void> {
  await unpackInto(bytes, 'gzip', () => undefined);
}

/** Packed as gzip (RFC 1952). */
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

/** @returns how many bytes it was */
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
      throw new RangeError('the tile unpacks to more than a tile can be');
    }
    take(value);
  }
}
