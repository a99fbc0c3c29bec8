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

/**
 * Joins small chunks for a reader that needs time for each.
 * @param take receives chunks of at least `least` bytes, and at the end the rest
 */
export function joiner(least: number, take: (chunk: Uint8Array<ArrayBuffer>) => void) {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const end = () => {
    if (size === 0) return;
    const all = joinChunks(chunks, size);
    chunks = [];
    size = 0;
    take(all);
  };
  const push = (chunk: Uint8Array<ArrayBuffer>) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= least) end();
  };
  return { push, end };
}
