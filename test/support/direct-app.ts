// The Worker's handlers called directly, as one fresh isolate, over a bucket whose answers a test
// can count, delay and spoil.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { type KeyStore, newKey, publicKeySet } from '../../workers/host/admin/keys.ts';
import { type App, createFreshApp } from './fresh-module.ts';
import { NO_LIMITS, tokenFor } from './service.ts';

type Read = Uint8Array | undefined;

/** What the bucket does with a read: bytes as they are, other bytes, none, an error, or nothing yet. */
export type Spoil = (key: string, bytes: Uint8Array) => Read | Promise<Read>;

export interface DirectApp {
  readonly token: string;
  readonly keys: KeyStore;
  readonly bucket: object;
  /** Keys read so far. */
  readonly reads: string[];
  /** Gets every line that the Worker logs. */
  onLogLine: (line: string) => void;
  /** Answers all later reads. */
  spoil: Spoil;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** An edge cache that forgets everything. */
const NO_CACHE = {
  match: async () => undefined,
  put: async () => undefined,
  delete: async () => false,
};

interface RangeRequest {
  readonly range?: { readonly offset?: number; readonly length?: number };
}

/**
 * An isolate that has served nothing yet, over the charts in a folder.
 *
 * @param create makes the app; tests that replace modules import it through Vitest
 */
export async function freshApp(
  charts: string,
  bindings: Readonly<Record<string, unknown>> = {},
  create: () => App | Promise<App> = createFreshApp,
): Promise<DirectApp> {
  vi.stubGlobal('caches', { default: NO_CACHE });
  const app = await create();
  const read = readerOf(charts);
  const keys: KeyStore = { keys: [await newKey()] };
  const listen = (line: string) => direct.onLogLine(line);
  vi.stubGlobal('console', { ...console, log: listen, error: listen });
  const direct: DirectApp = {
    token: await tokenFor(keys),
    keys,
    bucket: undefined as never,
    reads: [],
    onLogLine: () => undefined,
    spoil: (_key, bytes) => bytes,
    fetch: async (path, init = {}) => {
      const pending: Promise<unknown>[] = [];
      const context = {
        waitUntil: (work: Promise<unknown>) => void pending.push(work),
        passThroughOnException: () => undefined,
        props: {},
      };
      const request = new Request(new URL(path, 'http://leadline.test'), init);
      const response = await app.fetch(request, env, context as never);
      // Work of a download ends after the test has read it.
      if (!response.headers.has('content-disposition')) await Promise.allSettled(pending);
      return response;
    },
  };
  const bucket = {
    get: async (key: string, { range }: RangeRequest = {}) => {
      direct.reads.push(key);
      const whole = read(key);
      const bytes = whole === undefined ? undefined : await direct.spoil(key, whole);
      if (bytes === undefined) return null;
      const offset = range?.offset ?? 0;
      const end = range?.length === undefined ? bytes.length : offset + range.length;
      const part = bytes.slice(offset, end);
      return {
        key,
        etag: `etag-${bytes.length}`,
        httpEtag: `"etag-${bytes.length}"`,
        size: bytes.length,
        body: new Blob([part]).stream(),
        arrayBuffer: async () => part.buffer,
        text: async () => new TextDecoder().decode(part),
        json: async () => JSON.parse(new TextDecoder().decode(part)) as unknown,
      };
    },
  };
  Object.assign(direct, { bucket });
  const env = {
    TILES: bucket,
    TOKEN_KEYS: JSON.stringify(publicKeySet(keys)),
    // It reports behind an answer, a while later, and each answer here waits for what is behind it.
    USAGE_COUNTING: 'off',
    ...NO_LIMITS,
    ...bindings,
  };
  return direct;
}

/** Reads the pointer and the parts of charts, each when it is first needed. */
function readerOf(charts: string): (key: string) => Uint8Array | undefined {
  const known = new Map<string, Uint8Array | undefined>();
  const read = (path: string) => Uint8Array.from(readFileSync(join(charts, path)));
  known.set(POINTER_KEY, read('manifest.json'));
  return (key) => {
    if (!known.has(key)) known.set(key, existsSync(join(charts, key)) ? read(key) : undefined);
    return known.get(key);
  };
}
