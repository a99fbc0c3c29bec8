// Archives and manifests that were harmed where they are read: the right answer or 503, and never
// another answer, no tile where there is one, or an error of ours.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { readManifest } from '../../shared/chart/read-manifest.ts';
import type { SquareId } from '../../shared/route/sea.ts';
import { sha256 } from '../../tiles-build/archive/file-digest.ts';
import { featuresNear } from '../../workers/service/charts/query-store.ts';
import { RouteStore } from '../../workers/service/charts/route-store.ts';
import { findTile } from '../../workers/service/charts/tile-store.ts';
import type { RequestCost } from '../../workers/service/runtime/request-cost.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf } from '../support/manifest-of.ts';
import { BYTE_HARMS, mutant } from '../support/mutants.ts';
import { openSeaFile } from '../support/sea-file.ts';
import { seededRandom } from '../support/seeded-random.ts';

const MUTANTS = isLong ? 10_000 : 60;
const MANIFESTS = MUTANTS / 4;
const PATIENCE_MS = isLong ? 3_600_000 : 900_000;
const NOTHING = 'nothing';

interface Range {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** A bucket of one build, a file of which is not what it was; what is read of it is written down. */
interface HarmedBucket {
  readonly reads: Range[];
  harmed: { readonly file: string; readonly bytes: Uint8Array } | undefined;
}

const files = new Map<string, Uint8Array>();
const bucket: HarmedBucket = { reads: [], harmed: undefined };
const env = {
  TILES: {
    get: async (key: string, { range }: { range: { offset: number; length: number } }) => {
      const file = key.split('/').at(-1)!;
      bucket.reads.push({ file, ...range });
      const bytes = bucket.harmed?.file === file ? bucket.harmed.bytes : files.get(file);
      if (bytes === undefined) return null;
      const part = bytes.slice(range.offset, range.offset + range.length);
      return { size: bytes.length, arrayBuffer: async () => part.buffer };
    },
  },
} as never;
const cost: RequestCost = { bucketReads: 0, from: '', defer: () => undefined };

let manifest: Manifest;
type Ask = (manifest: Manifest) => Promise<string>;
/** Questions to every store, and what each answers while all is sound. */
let questions: readonly { readonly name: string; readonly ask: Ask; readonly sound: string }[];
/** All that was read for each of them. */
let ranges: readonly (readonly Range[])[];

const hex = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-1', bytes as BufferSource)).toString('hex');

const tile =
  (tileset: string, z: number, x: number, y: number): Ask =>
  async (of) => {
    const found = await findTile(env, of, tileset, { z, x, y }, cost);
    return found === undefined ? NOTHING : `${found.from.z} ${await hex(gunzipSync(found.stored))}`;
  };
const near =
  (radiusMeters: number): Ask =>
  async (of) => {
    const question = {
      longitude: -19.99,
      latitude: -29.99,
      radiusMeters,
      zoom: 14,
      limit: 100,
      days: { first: 20_300_601, last: 20_300_601 },
    };
    const { features, total } = await featuresNear(env, of, question, cost);
    return `${total} ${await hex(Buffer.from(JSON.stringify(features.map(({ facts }) => facts))))}`;
  };
const squares =
  (ids: readonly SquareId[]): Ask =>
  async (of) => {
    const store = new RouteStore(env, of, cost);
    await store.fetchSquares(ids);
    const read = ids.map(({ z, x, y }) => store.square(z, x, y)!);
    const parts = read.flatMap(({ leastDepth, mostDepth, hazards }) => [
      Buffer.from(leastDepth),
      Buffer.from(mostDepth),
      Buffer.from(JSON.stringify(hazards)),
    ]);
    return hex(Buffer.concat(parts));
  };

/** An answer, or `unavailable` for the one refusal there is: 503. */
const answerOf = (ask: Ask, of: Manifest): Promise<string> =>
  ask(of).catch((error: { status?: number; code?: string }) => {
    if (error.status === 503 && error.code === 'charts_unavailable') return 'unavailable';
    throw error;
  });

/** Caches are keyed by the build: with another id nothing is known of it. */
let builds = 0;
const asNewBuild = (of: Manifest): Manifest => ({ ...of, buildId: `mutant-${builds++}` });

beforeAll(async () => {
  const nothing = { match: async () => undefined, put: async () => undefined };
  vi.stubGlobal('caches', { default: { ...nothing, delete: async () => false } });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const charts = inject('demoCharts');
  manifest = manifestOf(charts);
  for (const { file } of manifest.archives) {
    files.set(file, new Uint8Array(readFileSync(join(charts, file))));
  }
  const { packed } = await openSeaFile(charts);
  const ids = [...packed.values()].map(({ z, x, y }) => ({ z, x, y }));
  const asks: readonly (readonly [name: string, ask: Ask])[] = [
    ['a tile', tile('enc-v2', 14, 7282, 9623)],
    ['a tile of a small zoom', tile('enc-v2', 9, 227, 300)],
    ['a tile that is made from another', tile('enc-v2', 16, 29_128, 38_492)],
    ['a tile of nothing', tile('data-geojson-v1', 12, 100, 100)],
    ['a tile of raw data', tile('data-geojson-v1', 12, 1820, 2405)],
    ['a shoreline', tile('data-shoreline-v1', 12, 1820, 2405)],
    ['what is near', near(300)],
    ['what is within five kilometres', near(5000)],
    ['a square of the sea', squares(ids.slice(0, 1))],
    ['many squares of the sea', squares(ids.filter((_, i) => i % 40 === 0))],
  ];
  const known: (typeof questions)[number][] = [];
  const read: (readonly Range[])[] = [];
  for (const [name, ask] of asks) {
    bucket.reads.length = 0;
    known.push({ name, ask, sound: await answerOf(ask, asNewBuild(manifest)) });
    read.push([...bucket.reads]);
  }
  questions = known;
  ranges = read;
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('every question has an answer while all is sound, and a question about nothing has none', () => {
  for (const { name, sound } of questions) {
    expect([name, sound === NOTHING]).toEqual([name, name === 'a tile of nothing']);
    expect(sound).not.toBe('unavailable');
  }
});

/** An archive harmed within what a question reads of it, or anywhere where it reads nothing. */
function harmedFor(question: number, number: number): { file: string; bytes: Uint8Array } {
  const random = seededRandom(number);
  const read = ranges[question]!;
  const range = read[Math.floor(random() * read.length)];
  const file = range?.file ?? 'data-geojson-v1.pmtiles';
  const whole = files.get(file)!;
  const { offset, length } = range ?? { offset: 0, length: whole.length };
  const { bytes } = mutant(whole.subarray(offset, offset + length), BYTE_HARMS, number);
  const parts = [whole.subarray(0, offset), bytes, whole.subarray(offset + length)];
  return { file, bytes: new Uint8Array(Buffer.concat(parts)) };
}

describe('damaged charts', () => {
  test(
    `${MUTANTS} archives, damaged in the ranges that are read, give the right answer or 503`,
    async () => {
      let refused = 0;
      for (let number = 0; number < MUTANTS; number++) {
        const at = Math.floor(number / 8) % questions.length;
        const { name, ask, sound } = questions[at]!;
        bucket.harmed = harmedFor(at, number);
        const answer = await answerOf(ask, asNewBuild(manifest));
        if (answer === 'unavailable') refused++;
        else expect(answer, `${name}, mutant ${number}`).toBe(sound);
      }
      bucket.harmed = undefined;
      // Most harms are where they hurt.
      expect(refused / MUTANTS).toBeGreaterThan(0.5);
    },
    PATIENCE_MS,
  );

  test(
    `${MANIFESTS} manifests, damaged anywhere, are rejected or give the same answers`,
    async () => {
      const text = Buffer.from(JSON.stringify(manifest));
      const archives = Buffer.from(JSON.stringify(manifest.archives));
      const at = text.indexOf(archives);
      let believed = 0;
      for (let number = 0; number < MANIFESTS; number++) {
        // In every second one the harm is within what it says of its archives.
        const [from, to] = number % 2 === 0 ? [0, text.length] : [at, at + archives.length];
        const { bytes } = mutant(text.subarray(from, to), BYTE_HARMS, number);
        const harmed = Buffer.concat([text.subarray(0, from), bytes, text.subarray(to)]);
        const read = await readManifest(harmed.toString(), sha256).catch(() => undefined);
        if (read === undefined) continue;
        believed++;
        const { name, ask, sound } = questions[believed % questions.length]!;
        const answer = await answerOf(ask, asNewBuild(read));
        if (answer !== 'unavailable') expect(answer, `${name}, mutant ${number}`).toBe(sound);
      }
      // Harms that change nothing are few.
      expect(believed).toBeLessThan(MANIFESTS / 10);
    },
    PATIENCE_MS,
  );
});
