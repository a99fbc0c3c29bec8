// Damaged archives and manifests: each query gives the right answer or 503. It must not give a wrong
// answer, an empty tile instead of a tile, or an internal error.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex, partsOf } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { readManifest } from '../../shared/chart/read-manifest.ts';
import type { SquareId } from '../../shared/route/sea.ts';
import { sha256 } from '../../tiles-build/archive/file-digest.ts';
import { featuresNear } from '../../workers/service/charts/query-store.ts';
import { RouteStore } from '../../workers/service/charts/route-store.ts';
import { findTile } from '../../workers/service/charts/tile-store.ts';
import type { RequestCost } from '../../workers/service/runtime/request-cost.ts';
import { forgetCharts } from '../support/forget-charts.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf } from '../support/manifest-of.ts';
import { BYTE_HARMS, mutant } from '../support/mutants.ts';
import { openSeaFile } from '../support/sea-file.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { archiveOf } from '../support/whole-archive.ts';

const MUTANTS = isLong ? 10_000 : 60;
const MANIFESTS = MUTANTS / 4;
const PATIENCE_MS = isLong ? 3_600_000 : 900_000;
const NOTHING = 'nothing';

interface Range {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** A bucket with one build, in which one file can be damaged. It records each range that is read. */
interface DamagedBucket {
  readonly reads: Range[];
  damaged: { readonly file: string; readonly bytes: Uint8Array } | undefined;
}

const files = new Map<string, Uint8Array>();
const bucket: DamagedBucket = { reads: [], damaged: undefined };
const env = {
  TILES: {
    get: async (key: string, { range }: { range: { offset: number; length: number } }) => {
      bucket.reads.push({ file: key, ...range });
      const bytes = bucket.damaged?.file === key ? bucket.damaged.bytes : files.get(key);
      if (bytes === undefined) return null;
      const part = bytes.slice(range.offset, range.offset + range.length);
      return { size: bytes.length, arrayBuffer: async () => part.buffer };
    },
  },
} as never;
const cost: RequestCost = { bucketReads: 0, from: '', defer: () => undefined };

let manifest: Manifest;
type Ask = (manifest: Manifest) => Promise<string>;
/** The queries, and the answer of each with undamaged files. */
let questions: readonly { readonly name: string; readonly ask: Ask; readonly sound: string }[];
/** The ranges that each query reads. */
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
    const parts = read.flatMap(({ cells, hazards }) => [
      Buffer.from(JSON.stringify(cells)),
      Buffer.from(JSON.stringify(hazards)),
    ]);
    return hex(Buffer.concat(parts));
  };

/** The answer, or `unavailable` for a 503. */
const answerOf = (ask: Ask, of: Manifest): Promise<string> =>
  ask(of).catch((error: { status?: number; code?: string }) => {
    if (error.status === 503 && error.code === 'charts_unavailable') return 'unavailable';
    throw error;
  });

/**
 * A build without cached data. Its heads are not in the manifest, so that they are read from the
 * bucket, as those of a country are.
 */
let builds = 0;
function asNewBuild(of: Manifest): Manifest {
  forgetCharts(manifest);
  const archives = of.archives.map((archive) => ({ ...archive, heads: [] }));
  return { ...of, archives, buildId: `mutant-${builds++}` };
}

beforeAll(async () => {
  const nothing = { match: async () => undefined, put: async () => undefined };
  vi.stubGlobal('caches', { default: { ...nothing, delete: async () => false } });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const charts = inject('demoCharts');
  manifest = manifestOf(charts);
  for (const { sha256 } of partsOf(manifest)) {
    files.set(partKey(sha256), new Uint8Array(readFileSync(join(charts, partKey(sha256)))));
  }
  const { packed } = await openSeaFile(charts);
  const ids = [...packed.values()].map(({ z, x, y }) => ({ z, x, y }));
  const asks: readonly (readonly [name: string, ask: Ask])[] = [
    ['a tile', tile('enc-v2', 14, 7282, 9623)],
    ['a tile of a small zoom', tile('enc-v2', 9, 227, 300)],
    ['a tile made from its ancestor', tile('enc-v2', 16, 29_128, 38_492)],
    ['a tile without data', tile('data-geojson-v1', 12, 100, 100)],
    ['a tile of raw data', tile('data-geojson-v1', 12, 1820, 2405)],
    ['a shoreline', tile('data-shoreline-v1', 12, 1820, 2405)],
    ['features nearby', near(300)],
    ['features within five kilometres', near(5000)],
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

test('each query has an answer with undamaged files, except the tile without data', () => {
  for (const { name, sound } of questions) {
    expect([name, sound === NOTHING]).toEqual([name, name === 'a tile without data']);
    expect(sound).not.toBe('unavailable');
  }
});

/** An archive damaged in a range that the query reads, or anywhere if the query reads nothing. */
function damagedFor(question: number, number: number): { file: string; bytes: Uint8Array } {
  const random = seededRandom(number);
  const read = ranges[question]!;
  const range = read[Math.floor(random() * read.length)];
  const [geojson] = PartIndex.of(archiveOf(manifest, 'data-geojson-v1')).parts;
  const file = range?.file ?? partKey(geojson!.sha256);
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
        bucket.damaged = damagedFor(at, number);
        const answer = await answerOf(ask, asNewBuild(manifest));
        if (answer === 'unavailable') refused++;
        else expect(answer, `${name}, mutant ${number}`).toBe(sound);
      }
      bucket.damaged = undefined;
      // Most mutants must change a result.
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
        // Every second mutant damages the list of archives.
        const [from, to] = number % 2 === 0 ? [0, text.length] : [at, at + archives.length];
        const { bytes } = mutant(text.subarray(from, to), BYTE_HARMS, number);
        const damaged = Buffer.concat([text.subarray(0, from), bytes, text.subarray(to)]);
        const read = await readManifest(damaged.toString(), sha256).catch(() => undefined);
        if (read === undefined) continue;
        believed++;
        const { name, ask, sound } = questions[believed % questions.length]!;
        const answer = await answerOf(ask, asNewBuild(read));
        if (answer !== 'unavailable') expect(answer, `${name}, mutant ${number}`).toBe(sound);
      }
      // Few mutants may change nothing.
      expect(believed).toBeLessThan(MANIFESTS / 10);
    },
    PATIENCE_MS,
  );
});
