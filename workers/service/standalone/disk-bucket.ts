// The bucket of charts where it is a folder: what the Worker asks of R2, answered from files by the
// runtime's own disk service, with byte ranges.

import { sha256 } from '../runtime/sha256.ts';

/** What the Worker uses of an object. */
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

/** The reading part of a bucket over a disk service. @throws Error where the disk cannot be read */
export function diskBucket(disk: Fetcher): R2Bucket {
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
    // A range beyond the end of a file that was cut: as long as it is now, and no bytes.
    if (answer.status === 416) {
      const total = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? '0';
      return objectOf(new Response(null), Number(total), '');
    }
    if (answer.status !== 200) throw new Error(`The disk answered ${answer.status} for ${key}.`);
    const bytes = await answer.arrayBuffer();
    // The time of a file is told in seconds only, so the content itself is the validator.
    const etag = await sha256(bytes);
    if (onlyIf?.etagDoesNotMatch === etag) return { size: bytes.byteLength, etag };
    return objectOf(new Response(bytes), bytes.byteLength, etag);
  };
  return { get } as unknown as R2Bucket;
}

const objectOf = (answer: Response, size: number, etag: string): DiskObject => ({
  size,
  etag,
  arrayBuffer: () => answer.arrayBuffer(),
  text: () => answer.text(),
  body: answer.body as ReadableStream,
});
