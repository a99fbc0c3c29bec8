// The Worker where there is no platform: the same service, with a bucket, a store and assets that are
// folders, counters and a cache in this process, and the client's address from the socket or from
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

/** What the configuration of the runtime binds, as `workers/host/serve/runtime-config.ts` writes it. */
interface Bound {
  readonly CHARTS: Fetcher;
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
  /** The supervisor's word on the parts. */
  parts: readonly Part[];
}

const CACHE_MEGABYTES = 128;

const app = createApp();
const heavyWorker = createHeavyWorker();
/** A cache named as one: made of the bindings, which are one object for the process's life. */
let made: Standalone | undefined;

function standalone(bound: Bound): Standalone {
  made ??= make(bound);
  return made;
}

function make(bound: Bound): Standalone {
  const text = (name: string) => (typeof bound[name] === 'string' ? (bound[name] as string) : '');
  const rules = proxyRules(text('PUBLIC_URL'), text('TRUSTED_PROXIES'));
  const metricsReaders = readRanges(text('METRICS_FROM') || 'loopback');
  // What is not a whole number was refused before anything was started.
  const whole = (name: string, otherwise: number) =>
    /^\d+$/.test(text(name)) ? Number(text(name)) : otherwise;
  const meters = new Meters();
  const cache = new MemoryCache(whole('CACHE_MEGABYTES', CACHE_MEGABYTES) * 2 ** 20);
  useMemoryCache(cache);
  const env = {
    ...bound,
    TILES: diskBucket(bound.CHARTS),
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
    // The runtime takes what the client wrote as its host, which need not be one.
    if (!URL.canParse(request.url)) return errorResponse(badHost(), crypto.randomUUID());
    const here = standalone(bound);
    const { env, rules } = here;
    const url = new URL(request.url);
    // What is before the runtime says it, whatever a client wrote there: no other request comes here.
    const peer = request.headers.get('cf-connecting-ip') ?? '';
    const asked = identifyClient(url, request.headers, peer, rules);
    if (url.pathname === '/metrics' && isMetricsReader(request, asked, here.metricsReaders ?? [])) {
      return metricsOf(here);
    }
    const headers = new Headers(request.headers);
    for (const name of PROXY_HEADERS) headers.delete(name);
    headers.delete('x-request-id');
    // Where the service reads the client's address on the platform, too: no client can set it here.
    if (asked.client !== '') headers.set('cf-connecting-ip', asked.client);
    if (asked.requestId !== undefined) headers.set('x-request-id', asked.requestId);
    const address = asked.origin + targetOf(request.url);
    // A request from a request keeps its body; reads may have one too (RFC 9110, section 9.3.1).
    return app.fetch(new Request(address, new Request(request, { headers })), env, context);
  },
};

/** Path and query as they were asked: reading an address tidies it, and may change its host's length. */
const targetOf = (address: string) => address.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
const badHost = () => badRequest('bad_request', 'The header Host names no host.');

/** ClientRequest by the supervisor alone, at a socket of its own. */
export const supervisor = {
  async fetch(request: Request, bound: Bound): Promise<Response> {
    const here = standalone(bound);
    const { pathname } = new URL(request.url);
    if (pathname === '/tidy') return Response.json({ looked: await tidyUp(here.env, Date.now()) });
    if (pathname === '/metrics') return metricsOf(here);
    if (pathname === '/parts') here.parts = await request.json<readonly Part[]>();
    return Response.json({ status: 'ok' });
  },
};

/** The same for the process that does heavy work: whether it is alive. */
export const heavySupervisor = { fetch: () => Response.json({ status: 'ok' }) };

/** Made of the bindings of the Worker for heavy work, which are one object for the process's life. */
let heavyEnv: Env | undefined;

// Questions to the database are counted where `/metrics` is answered.
const heavyEnvOf = ({ CHARTS, ...settings }: Bound) =>
  ({
    ...settings,
    TILES: diskBucket(CHARTS),
    OBSERVER: new CollectedQueries(),
  }) as unknown as Env;

/** Routes and soundings, in a Worker of their own beside the one above. */
export class HeavyWork extends WorkerEntrypoint<Bound> {
  override fetch(request: Request): Response | Promise<Response> {
    heavyEnv ??= heavyEnvOf(this.env);
    return heavyWorker.fetch(request, heavyEnv, this.ctx);
  }
}
