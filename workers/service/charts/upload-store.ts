// Stores the files of uploads in the bucket, in pieces, so that a file of any length needs the memory
// of one piece, and a resumable upload can continue after its last piece.

import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { withinLimit } from '../runtime/time-limit.ts';

/** Length of every piece but the last. */
const PIECE_BYTES = 8 * 2 ** 20;
const WRITE_LIMIT_MS = 30_000;

/** A stored file. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  readonly pieces: number;
}

interface UploadPlace {
  readonly account: string;
  readonly upload: string;
  /** Number of the file in the upload. */
  readonly file: number;
}

/** Key of a piece. Workers join the pieces in their order. */
const pieceKey = ({ account, upload, file }: UploadPlace, piece: number | string): string =>
  `chart-uploads/${account}/${upload}/${file}-${piece}`;

/** Stores a file. @throws ApiError 503 if the bucket does not accept it; errors of `source` */
export async function storeFile(
  env: Env,
  place: UploadPlace,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  let [pieces, bytes] = [0, 0];
  const put = async (piece: Uint8Array) => {
    await putPiece(env, pieceKey(place, pieces), piece);
    pieces++;
    bytes += piece.length;
  };
  for await (const piece of inPieces(source)) await put(piece);
  if (pieces === 0) await put(new Uint8Array());
  return { name, bytes, pieces };
}

/**
 * Stores the next part of a file in pieces with new names, so that a request that was interrupted cannot
 * replace pieces of the one that continues.
 * @param record receives the name and the length of each piece when it is stored
 * @throws ApiError 503 if the bucket does not accept it; errors of `source` after its bytes are stored
 */
export async function storePart(
  env: Env,
  place: UploadPlace,
  source: AsyncIterable<Uint8Array>,
  record: (name: string, bytes: number) => Promise<void>,
): Promise<void> {
  for await (const piece of inPieces(source)) {
    const name = crypto.randomUUID();
    const key = pieceKey(place, name);
    await putPiece(env, key, piece);
    try {
      await record(name, piece.length);
    } catch (error) {
      // Another request has continued the upload, or it has ended: no upload would have the piece.
      const isRefused = error instanceof ApiError && error.status < 500;
      if (isRefused)
        await env.TILES.delete(key).catch((fault: unknown) => logFault('uploads', fault));
      throw error;
    }
  }
}

/**
 * The bytes of a source in pieces. If the source fails, its error follows the bytes before it, unless
 * it is too long: the last piece could then seem to complete a file.
 */
async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; ) {
        if (filled === PIECE_BYTES) {
          yield piece.slice();
          filled = 0;
        }
        const part = chunk.subarray(at, at + PIECE_BYTES - filled);
        piece.set(part, filled);
        at += part.length;
        filled += part.length;
      }
    }
  } catch (error) {
    failure = { error };
  }
  const isTooLong = failure?.error instanceof ApiError && failure.error.status === 413;
  if (filled > 0 && !isTooLong) yield piece.slice(0, filled);
  if (failure !== undefined) throw failure.error;
}

async function putPiece({ TILES }: Env, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await withinLimit(TILES.put(key, bytes), WRITE_LIMIT_MS);
  } catch (error) {
    logFault('uploads', error);
    throw new ApiError('uploads_unavailable', undefined, { headers: { 'retry-after': '10' } });
  }
}
