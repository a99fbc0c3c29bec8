// Runs the Worker's handlers in this process with charts on disk, so that the CPU time of this process is
// their cost.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, POINTER_KEY } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import {
  type KeyStore,
  mintDevelopmentToken,
  newKey,
  publicKeySet,
} from '../../workers/host/admin/keys.ts';
import { forgetCharts } from '../support/forget-charts.ts';
import { withChecksum } from '../support/manifest-of.ts';

export interface NodeApp {
  /** One request: its answer, its CPU time and its reads of the bucket. */
  ask(path: string, body: string): Promise<Asked>;
  /** Publish the same charts under another name: nothing of them is in memory any more. */
  republish(): Promise<void>;
  /** Give the process its clock back, which each publishing sets ahead. */
  close(): void;
}

export interface Asked {
  readonly text: string;
  readonly cpuMs: number;
  readonly reads: number;
}

const NO_CACHE = {
  match: async () => undefined,
  put: async () => undefined,
  delete: async () => false,
};

/** Longer than the Worker believes a pointer without looking again. */
const POINTER_AGE_MS = 61_000;

export async function openNodeApp(charts: string): Promise<NodeApp> {
  Object.assign(globalThis, { caches: { default: NO_CACHE } });
  const { createApp } = await import('../../workers/service/app.ts');
  const text = readFileSync(join(charts, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const files = new Map<string, Uint8Array>();
  for (const { sha256 } of partsOf(manifest)) {
    files.set(partKey(sha256), readFileSync(join(charts, partKey(sha256))));
  }
  const publish = (buildId: string) => {
    files.set(POINTER_KEY, Buffer.from(JSON.stringify(withChecksum({ ...manifest, buildId }))));
    forgetCharts(manifest);
  };
  let copies = 0;
  publish('bench-copy-0');
  let reads = 0;
  const bucket = {
    get: async (key: string, { range }: { range?: { offset: number; length: number } } = {}) => {
      const whole = files.get(key);
      if (whole === undefined) return null;
      reads++;
      const part =
        range === undefined ? whole : whole.slice(range.offset, range.offset + range.length);
      return {
        etag: `copy-${copies}`,
        size: whole.length,
        body: null,
        arrayBuffer: async () =>
          part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength),
        text: async () => Buffer.from(part).toString(),
      };
    },
  };
  const keys: KeyStore = { keys: [await newKey()] };
  const authorization = `Bearer ${await mintDevelopmentToken(keys)}`;
  const env = { TILES: bucket, TOKEN_KEYS: JSON.stringify(publicKeySet(keys)) };
  const deferred: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void deferred.push(work),
    passThroughOnException: () => undefined,
    props: {},
  };
  const app = createApp();
  const clock = Date.now;
  let ahead = 0;
  Date.now = () => clock() + ahead;
  return {
    close() {
      Date.now = clock;
    },
    async republish() {
      copies++;
      publish(`bench-copy-${copies}`);
      ahead += POINTER_AGE_MS;
      const { log } = console;
      console.log = () => undefined;
      await app.fetch(new Request('http://bench.test/readyz'), env, context as never);
      await Promise.all(deferred);
      console.log = log;
    },
    async ask(path, body) {
      const request = new Request(`http://bench.test${path}`, {
        method: 'POST',
        headers: { authorization },
        body,
      });
      const { log } = console;
      console.log = () => undefined;
      const readsBefore = reads;
      const before = process.cpuUsage();
      const response = await app.fetch(request, env, context as never);
      const answer = await response.text();
      const { user, system } = process.cpuUsage(before);
      console.log = log;
      if (response.status !== 200)
        throw new Error(`${path} answered ${response.status}: ${answer}`);
      return { text: answer, cpuMs: (user + system) / 1000, reads: reads - readsBefore };
    },
  };
}
