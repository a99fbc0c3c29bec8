// Reads the ranges that a region is copied from: the archives of a build and the artwork in the
// static assets.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import { type RegionPart, TILESETS } from '../../../shared/region/plan-region.ts';
import type { Read } from '../../../shared/region/reads.ts';
import { crowdEnv } from '../charts/crowd-catalog.ts';
import type { OpenArchive } from '../charts/open-archive.ts';
import { withArchive } from '../charts/tile-store.ts';
import { styleAssets } from '../http/style-assets.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import type { RequestCost } from '../runtime/request-cost.ts';

/** The build whose archives are read. */
export interface SourceOf {
  readonly env: Env;
  readonly manifest: Manifest;
  /** The build of the crowdsourced depths, if the region file includes them. */
  readonly crowd?: Manifest | undefined;
  readonly cost: RequestCost;
}

/** Runs work on the archive that a part is copied from. @throws ApiError 503 if it cannot be read */
export const withPart = <T>(
  { env, manifest, crowd, cost }: SourceOf,
  part: RegionPart,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> =>
  part === 'crowd' && crowd !== undefined
    ? withArchive(crowdEnv(env), crowd, TILESETS.crowd, cost, work)
    : withArchive(env, manifest, TILESETS[part], cost, work);

/** Bytes of an archive. @throws ApiError 503 if they cannot be read */
export const readArchive = (
  source: SourceOf,
  part: RegionPart,
  from: number,
  length: number,
): Promise<Uint8Array> => withPart(source, part, (archive) => archive.read(from, length));

/** The bytes in the order of the file. @throws ApiError 503 if a source cannot be read */
export async function* bytesOf(
  source: SourceOf,
  reads: readonly Read[],
): AsyncGenerator<Uint8Array> {
  let artwork: Promise<Uint8Array> | undefined;
  const fetched = async (read: Read): Promise<Uint8Array[]> => {
    if (read.source === 'made') return [read.bytes()];
    if (read.source === 'artwork') artwork ??= readArtwork(source.env);
    const bytes =
      read.source === 'artwork'
        ? (await artwork!).subarray(read.from, read.from + read.length)
        : await readArchive(source, read.source, read.from, read.length);
    return read.parts.map(({ offset, length }) => bytes.subarray(offset, offset + length));
  };
  // Read one range ahead while the current one is sent.
  let next = reads[0] === undefined ? undefined : fetched(reads[0]);
  for (let i = 0; next !== undefined; i++) {
    const parts = await next;
    const following = reads[i + 1];
    next = following === undefined ? undefined : fetched(following);
    // If the client disconnects, nothing awaits this read: its error is ignored.
    next?.catch(() => undefined);
    yield* parts;
  }
}

/** Reads whole files: not every host serves ranges of static files. */
async function readArtwork(env: Env): Promise<Uint8Array> {
  const { offline } = await styleAssets(env);
  try {
    const answer = await env.ASSETS?.fetch(`https://assets.invalid${offline.file}`);
    if (answer?.status !== 200)
      throw new Error(`${offline.file} cannot be read: status ${answer?.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length !== offline.bytes)
      throw new Error(`${offline.file} has ${bytes.length} bytes, expected ${offline.bytes}`);
    return bytes;
  } catch (error) {
    logFault('style assets', error);
    throw new ApiError('artwork_unavailable');
  }
}
