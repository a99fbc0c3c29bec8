// The background of a build after another one: cut only where the cells changed, with all other tiles of
// the former build, it equals a background that is cut from nothing.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openPack, readPack } from '../../../tiles-build/archive/pack.ts';
import { findBackground } from '../../../tiles-build/background/background-layers.ts';
import { readQuiltPlan, writeQuiltPlan } from '../../../tiles-build/pipeline/quilt-plan.ts';
import { sliceOwner } from '../../../tiles-build/pipeline/slice-owner.ts';
import { TILESETS } from '../../../tiles-build/pipeline/tilesets.ts';
import { type Coverage, DEGREE } from '../../../tiles-build/quilt/coverage.ts';
import { areaFeature, writeLayer } from '../../support/background-files.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_127;
const CHANGES = isLong ? 24 : 3;
const CUT = ['enc-v2', 'data-shoreline-v1', 'enc-route-v1'] as const;

const scratch = scratchFolder();
const folder = join(scratch, 'background');
const background = () => findBackground(folder);
const random = seededRandom(SEED);
const between = (least: number, most: number) => least + random() * (most - least);

/** A ring of many vertices around a place. */
function island(x: number, y: number, radius: number, vertices: number) {
  const ring = Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices;
    const r = radius * between(0.6, 1);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)] as const;
  });
  return [...ring, ring[0]!];
}

beforeAll(() => {
  mkdirSync(folder);
  const islands = [
    island(10, 50, 5, 400),
    island(20, 45, 1, 50),
    island(178.5, 10, 1.4, 60),
    island(-30, -60, 8, 200),
    ...Array.from({ length: 20 }, () => island(between(5, 15), between(46, 54), 0.2, 20)),
  ];
  writeLayer(
    folder,
    'ne_10m_land',
    islands.map((ring) => areaFeature([ring])),
  );
  const line = [
    [8, 44],
    [12, 47],
    [16, 56],
  ];
  writeLayer(folder, 'maritime_boundaries', [
    {
      type: 'Feature',
      properties: { name: 'A boundary' },
      geometry: { type: 'LineString', coordinates: line },
    },
  ]);
});

let cells = 0;

/** A cell near the islands, sometimes across 180°, and sometimes side by side with others. */
function cellAt(band = 1 + Math.floor(random() * 5)): Coverage {
  const size = [8, 4, 2, 1, 0.25][band - 1]!;
  const [x, y] =
    random() < 0.2 ? [between(177, 180), between(8, 12)] : [between(5, 22), between(43, 56)];
  const snapped = (value: number) => Math.round(value / size) * size * DEGREE;
  const [left, bottom] = [snapped(x), -snapped(y)];
  const [right, top] = [left + size * DEGREE, bottom - size * DEGREE];
  // Some cover ground without charting it.
  const middle = random() < 0.3 ? (left + right) / 2 : right;
  return {
    name: `ZZ${band}${String(cells++).padStart(5, '0')}`,
    usageBand: band,
    scaleDenominator: [3_000_000, 1_000_000, 200_000, 80_000, 20_000][band - 1]!,
    editionDate: '20260101',
    rings: [[left, top, right, top, right, bottom, left, bottom]],
    ...(middle < right && { bare: [[middle, top, right, top, right, bottom, middle, bottom]] }),
    box: { left, right, top, bottom },
  };
}

/** The same cells, but the widest one has lost its land and water, or has them again. */
function surveyedAgain(coverages: readonly Coverage[]): Coverage[] {
  const widest = coverages.toSorted((a, b) => a.usageBand - b.usageBand)[0]!;
  const { bare: had, ...rest } = widest;
  const again = had === undefined ? { ...rest, bare: rest.rings } : rest;
  return coverages.map((one) => (one === widest ? again : one));
}

async function planOf(coverages: readonly Coverage[], name: string) {
  const path = join(scratch, `${name}.plan`);
  await writeQuiltPlan(coverages, path);
  return readQuiltPlan(path)[0]!;
}

async function cut(name: string, job: Omit<Parameters<typeof sliceOwner>[0], 'packs'>) {
  const packs = Object.fromEntries(
    TILESETS.map((tileset) => [tileset, join(scratch, `${name}-${tileset}.pack`)]),
  );
  await sliceOwner({ ...job, packs });
  return packs as Readonly<Record<(typeof TILESETS)[number], string>>;
}

const recordsIn = (path: string) =>
  [...readPack(openPack(path))].map(
    ({ tileId, bytes }) => `${tileId} ${Buffer.from(bytes).toString('base64')}`,
  );

/** Ids of the tiles whose records differ. */
function differences(found: readonly string[], expected: readonly string[]): readonly string[] {
  const [isFound, isExpected] = [new Set(found), new Set(expected)];
  return [
    ...found.filter((one) => !isExpected.has(one)),
    ...expected.filter((one) => !isFound.has(one)),
  ].map((record) => record.split(' ')[0]!);
}

it(`equals a background cut from nothing after ${CHANGES} changes (seed ${SEED})`, async () => {
  const source = {
    kind: 'background',
    background: background(),
    coasts: join(scratch, 'coasts.pack'),
  } as const;
  let coverages = Array.from({ length: 12 }, () => cellAt());
  let plan = await planOf(coverages, 'first');
  let packs = await cut('first', { kind: 'slice', plan, source });
  for (let change = 0; change < CHANGES; change++) {
    coverages =
      change % 3 === 2
        ? surveyedAgain(coverages)
        : [...coverages.slice(change % 2), cellAt(change % 3 === 0 ? 5 : undefined)];
    const next = await planOf(coverages, `${change}`);
    const whole = await cut(`${change}-whole`, { kind: 'slice', plan: next, source });
    const former = { plan, packs };
    const changed = await cut(`${change}-changed`, {
      kind: 'slice',
      plan: next,
      source: { ...source, former },
    });
    for (const tileset of CUT) {
      const differing = differences(recordsIn(changed[tileset]), recordsIn(whole[tileset]));
      expect(differing, `tiles of ${tileset}, change ${change}`).toEqual([]);
    }
    [plan, packs] = [next, changed];
  }
});
