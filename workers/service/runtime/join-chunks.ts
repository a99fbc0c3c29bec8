/**
 * Concatenates the chunks of a stream.
 * @param size total bytes of all chunks
 * @returns the chunk itself if there is only one
 */
export function joinChunks(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  size: number,
): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
