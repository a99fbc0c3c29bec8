// The parts of archives: ranges of their bytes, and their heads (header and directories). Heads and
// decompressed directories are cached with one limit for all parts. An entry needs fifty times its
// compressed size, so the directories of a country's charts would fill an isolate.

import { bytesToHeader, Compression, type Entry, type Header } from 'pmtiles';
import { crc32 } from '../../../shared/bytes/crc32.ts';
import { type Part, partKey } from '../../../shared/chart/part-line.ts';
import { decodeDirectory, HEADER_BYTES } from '../../../shared/pmtiles/directory.ts';
import type { Env } from '../runtime/env.ts';
import { gunzip } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { readRange } from './chart-reads.ts';

const BYTES_AN_ENTRY = 100;
const OBJECT_BYTES = 300;
/** Fraction of the memory for heads; the rest is for directories. */
const HEADS_SHARE = 0.25;

/** An archive does not match the manifest. */
export class BrokenArchive extends Error {}

export interface PartHead {
  readonly part: Part;
  readonly header: Header;
  readonly bytes: Uint8Array;
}

/** Cache: heads by the hash of their parts. */
const heads = boundedCache<PartHead>('directories', {
  sizeOf: ({ bytes }) => bytes.length + OBJECT_BYTES,
  mostOfOne: 1,
  share: HEADS_SHARE,
});

/** Cache: directories by the hash of their parts and their offset. */
const directories = boundedCache<readonly Entry[]>('directories', {
  sizeOf: ({ length }) => OBJECT_BYTES + length * BYTES_AN_ENTRY,
  share: 1 - HEADS_SHARE,
});

const directoryKey = ({ sha256 }: Part, offset: number): string => `${sha256}@${offset}`;
const edgeKeyOf = ({ sha256 }: Part) => `https://charts.invalid/heads/${sha256}`;

export const heldHead = (part: Part): PartHead | undefined => heads.get(part.sha256);

/**
 * The head of a part: from the manifest, the edge cache or the bucket.
 * @param inManifest base64, if the manifest contains it
 * @throws BrokenArchive if it differs from the manifest
 */
export async function openHead(
  env: Env,
  part: Part,
  inManifest: string | undefined,
  cost: RequestCost,
): Promise<PartHead> {
  const bytes =
    inManifest === undefined
      ? await fetchHead(env, part, cost)
      : Uint8Array.from(atob(inManifest), (letter) => letter.charCodeAt(0));
  // Only the header decides which tiles exist, so it must not be damaged.
  if (bytes.length !== part.headBytes || crc32(bytes) !== part.headSum) {
    throw new BrokenArchive(`the head of ${partKey(part.sha256)} contradicts the manifest`);
  }
  const head = { part, header: headerOf(part, bytes), bytes };
  heads.set(part.sha256, head);
  return head;
}

function headerOf(part: Part, bytes: Uint8Array): Header {
  const header = bytesToHeader(bytes.slice(0, HEADER_BYTES).buffer as ArrayBuffer);
  const isSound =
    header.specVersion === 3 &&
    header.internalCompression === Compression.Gzip &&
    header.tileCompression === Compression.Gzip &&
    header.minZoom === part.minZoom &&
    header.maxZoom === part.maxZoom &&
    header.numAddressedTiles === part.tiles &&
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0) === part.headBytes &&
    header.tileDataOffset + (header.tileDataLength ?? 0) <= part.bytes;
  if (!isSound) throw new BrokenArchive(`the header of ${part.sha256} contradicts the manifest`);
  return header;
}

/** All isolates of a data center share heads in the edge cache. */
async function fetchHead(env: Env, part: Part, cost: RequestCost): Promise<Uint8Array> {
  const hit = await caches.default.match(edgeKeyOf(part)).catch(() => undefined);
  const known = await hit?.arrayBuffer();
  if (known?.byteLength === part.headBytes) return new Uint8Array(known);
  const read = await readPart(env, part, 0, part.headBytes, cost);
  const headers = { 'cache-control': 'public, max-age=86400' };
  cost.defer(
    caches.default.put(edgeKeyOf(part), new Response(read, { headers })).catch(() => undefined),
  );
  return read;
}

/** The directory at an offset, if it is in memory. */
export const heldDirectory = ({ part }: PartHead, offset: number): readonly Entry[] | undefined =>
  directories.get(directoryKey(part, offset));

export async function openDirectory(
  { part, bytes }: PartHead,
  offset: number,
  length: number,
): Promise<readonly Entry[]> {
  const entries = decodeDirectory(await gunzip(bytes.subarray(offset, offset + length)));
  directories.set(directoryKey(part, offset), entries);
  return entries;
}

/** Reads directories of a part, from memory if they are there. */
export const directoriesOf =
  (head: PartHead) =>
  async (offset: number, length: number): Promise<readonly Entry[]> =>
    heldDirectory(head, offset) ?? openDirectory(head, offset, length);

/** Discards cached data of a part, here and in the edge cache, after it proved damaged. */
export function forgetPart(part: Part, cost: RequestCost): void {
  heads.delete(part.sha256);
  for (const key of [...directories.keys()]) {
    if (key.startsWith(part.sha256)) directories.delete(key);
  }
  cost.defer(caches.default.delete(edgeKeyOf(part)).catch(() => undefined));
}

/** @throws BrokenArchive if the part is missing or has another length */
export async function readPart(
  env: Env,
  part: Part,
  offset: number,
  length: number,
  cost: RequestCost,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = partKey(part.sha256);
  const found = await readRange(env, { key, offset, length }, cost);
  if (found === undefined) throw new BrokenArchive(`${key} is missing`);
  const { size, data } = found;
  if (size !== part.bytes) {
    throw new BrokenArchive(`${key} has ${size} bytes, not ${part.bytes}`);
  }
  if (data.byteLength !== length) {
    throw new BrokenArchive(`${key} gave ${data.byteLength} bytes, not ${length}`);
  }
  return new Uint8Array(data);
}
