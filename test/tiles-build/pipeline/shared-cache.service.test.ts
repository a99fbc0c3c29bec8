// What builds of different cells have in common: it is made once, and comes out as if it had been
// made for each of them.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildOptions, buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { openSharedCache } from '../../../tiles-build/pipeline/shared-cache.ts';
import { keptThread } from '../../support/build-threads.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type Corner, latticeOf, writeSmallCells } from '../../support/small-cells.ts';

let scratch: string;
let background: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'leadline-shared-'));
  background = join(scratch, 'background');
  mkdirSync(background);
  const features = islands(8).map((ring) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ring] },
  }));
  const layer = JSON.stringify({ type: 'FeatureCollection', features });
  writeFileSync(join(background, 'ne_10m_land.geojson'), layer);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Islands all over the world, those of the cells below among them. */
function islands(count: number): number[][][] {
  const random = seededRandom(20_261_122);
  return Array.from({ length: count }, (_, i) => {
    const [west, south] = i === 0 ? [9.9, 49.9] : [(random() - 0.5) * 350, (random() - 0.5) * 150];
    const corners = 24;
    const ring = Array.from({ length: corners }, (_corner, k) => {
      const [angle, radius] = [(k / corners) * 2 * Math.PI, 0.3 + 0.3 * random()];
      return [west + radius * Math.cos(angle), south + radius * Math.sin(angle)];
    });
    return [...ring, ring[0]!];
  });
}

let folders = 0;
const newFolder = (): string => {
  const folder = join(scratch, `folder-${folders++}`);
  mkdirSync(folder);
  return folder;
};

async function build(cells: string, sharedCache: string, more: Partial<BuildOptions> = {}) {
  const out = newFolder();
  const { work } = await buildCharts({
    enc: [cells],
    out,
    background,
    sharedCache,
    jobs: 1,
    pool: keptThread(),
    processedAt: 0,
    ...more,
  });
  const names = readdirSync(out).filter((name) => name.endsWith('.pmtiles'));
  const archives = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(out, name)).toString('base64')]),
  );
  return { work, archives };
}

function cellsAt(corner: Corner): string {
  const folder = newFolder();
  writeSmallCells(folder, latticeOf(2, 1, corner));
  return folder;
}

test('charts of other cells, and of another background, come out byte for byte as if nothing were shared', async () => {
  const [here, elsewhere] = [cellsAt([10, 50]), cellsAt([-70, -30])];
  const shared = newFolder();
  await build(here, shared);
  const second = await build(elsewhere, shared);
  const alone = await build(elsewhere, newFolder());
  expect(second.archives).toEqual(alone.archives);
  // What is made for the cells is made anew, what is the background's alone is not.
  expect(second.work.sliced).toEqual(alone.work.sliced);
  const taken = alone.work.merged.filter((part) => !second.work.merged.includes(part));
  expect(taken.length).toBeGreaterThan(0);

  const fewer = newFolder();
  const text = readFileSync(join(background, 'ne_10m_land.geojson'), 'utf8');
  const { features } = JSON.parse(text) as { features: unknown[] };
  const layer = JSON.stringify({ type: 'FeatureCollection', features: features.slice(0, 3) });
  writeFileSync(join(fewer, 'ne_10m_land.geojson'), layer);
  const mixed = await build(here, shared, { background: fewer });
  // Below a file there is no folder: nothing can be shared.
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const unshared = await build(here, join(file, 'below'), { background: fewer });
  expect(mixed.archives).toEqual(unshared.archives);
});

test('the newest four versions of the code keep what their builds share', () => {
  const folder = newFolder();
  for (const code of ['a', 'b', 'c', 'd', 'e', 'f']) openSharedCache(code, folder);
  const kept = readdirSync(folder);
  expect(kept).toHaveLength(4);
  // Times of folders may be equal, so which of the others is kept is not said.
  openSharedCache('g', folder);
  expect(readdirSync(folder)).toContain('g');
  expect(readdirSync(folder)).toHaveLength(4);
});
