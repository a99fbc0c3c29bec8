// One isolate of the service in a separate process: it fills its caches, then runs the heaviest requests
// of every kind in parallel. The charts and the artwork come from files instead of a bucket.

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, POINTER_KEY } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { createApp } from '../../workers/service/app.ts';
import {
  boundedCache,
  CACHE_BYTES,
  cachedBytes,
  MemoryReservation,
} from '../../workers/service/runtime/memory-budget.ts';

export interface IsolateWork {
  /** Folders of a build and of the artwork. */
  readonly charts: string;
  readonly assets: string;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly token: string;
  /** The memory limit of the process. */
  readonly boundBytes: number;
  /** Sent one after the other to warm the caches, which are then filled to their limits. */
  readonly before: readonly Asked[];
  /** Sent in parallel. */
  readonly together: readonly Asked[];
}

export interface Asked {
  readonly path: string;
  /** The request body: the start, then the middle repeated `count` times, then the end. */
  readonly body?: readonly [start: string, middle: string, count: number, end: string];
}

/** The bytes of one ballast entry, and its size in the cache. */
const PIECE_BYTES = 65_536;

/**
 * Measures the used memory often: objects and bytes of typed arrays, after garbage collection.
 * @returns a function for the maximum above the bound, in megabytes
 */
function watchMemory(boundBytes: number): () => number {
  let most = 0;
  const look = () => {
    const held = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    if (held() <= boundBytes) return;
    // `within-memory.ts` exposes the garbage collector to this process.
    (globalThis as unknown as { gc: () => void }).gc();
    most = Math.max(most, held());
  };
  const timer = setInterval(look, 1);
  const { grow } = MemoryReservation.prototype;
  MemoryReservation.prototype.grow = function (this: MemoryReservation, bytes: number) {
    grow.call(this, bytes);
    look();
  };
  return () => {
    clearInterval(timer);
    return most / 2 ** 20;
  };
}

/**
 * Sends all requests. @returns JSON with the outcome of each parallel request in order, and the logged
 * faults
 */
export async function workTogether(work: IsolateWork): Promise<string> {
  // The time limit of a request uses a fake clock, so that a busy machine does not exceed it.
  const begunMs = Date.now();
  const now = Date.now.bind(Date);
  Date.now = () => begunMs + Math.floor((now() - begunMs) / 10);
  const faults: string[] = [];
  console.log = () => undefined;
  console.error = (line: string) => void faults.push(line);
  const none = { match: async () => undefined, put: async () => undefined };
  Object.assign(globalThis, { caches: { default: { ...none, delete: async () => false } } });
  const app = createApp();
  const env = {
    TILES: bucketOf(work.charts),
    ASSETS: { fetch: async (url: string) => fileAnswer(work.assets, new URL(url).pathname) },
    ...work.bindings,
  };
  const ask = async ({ path, body }: Asked): Promise<string> => {
    const pending: Promise<unknown>[] = [];
    const context = {
      waitUntil: (later: Promise<unknown>) => void pending.push(later),
      passThroughOnException: () => undefined,
      props: {},
    };
    const init = body === undefined ? {} : { method: 'POST', body: bodyOf(body), duplex: 'half' };
    const request = new Request(`http://leadline.test${path}`, init as RequestInit);
    request.headers.set('authorization', `Bearer ${work.token}`);
    const answer = await app.fetch(request, env as never, context as never);
    const { byteLength } = await answer.arrayBuffer();
    await Promise.allSettled(pending);
    return `${answer.status} ${byteLength > 0}`;
  };
  for (const asked of work.before) await ask(asked);
  fillCaches();
  const mostMegabytes = watchMemory(work.boundBytes);
  const statuses = await Promise.all(work.together.map(ask));
  return JSON.stringify({
    statuses,
    faults: faults.slice(0, 5),
    above: Math.round(mostMegabytes()),
  });
}

/** Fills the unused space of the caches with a cache of ballast, which is evicted like other entries. */
function fillCaches(): void {
  const bound = Object.values(CACHE_BYTES).reduce((sum, bytes) => sum + bytes, 0);
  for (const name of Object.keys(CACHE_BYTES) as (keyof typeof CACHE_BYTES)[]) {
    const ballast = boundedCache<Uint8Array>(name, { sizeOf: ({ length }) => length });
    for (let i = 0; i < CACHE_BYTES[name] / PIECE_BYTES; i++) {
      if (cachedBytes() + PIECE_BYTES > bound) return;
      ballast.set(`${i}`, new Uint8Array(PIECE_BYTES).fill(i));
    }
  }
}

function bodyOf([start, middle, count, end]: NonNullable<Asked['body']>): ReadableStream {
  const encoder = new TextEncoder();
  const atOnce = Math.max(1, Math.floor(16_384 / Math.max(1, middle.length)));
  let left = count;
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (!isBegun) controller.enqueue(encoder.encode(start));
      isBegun = true;
      const now = Math.min(left, atOnce);
      left -= now;
      controller.enqueue(encoder.encode(middle.repeat(now) + (left === 0 ? end : '')));
      if (left === 0) controller.close();
    },
  });
}

/** The methods of a bucket that the service uses, over a folder of charts. */
function bucketOf(charts: string) {
  const manifest = JSON.parse(readFileSync(join(charts, 'manifest.json'), 'utf8')) as Manifest;
  const paths = new Map([
    [POINTER_KEY, join(charts, 'manifest.json')],
    ...partsOf(manifest).map(
      ({ sha256 }) => [partKey(sha256), join(charts, partKey(sha256))] as const,
    ),
  ]);
  return {
    get: async (
      key: string,
      { range }: { range?: { readonly offset?: number; readonly length?: number } } = {},
    ) => {
      const path = paths.get(key);
      if (path === undefined) return null;
      const size = statSync(path).size;
      const offset = range?.offset ?? 0;
      const part = new Uint8Array(Math.min(range?.length ?? size, size - offset));
      const file = openSync(path, 'r');
      readSync(file, part, 0, part.length, offset);
      closeSync(file);
      const etag = `etag-${size}`;
      return {
        key,
        etag,
        httpEtag: `"${etag}"`,
        size,
        body: new Blob([part]).stream(),
        arrayBuffer: async () => part.buffer,
        text: async () => new TextDecoder().decode(part),
        json: async () => JSON.parse(new TextDecoder().decode(part)) as unknown,
      };
    },
  };
}

function fileAnswer(folder: string, path: string): Response {
  try {
    return new Response(readFileSync(join(folder, decodeURIComponent(path))));
  } catch {
    return new Response(null, { status: 404 });
  }
}
