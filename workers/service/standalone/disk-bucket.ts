// The chart bucket as a folder: implements the part of R2 that the Worker uses, with byte ranges,
// on the runtime's disk service. Only uploads can be written.

import type { Env } from '../runtime/env.ts';
import { sha256 } from '../runtime/sha256.ts';

/** The part of an R2 object that the Worker uses. */
interface DiskObject {
  readonly size: number;
  readonly etag: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
  readonly body: ReadableStream;
}

interface Wanted {
  readonly range?: { readonly offset: number; readonly length: number };
  readonly onlyIf?: { readonly etagDoesNotMatch?: string };
}

const addressOf = (key: string) =>
  `http://charts/${key.split('/').map(encodeURIComponent).join('/')}`;

/**
 * The operations of a bucket that the Worker uses, on disk services.
 * @param uploads the writable folder of uploads; without it, `put` and `delete` fail
 * @throws Error if the disk cannot be read or written
 */
export function diskBucket(disk: Fetcher, uploads?: Fetcher): Env['TILES'] {
  const get = async (key: string, wanted: Wanted = {}): Promise<DiskObject | object | null> => {
    const { range, onlyIf } = wanted;
    const headers: Record<string, string> =
      range === undefined
        ? {}
        : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
    const answer = await disk.fetch(addressOf(key), { headers });
    if (answer.status === 404) return null;
    if (answer.status === 206) {
      const total = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
      const size = Number(total);
      return objectOf(answer, size, `${size}-${answer.headers.get('last-modified')}`);
    }
    // A range beyond the end of a truncated file: return its current size and no bytes.
    if (answer.status === 416) {
      const total = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? '0';
      return objectOf(new Response(null), Number(total), '');
    }
    if (answer.status !== 200) throw new Error(`The disk answered ${answer.status} for ${key}.`);
    const bytes = await answer.arrayBuffer();
    // Modification times have a resolution of one second, so the ETag is computed from the content.
    const etag = await sha256(bytes);
    if (onlyIf?.etagDoesNotMatch === etag) return { size: bytes.byteLength, etag };
    return objectOf(new Response(bytes), bytes.byteLength, etag);
  };
  const change = async (key: string, init: RequestInit): Promise<void> => {
    if (uploads === undefined) throw new Error(`${key} cannot be written here.`);
    const path = key.slice('chart-uploads/'.length);
    const { ok, status } = await uploads.fetch(`http://uploads/${path}`, init);
    const isGone = init.method === 'DELETE' && status === 404;
    if (!ok && !isGone) throw new Error(`The disk answered ${status} to ${init.method} of ${key}.`);
  };
  const bucket = {
    get,
    put: (key: string, bytes: Uint8Array) =>
      change(key, { method: 'PUT', body: bytes as BodyInit }),
    delete: (key: string) => change(key, { method: 'DELETE' }),
  } satisfies Record<keyof Env['TILES'], unknown>;
  return bucket as unknown as Env['TILES'];
}

const objectOf = (answer: Response, size: number, etag: string): DiskObject => ({
  size,
  etag,
  arrayBuffer: () => answer.arrayBuffer(),
  text: () => answer.text(),
  body: answer.body as ReadableStream,
});
