// Stores the files of uploads in the bucket, in pieces, so that a file of any length needs the memory
// of one piece, and a broken upload can continue after its last piece.

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
const pieceKey = ({ account, upload, file }: UploadPlace, piece: number): string =>
  `chart-uploads/${account}/${upload}/${file}-${piece}`;

/** Stores a file. @throws ApiError 503 if the bucket does not accept it; errors of `source` */
export async function storeFile(
  env: Env,
  place: UploadPlace,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const piece = new Uint8Array(PIECE_BYTES);
  let [filled, pieces, bytes] = [0, 0, 0];
  const flush = async () => {
    await putPiece(env, pieceKey(place, pieces), piece.slice(0, filled));
    pieces++;
    filled = 0;
  };
  for await (const chunk of source) {
    bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - filled);
      piece.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled === PIECE_BYTES) await flush();
    }
  }
  if (filled > 0 || pieces === 0) await flush();
  return { name, bytes, pieces };
}

async function putPiece({ TILES }: Env, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await withinLimit(TILES.put(key, bytes), WRITE_LIMIT_MS);
  } catch (error) {
    logFault('uploads', error);
    throw new ApiError('uploads_unavailable', undefined, { headers: { 'retry-after': '10' } });
  }
}
