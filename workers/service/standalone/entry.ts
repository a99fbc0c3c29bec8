// Entry point of the self-hosted Worker: the same service, with folders as bucket, store and
// assets, counters and a cache in this process, and the client's address from the socket or from
// proxies that the operator trusts.

import { WorkerEntrypoint } from 'cloudflare:workers';
import { createApp } from '../app.ts';
import { createHeavyWorker } from '../heavy-worker.ts';
import type { Env } from '../runtime/env.ts';
import { badRequest, errorResponse } from '../runtime/errors.ts';
import { CollectedQueries } from '../runtime/observe.ts';
import { tidyUp } from '../scheduled.ts';
import { diskAssets } from './disk-assets.ts';
import { diskBucket } from './disk-bucket.ts';
import { diskStore } from './disk-store.ts';
import {
  identifyClient,
  PROXY_HEADERS,
  type ProxyRules,
  proxyRules,
  readRanges,
} from './forwarded.ts';
import { gaugesOf, type Part } from './gauges.ts';
import { MemoryCache, useMemoryCache } from './memory-cache.ts';
import { Meters } from './meters.ts';
import { isMetricsReader, metricsAnswer } from './metrics-page.ts';

/**
 * The bindings that `workers/host/serve/runtime-config.ts` writes to the runtime's configuration.
 */
interface Bound {
  readonly CHARTS: Fetcher;
  /** Not bound in the process for heavy work. */
  readonly UPLOADS?: Fetcher;
  readonly ASSETS: Fetcher;
  readonly PACKED: Fetcher;
  readonly EDGE: Fetcher;
  readonly [setting: string]: unknown;
}

interface Standalone {
  readonly env: Env;
  readonly rules: ProxyRules;
  readonly meters: Meters;
  readonly cache: MemoryCache;
  readonly metricsReaders: ReturnType<typeof readRanges>;
  /** State of the other parts, reported by the supervisor. */
  parts: readonly Part[];
}

const CACHE_MEGABYTES = 128;

const app = createApp();
const heavyWorker = createHeavyWorker();
/** Cache: created from the bindings, which are one object for the life of the process. */
let instance: Standalone | undefined;

function standalone(bound: Bound): Standalone {
  instance ??= make(bound);
  return instance;
}

function make(bound: Bound): Standalone {
  const text = (name: string) => (typeof bound[name] === 'string' ? (bound[name] as string) : '');
  const rules = proxyRules(text('PUBLIC_URL'), text('TRUSTED_PROXIES'));
  const metricsReaders = readRanges(text('METRICS_FROM') || 'loopback');
  // The supervisor has already rejected values that are not integers.
  const whole = (name: string, otherwise: number) =>
    /^\d+$/.test(text(name)) ? Number(text(name)) : otherwise;
  const meters = new Meters();
  const cache = new MemoryCache(whole('CACHE_MEGABYTES', CACHE_MEGABYTES) * 2 ** 20);
  useMemoryCache(cache);
  const env = {
    ...bound,
    TILES: diskBucket(bound.CHARTS, bound.UPLOADS),
    KV: diskStore(bound.EDGE),
    ASSETS: diskAssets(bound.ASSETS),
    OBSERVER: meters,
    SETTING_FAULTS: [...rules.faults, ...(metricsReaders === undefined ? ['METRICS_FROM'] : [])],
  } as unknown as Env;
  return { env, rules, meters, cache, metricsReaders, parts: [] };
}

async function metricsOf({ env, cache, meters, parts }: Standalone): Promise<Response> {
  return metricsAnswer(meters.text(await gaugesOf(env, cache, parts)));
}

export default {
  async fetch(request: Request, bound: Bound, context: ExecutionContext): Promise<Response> {
    // The runtime uses the Host header of the client, which may be invalid.
    if (!URL.canParse(request.url)) return errorResponse(badHost(), crypto.randomUUID());
    const service = standalone(bound);
    const { env, rules } = service;
    const url = new URL(request.url);
    // The supervisor in front of the runtime sets this header and replaces a client's value. All
    // requests come from the supervisor.
    const peer = request.headers.get('cf-connecting-ip') ?? '';
    const client = identifyClient(url, request.headers, peer, rules);
    if (
      url.pathname === '/metrics' &&
      isMetricsReader(request, client, service.metricsReaders ?? [])
    ) {
      return metricsOf(service);
    }
    const headers = new Headers(request.headers);
    for (const name of PROXY_HEADERS) headers.delete(name);
    headers.delete('x-request-id');
    // The service reads the client's address from the same header on the platform. No client can
    // set it here.
    if (client.client !== '') headers.set('cf-connecting-ip', client.client);
    if (client.requestId !== undefined) headers.set('x-request-id', client.requestId);
    const address = client.origin + targetOf(request.url);
    // A request created from a request keeps its body; GET may have one too (RFC 9110, section
    // 9.3.1).
    return app.fetch(new Request(address, new Request(request, { headers })), env, context);
  },
};

/**
 * Path and query as requested: parsing a URL normalizes it and may change the length of its host.
 */
const targetOf = (address: string) => address.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
const badHost = () => badRequest('bad_request', 'The header Host names no host.');

/** Sent only by the supervisor, to a separate socket. */
export const supervisor = {
  async fetch(request: Request, bound: Bound): Promise<Response> {
    const service = standalone(bound);
    const { pathname } = new URL(request.url);
    if (pathname === '/tidy')
      return Response.json({ looked: await tidyUp(service.env, Date.now()) });
    if (pathname === '/metrics') return metricsOf(service);
    if (pathname === '/parts') service.parts = await request.json<readonly Part[]>();
    return Response.json({ status: 'ok' });
  },
};

/** The same for the process for heavy work: a liveness check. */
export const heavySupervisor = { fetch: () => Response.json({ status: 'ok' }) };

/**
 * Created from the bindings of the Worker for heavy work, which are one object for the life of the
 * process.
 */
let heavyEnv: Env | undefined;

// Database queries are counted by the process that serves `/metrics`.
const heavyEnvOf = ({ CHARTS, ...settings }: Bound) =>
  ({
    ...settings,
    TILES: diskBucket(CHARTS),
    OBSERVER: new CollectedQueries(),
  }) as unknown as Env;

/** The Worker for routes and soundings, separate from the one above. */
export class HeavyWork extends WorkerEntrypoint<Bound> {
  override fetch(request: Request): Response | Promise<Response> {
    heavyEnv ??= heavyEnvOf(this.env);
    return heavyWorker.fetch(request, heavyEnv, this.ctx);
  }
}
