// Squares of the sea as the Worker reads them. They are independent of earlier reads and need few
// reads. If the archive cannot be read or is damaged, the result is 503, never water.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { latitudeAt } from '../../shared/geo/mercator.ts';
import { compactSquare } from '../../shared/route/cell-table.ts';
import {
  type CompactSquare,
  SEA_ZOOMS,
  type SeaSquare,
  type SeaZoom,
  type SquareId,
} from '../../shared/route/sea.ts';
import { decodeSquare } from '../../shared/route/square-codec.ts';
import type { RouteStore } from '../../workers/service/charts/route-store.ts';
import type { RequestCost } from '../../workers/service/runtime/request-cost.ts';
import { freshModule } from '../support/fresh-module.ts';
import { manifestOf } from '../support/manifest-of.ts';
import { openSeaFile, type SeaFile } from '../support/sea-file.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { archiveOf } from '../support/whole-archive.ts';

type Spoil = (bytes: Uint8Array) => Uint8Array | undefined;

beforeEach(() => {
  vi.stubGlobal('caches', {
    default: {
      match: async () => undefined,
      put: async () => undefined,
      delete: async () => false,
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

interface Isolate {
  readonly cost: RequestCost;
  spoil: Spoil;
  /** Creates the store of a new request. */
  store(): RouteStore;
}

/** A Worker that has read nothing yet. */
async function freshIsolate(manifest = manifestOf(inject('demoCharts'))): Promise<Isolate> {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const { RouteStore: Store } = await freshModule<
    typeof import('../../workers/service/charts/route-store.ts')
  >('workers/service/charts/route-store.ts');
  const isolate: Isolate = {
    cost: { bucketReads: 0, from: '', defer: () => undefined },
    spoil: (whole) => whole,
    store: () => new Store({ TILES: bucket } as never, manifest, isolate.cost),
  };
  const bucket = {
    get: async (wanted: string, { range }: { range: { offset: number; length: number } }) => {
      const bytes = routeParts().get(wanted);
      const whole = bytes && isolate.spoil(bytes);
      if (whole === undefined) return null;
      const part = whole.slice(range.offset, range.offset + range.length);
      return { size: whole.length, arrayBuffer: async () => part.buffer };
    },
  };
  return isolate;
}

let parts: ReadonlyMap<string, Uint8Array> | undefined;
function routeParts(): ReadonlyMap<string, Uint8Array> {
  const charts = inject('demoCharts');
  parts ??= new Map(
    PartIndex.of(archiveOf(manifestOf(charts), 'enc-route-v1')).parts.map(({ sha256 }) => {
      const key = partKey(sha256);
      return [key, new Uint8Array(readFileSync(join(charts, key)))];
    }),
  );
  return parts;
}

let file: Promise<SeaFile> | undefined;
function seaFile(): Promise<SeaFile> {
  file ??= openSeaFile(inject('demoCharts'));
  return file;
}

const idsOf = (sea: SeaFile, zooms: readonly number[]): SquareId[] =>
  [...sea.packed.values()].filter(({ z }) => zooms.includes(z)).map(({ z, x, y }) => ({ z, x, y }));

/** At most `count` items, evenly spaced in the list. */
const some = <T>(list: readonly T[], count: number): T[] =>
  list.filter((_, i) => i % Math.ceil(list.length / count) === 0);

describe('squares of the sea', () => {
  test('squares of the sea equal those of the archive, with or without cached data, read one by one or together, in any order', async () => {
    const sea = await seaFile();
    const ids = SEA_ZOOMS.flatMap((zoom) => some(idsOf(sea, [zoom]), 12));
    const plain = (square: CompactSquare | undefined) => {
      if (square === undefined) return undefined;
      const { cells, ...rest } = square;
      const { levels, ...columns } = cells;
      const digests = levels.map(({ entries, starts }) => [
        Buffer.from(entries.buffer).toString('base64'),
        starts,
      ]);
      return [digests, columns, rest];
    };
    const wanted = ids.map(({ z, x, y }) =>
      plain(
        compactSquare(
          decodeSquare(
            new Uint8Array(inflateSync(sea.packed.get(`${z}/${x}/${y}`)!.deflated)),
          ) as SeaSquare,
        ),
      ),
    );
    const together = await freshIsolate();
    const all = together.store();
    expect(all.square(ids[0]!.z, ids[0]!.x, ids[0]!.y)).toBeUndefined();
    await all.fetchSquares(ids);
    expect(ids.map(({ z, x, y }) => plain(all.square(z, x, y)))).toEqual(wanted);

    const alone = await freshIsolate();
    const one = alone.store();
    const backwards: unknown[] = [];
    for (const { z, x, y } of [...ids].reverse()) {
      await one.fetchSquares([{ z, x, y }]);
      backwards.push(plain(one.square(z, x, y)));
    }
    expect(backwards.reverse()).toEqual(wanted);

    const warm = together.store();
    const before = together.cost.bucketReads;
    await warm.fetchSquares(ids.slice(0, 20));
    expect(together.cost.bucketReads).toBe(before);
    expect(plain(warm.square(ids[3]!.z, ids[3]!.x, ids[3]!.y))).toEqual(wanted[3]);
  });

  test('squares of the sea of all zooms along 100 km take at most 12 reads without cached data (seed 20260604)', async () => {
    const sea = await seaFile();
    const random = seededRandom(20_260_604);
    const fine = idsOf(sea, [14]);
    const reads: number[] = [];
    for (let trip = 0; trip < 20; trip++) {
      const start = fine[Math.floor(random() * fine.length)]!;
      const isolate = await freshIsolate();
      const store = isolate.store();
      for (const ids of alongWay(sea, start, 2 * Math.PI * random())) {
        await store.fetchSquares(ids);
      }
      reads.push(isolate.cost.bucketReads);
    }
    reads.sort((a, b) => a - b);
    expect(reads[Math.floor(0.95 * reads.length)]).toBeLessThanOrEqual(12);
  });

  test('squares of the sea that are not stored are 503', async () => {
    const isolate = await freshIsolate();
    await expectUnavailable(isolate.store().fetchSquares([{ z: 14, x: 3, y: 3 }]));
    await expectUnavailable(isolate.store().fetchSquares([{ z: 8, x: 60, y: 140 }]));
  });

  const FAULTS: Readonly<Record<string, Spoil>> = {
    'an archive that is gone': () => undefined,
    'an archive cut off': (bytes) => bytes.slice(0, bytes.length / 2),
    'an archive of zeros': (bytes) => new Uint8Array(bytes.length),
    'flipped bytes': (bytes) => bytes.map((b, i) => (i > 20_000 && i % 997 === 0 ? b ^ 0x10 : b)),
    'storage that throws': () => {
      throw new Error('storage is down');
    },
  };
  test.each(Object.entries(FAULTS))('%s is 503 until it is repaired', async (_, spoil) => {
    const sea = await seaFile();
    const isolate = await freshIsolate();
    isolate.spoil = spoil;
    const ids = some(idsOf(sea, [2, 14]), 4);
    await expectUnavailable(isolate.store().fetchSquares(ids));
    isolate.spoil = (bytes) => bytes;
    const store = isolate.store();
    await store.fetchSquares(ids);
    expect(ids.every(({ z, x, y }) => store.square(z, x, y) !== undefined)).toBe(true);
  });

  test('a build without an archive of routes is 503', async () => {
    const manifest = manifestOf(inject('demoCharts'));
    const archives = manifest.archives.filter(({ tileset }) => tileset !== 'enc-route-v1');
    const isolate = await freshIsolate({ ...manifest, archives } as Manifest);
    await expectUnavailable(isolate.store().fetchSquares([{ z: 2, x: 0, y: 0 }]));
  });
});

async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toMatchObject({ status: 503, code: 'charts_unavailable' });
}

/** All stored squares within a kilometre or so of a straight way of 100 km, zoom by zoom. */
function alongWay(sea: SeaFile, start: SquareId, angle: number): SquareId[][] {
  const side = 2 ** start.z;
  const [x0, y0] = [(start.x + 0.5) / side, (start.y + 0.5) / side];
  const unit = 100_000 / (40_075_017 * Math.cos(latitudeOf(y0)));
  const [dx, dy] = [unit * Math.cos(angle), unit * Math.sin(angle)];
  return SEA_ZOOMS.map((zoom: SeaZoom) => {
    const found = new Map<string, SquareId>();
    for (let k = 0; k <= 2000; k++) {
      const t = k / 2000;
      for (const [ox, oy] of [
        [0, 0],
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const) {
        const x = Math.floor((x0 + t * dx + (ox * unit) / 100) * 2 ** zoom);
        const y = Math.floor((y0 + t * dy + (oy * unit) / 100) * 2 ** zoom);
        if (sea.packed.has(`${zoom}/${x}/${y}`)) found.set(`${x}/${y}`, { z: zoom, x, y });
      }
    }
    return [...found.values()];
  });
}

function latitudeOf(y: number): number {
  return latitudeAt(y) * (Math.PI / 180);
}
