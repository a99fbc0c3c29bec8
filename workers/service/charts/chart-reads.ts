// Reads ranges of parts: from the bucket, or through a Worker whose responses Cloudflare caches
// (Workers Caching). The service calls that Worker through the binding CHART_READS after it has
// authenticated the caller and chosen the build. A request to it contains no data of the client.

import type { Env } from '../runtime/env.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { withinLimit } from '../runtime/time-limit.ts';

interface PartRange {
  /** Contains the hash of the part, so its bytes never change. */
  readonly key: string;
  readonly offset: number;
  readonly length: number;
}

interface RangeRead {
  /** Size of the whole part. */
  readonly size: number;
  readonly data: ArrayBuffer;
}

const SIZE_HEADER = 'leadline-part-size';
/** As long as tiles in the edge cache: damaged bytes are read again after a day. */
const CACHED = 'public, max-age=86400';
const PATH = /^\/(parts\/[0-9a-f]{64}\.pmtiles)\/(\d{1,15})\/(\d{1,15})$/;

/** @returns `undefined` if the part is missing */
export async function readRange(
  { TILES, CHART_READS }: Env,
  range: PartRange,
  cost: RequestCost,
): Promise<RangeRead | undefined> {
  if (CHART_READS === undefined) {
    cost.bucketReads++;
    return readBucket(TILES, range);
  }
  const { key, offset, length } = range;
  const url = `https://charts.invalid/${key}/${offset}/${length}`;
  const answer = await withinLimit(CHART_READS.fetch(url));
  if (answer.headers.get('cf-cache-status') !== 'HIT') cost.bucketReads++;
  const data = await withinLimit(answer.arrayBuffer());
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`The Worker for chart reads answered ${answer.status}.`);
  return { size: Number(answer.headers.get(SIZE_HEADER)), data };
}

async function readBucket(
  bucket: Env['TILES'],
  { key, offset, length }: PartRange,
): Promise<RangeRead | undefined> {
  const object = await withinLimit(bucket.get(key, { range: { offset, length } }));
  if (object === null) return undefined;
  return { size: object.size, data: await withinLimit(object.arrayBuffer()) };
}

/** Answers a request of `readRange`. Only complete ranges may be cached. */
export async function answerChartRead({ TILES }: Env, request: Request): Promise<Response> {
  const [, key, offset, length] = PATH.exec(new URL(request.url).pathname) ?? [];
  if (request.method !== 'GET' || key === undefined) return missing();
  const range = { key, offset: Number(offset), length: Number(length) };
  const read = await readBucket(TILES, range);
  if (read === undefined) return missing();
  const isComplete = read.data.byteLength === range.length;
  return new Response(read.data, {
    headers: {
      'content-type': 'application/octet-stream',
      'cache-control': isComplete ? CACHED : 'no-store',
      [SIZE_HEADER]: String(read.size),
    },
  });
}

/** Without `no-store`, the platform would cache it for three minutes. */
const missing = () => new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
