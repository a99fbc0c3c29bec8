// The real Workers runtime on a small published build: what the tests of the front door talk to.
// Every answer is held against the OpenAPI document before a test sees it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { openLocalBucket } from '../../tiles-build/publish/local-bucket.ts';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import { bundleWorker } from '../../workers/local/bundle.ts';
import { type KeyStore, mintToken, newKey, type TokenWish } from '../../workers/local/keys.ts';
import { miniflareOptions } from '../../workers/local/miniflare-options.ts';
import { freePort } from '../../workers/local/process.ts';
import { type FixtureOptions, makeChartBuild } from './chart-fixture.ts';
import { type Answer, jsonOf, sendHttp, type Wanted } from './http-client.ts';
import { type ContractCheck, contractCheck, type OpenApiDocument } from './openapi-check.ts';

export interface Runtime {
  readonly port: number;
  readonly manifest: Manifest;
  readonly keys: KeyStore;
  readonly document: OpenApiDocument;
  /** Lines the Worker wrote so far. */
  readonly log: readonly string[];
  /** @throws Error where the answer is not one that the document allows */
  send(path: string, wanted?: Wanted): Promise<Answer>;
  token(wish?: Partial<TokenWish>): Promise<string>;
  miniflare: Miniflare;
  stop(): Promise<void>;
}

export interface RuntimeOptions extends FixtureOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The Worker's entry where it is not the service itself. */
  readonly entry?: string;
}

export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-runtime-'));
  const manifest = makeChartBuild(folder, options);
  const bucket = await openLocalBucket(folder);
  await publishBuild(folder, bucket);
  await bucket.close();

  const keys: KeyStore = { keys: [await newKey()] };
  const port = await freePort(0);
  const log: string[] = [];
  const miniflare = new Miniflare({
    ...miniflareOptions({
      modules: await bundleWorker(options.entry),
      keys,
      dataDir: folder,
      port,
      settings: options.settings ?? {},
    }),
    handleRuntimeStdio: (out, err) => {
      for (const stream of [out, err]) {
        stream.on('data', (chunk: Buffer) => log.push(...chunk.toString().split('\n')));
      }
    },
  });
  await miniflare.ready;
  const document = jsonOf(await sendHttp(port, '/openapi.json')) as OpenApiDocument;
  const check: ContractCheck = contractCheck(document);

  return {
    port,
    manifest,
    keys,
    document,
    log,
    miniflare,
    async send(path, wanted = {}) {
      const answer = await sendHttp(port, path, wanted);
      const wrong = check(wanted.method ?? 'GET', path, answer);
      if (wrong.length > 0) throw new Error(`${path}: ${wrong.join('; ')}`);
      return answer;
    },
    token: (wish = {}) => tokenFor(keys, wish),
    async stop() {
      await miniflare.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A token for reading tiles, unless wished otherwise. */
export async function tokenFor(keys: KeyStore, wish: Partial<TokenWish> = {}): Promise<string> {
  const whole: TokenWish = {
    subject: 'reader',
    account: 'tests',
    plan: 'standard',
    pilot: false,
    scopes: ['tiles'],
    origins: [],
    expiresInSeconds: 3600,
    ...wish,
  };
  return (await mintToken(keys, whole, Date.now())).token;
}
