// Results that builds of different cells share: they are made once, and equal those of separate builds.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BuildOptions, buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { openSharedCache } from '../../../tiles-build/pipeline/shared-cache.ts';
import { areaFeature, writeLayer } from '../../support/background-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { manifestOf } from '../../support/manifest-of.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type Corner, latticeOf, writeSmallCells } from '../../support/small-cells.ts';

const scratch = scratchFolder();
const background = join(scratch, 'background');
beforeAll(() => writeLayer(background, 'ne_10m_land', islands(4)));

/** Islands all over the world, including one at the cells below. */
function islands(count: number): object[] {
  const random = seededRandom(20_261_122);
  return Array.from({ length: count }, (_, i) => {
    const [west, south] = i === 0 ? [9.9, 49.9] : [(random() - 0.5) * 350, (random() - 0.5) * 150];
    const corners = 24;
    const ring = Array.from({ length: corners }, (_corner, k) => {
      const [angle, radius] = [(k / corners) * 2 * Math.PI, 0.3 + 0.3 * random()];
      return [west + radius * Math.cos(angle), south + radius * Math.sin(angle)] as const;
    });
    return areaFeature([[...ring, ring[0]!]]);
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
  const { archives } = manifestOf(out);
  return { work, archives };
}

function cellsAt(corner: Corner): string {
  const folder = newFolder();
  writeSmallCells(folder, latticeOf(1, 1, corner));
  return folder;
}

describe('openSharedCache', () => {
  it('gives other cells and other backgrounds the same bytes as builds that share nothing', async () => {
    const [here, elsewhere] = [cellsAt([10, 50]), cellsAt([-70, -30])];
    const shared = newFolder();
    await build(here, shared);
    const second = await build(elsewhere, shared);
    const alone = await build(elsewhere, newFolder());
    expect(second.archives).toEqual(alone.archives);
    // The second build began with the background of the first, which is still there.
    const packs = join(shared, readdirSync(shared)[0]!, 'packs');
    expect(readdirSync(packs).length).toBeGreaterThan(0);
    // Tiles of the cells are made again, tiles of the background alone are not.
    expect(second.work.sliced).toEqual(alone.work.sliced);
    const taken = alone.work.merged.filter((part) => !second.work.merged.includes(part));
    expect(taken.length).toBeGreaterThan(0);

    const fewer = newFolder();
    writeLayer(fewer, 'ne_10m_land', islands(2));
    const mixed = await build(here, shared, { background: fewer });
    // A folder below a file cannot exist, so this build shares nothing.
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const unshared = await build(here, join(file, 'below'), { background: fewer });
    expect(mixed.archives).toEqual(unshared.archives);
  });

  it('keeps the caches of the newest four versions of the code', () => {
    const folder = newFolder();
    for (const code of ['a', 'b', 'c', 'd', 'e', 'f']) openSharedCache(code, folder);
    const kept = readdirSync(folder);
    expect(kept).toHaveLength(4);
    // Folders may have equal times, so the other kept folders are not checked.
    openSharedCache('g', folder);
    expect(readdirSync(folder)).toContain('g');
    expect(readdirSync(folder)).toHaveLength(4);
  });
});
