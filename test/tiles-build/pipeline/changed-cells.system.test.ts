// Builds of a few small cells after some changed, were removed or became unusable: only their part is
// built again, and the result equals a build from nothing.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PartIndex } from '../../../shared/chart/part-index.ts';
import { regionName } from '../../../shared/chart/part-line.ts';
import { type BuildOptions, buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { changeCells } from '../../support/change-cells.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import {
  type Corner,
  latticeOf,
  writeSmallBackground,
  writeSmallCells,
} from '../../support/small-cells.ts';
import { type WrittenPlan, writtenBytes } from '../../support/written-chart.ts';

/** Two neighbours and a distant cell. The ends of their names are numbers in base 36. */
const CORNERS: Readonly<Record<string, Corner>> = {
  ZZ5000PE: [10, 50],
  ZZ5000QF: [10.05, 50],
  ZZ5000SI: [12, 50],
};
/** A cell of the next coarser band below the neighbours. */
const COARSE = 'ZZ4000PG';
const CELLS = [COARSE, 'ZZ5000PE', 'ZZ5000QF', 'ZZ5000SI'];

const SEED = 20_261_127;
const CHANGES = isLong ? 20 : 2;

const scratch = scratchFolder();
const background = join(scratch, 'background');
let folders = 0;
const newFolder = (name: string): string => {
  const folder = join(scratch, `${name}-${folders++}`);
  mkdirSync(folder);
  return folder;
};

const pathOf = (folder: string, name: string) => join(folder, name, `${name}.000`);

/** A folder with some cells. */
function cellsFolder(names: readonly string[] = CELLS): string {
  const folder = newFolder('cells');
  for (const name of names) {
    const corner = CORNERS[name];
    if (corner !== undefined) {
      writeSmallCells(folder, [corner], Number.parseInt(name.slice(3), 36));
      continue;
    }
    const box = [9.98, 49.98, 10.12, 50.08] as const;
    const plan: WrittenPlan = {
      name,
      usageBand: 4,
      scaleDenominator: 50_000,
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', box, { DRVAL1: 20, DRVAL2: 50 }],
      ],
    };
    mkdirSync(join(folder, name));
    writeFileSync(pathOf(folder, name), writtenBytes(plan));
  }
  return folder;
}

const build = (enc: string, out: string, more: Partial<BuildOptions> = {}) =>
  buildCharts({ enc: [enc], out, background, jobs: 1, pool: keptThread(), ...more });

const buildFromNothing = (enc: string, out: string) =>
  build(enc, out, { sharedCache: newFolder('shared') });

// One test spends most of its time waiting for a cell that hangs.
describe.concurrent('building changed cells', () => {
  let cache: string;
  let enc: string;
  let first: Awaited<ReturnType<typeof build>>;
  beforeAll(async () => {
    writeSmallBackground(background, [10.05, 50]);
    enc = cellsFolder();
    cache = newFolder('cache');
    first = await build(enc, newFolder('charts'), { cache });
  });

  it('deletes entries of its cache that no build used for a month', async () => {
    const own = newFolder('cache');
    const [old, recent] = ['old', 'recent'].map((name) => join(own, 'packs', `${name}.pack`));
    mkdirSync(join(own, 'packs'));
    for (const [path, days] of [[old!, 31] as const, [recent!, 29] as const]) {
      writeFileSync(path, '');
      const at = new Date(Date.now() - days * 86_400_000);
      utimesSync(path, at, at);
    }
    await build(cellsFolder(['ZZ5000SI']), newFolder('charts'), { cache: own });
    expect([old!, recent!].map((path) => existsSync(path))).toEqual([false, true]);
  });

  it('leaves out cells that hang or crash their worker, and fills their place', async () => {
    const [without, withFaults] = [newFolder('charts'), newFolder('charts')];
    const own = newFolder('cache');
    await build(cellsFolder([COARSE, 'ZZ5000SI']), without, { cache: own });
    const { manifest, work } = await build(enc, withFaults, {
      jobs: 2,
      pool: undefined,
      worker: new URL('./support/faulty-worker.ts', import.meta.url),
      // More than a worker takes to start on a busy machine.
      jobTimeoutMs: 20_000,
      cache: own,
    });
    const byName = new Map(manifest.cells.map((cell) => [cell.name, cell]));
    expect(byName.get('ZZ5000QF')).toMatchObject({ status: 'refused' });
    expect(byName.get('ZZ5000QF')!.problems.at(-1)!.code).toBe('tiling-hung');
    expect(byName.get('ZZ5000PE')!.problems.at(-1)!.code).toBe('tiling-crashed');
    expect(work.sliced).not.toContain('ZZ5000QF');
    // The coarser cell shows in their place, as if they did not exist.
    const archives = (folder: string) => {
      const { 'manifest.json': _manifest, ...files } = buildFiles(folder);
      return files;
    };
    expect(archives(withFaults)).toEqual(archives(without));
  });

  it('stops if a cell changes during the build, so that the build can be repeated', async () => {
    const cells = cellsFolder(['ZZ5000SI']);
    const pool = keptThread();
    const run: typeof pool.run = async (job) => {
      // Every cell is read before the plan.
      if (job.kind === 'plan') appendFileSync(pathOf(cells, 'ZZ5000SI'), ' ');
      return pool.run(job);
    };
    const changing = build(cells, newFolder('charts'), { pool: { ...pool, run } });
    await expect(changing).rejects.toThrow(/stopped: the files of ZZ5000SI changed during/);
  });

  it('rebuilds only the part of a changed cell, and equals a build from nothing', async () => {
    const changed = cellsFolder();
    // Change only the issue date.
    const path = pathOf(changed, 'ZZ5000SI');
    const bytes = readFileSync(path);
    bytes.write('20260102', bytes.lastIndexOf('20260101'), 'latin1');
    writeFileSync(path, bytes);

    const out = newFolder('charts');
    const { work } = await build(changed, out, { cache });
    expect(work.scanned).toEqual(['ZZ5000SI']);
    expect(work.sliced).toEqual(['ZZ5000SI']);
    expect(work.merged.length).toBeLessThan(first.work.merged.length);
    const clean = newFolder('charts');
    await buildFromNothing(changed, clean);
    expect(buildFiles(out)).toEqual(buildFiles(clean));
  });

  it('cuts only the cell that an update changes, although it is issued later than its neighbours', async () => {
    const cells = newFolder('cells');
    writeSmallCells(cells, latticeOf(2, 1, [10, 50]));
    const out = newFolder('charts');
    await build(cells, out);
    const name = readdirSync(cells).sort().at(-1)!;
    changeCells(cells, [name]);
    expect((await build(cells, out)).work.sliced).toEqual([name]);
  });

  it(`equals a build from nothing after ${CHANGES} random changes (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const [cells, out] = [newFolder('cells'), newFolder('charts')];
    // On several squares of zoom 11 of one sheet of routes.
    const corners = latticeOf(5, 3, [10, 50]);
    writeSmallCells(cells, corners);
    await build(cells, out);
    for (let change = 0; change < CHANGES; change++) {
      const names = readdirSync(cells).sort();
      const name = names[Math.floor(random() * names.length)]!;
      // A test below removes a cell: that comes third.
      const kind = change % 3;
      if (kind === 0) changeCells(cells, [name]);
      else if (kind === 2) rmSync(join(cells, name), { recursive: true });
      else {
        const corner = corners[Math.floor(random() * corners.length)]!;
        writeSmallCells(cells, [corner], corners.length + change);
      }
      await build(cells, out);
      const clean = newFolder('charts');
      await buildFromNothing(cells, clean);
      expect(buildFiles(out), `change ${change}: ${name}`).toEqual(buildFiles(clean));
    }
  });

  it('takes the results of a cache in another folder, which may then disappear', async () => {
    const of = newFolder('charts');
    await build(enc, of);
    // Other paths: cells are not recognized by the state of their files.
    const more = cellsFolder();
    writeSmallCells(more, [[10.05, 50.05]], 7);
    const next = newFolder('charts');
    cpSync(of, next, { recursive: true });
    // The paths in the cache are no longer right.
    const moved = join(newFolder('moved'), 'cache');
    renameSync(join(of, '.cache'), moved);
    const [out, own] = [newFolder('charts'), newFolder('cache')];
    const { work, mergedTiles } = await build(more, out, { cache: own, reuse: moved });
    const inPlace = await build(more, next);
    expect(work.scanned).toEqual(['ZZ500007']);
    const { written: _, ...madeAgain } = work;
    expect(inPlace.work).toMatchObject(madeAgain);
    expect(mergedTiles).toEqual(inPlace.mergedTiles);
    expect(buildFiles(out)).toEqual(buildFiles(next));
    rmSync(moved, { recursive: true });
    const again = await build(more, newFolder('charts'), { cache: own, reuse: moved });
    expect([again.work.scanned, again.work.sliced, again.work.merged]).toEqual([[], [], []]);
    // Parts of the charts next to a cache are taken, except damaged ones.
    const part = join(next, 'parts', readdirSync(join(next, 'parts'))[0]!);
    writeFileSync(part, readFileSync(part).fill(0, 0, 1));
    const last = newFolder('charts');
    const taken = { cache: newFolder('cache'), reuse: join(next, '.cache') };
    expect((await build(more, last, taken)).work).toEqual({
      ...{ scanned: [], sliced: [], merged: [] },
      written: [expect.any(String)],
    });
    expect(buildFiles(last)).toEqual(buildFiles(out));
  });

  it('writes only the parts of the regions that a changed cell touches', async () => {
    const limits = { partLimits: { wide: 0, narrow: 1 << 30 } };
    const own = newFolder('cache');
    const before = (await build(enc, newFolder('charts'), { cache: own, ...limits })).manifest;
    const changed = cellsFolder();
    const box = [12, 50, 12.04, 50.04] as const;
    const plan: WrittenPlan = {
      name: 'ZZ5000SI',
      usageBand: 5,
      scaleDenominator: 12_000,
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', box, { DRVAL1: 7, DRVAL2: 9 }],
      ],
    };
    writeFileSync(pathOf(changed, 'ZZ5000SI'), writtenBytes(plan));
    const { manifest, work } = await build(changed, newFolder('charts'), { cache: own, ...limits });
    const partsIn = (of: typeof manifest) =>
      of.archives.flatMap((archive) =>
        PartIndex.of(archive).parts.map(
          ({ region, sha256 }) => [`${archive.tileset}:${regionName(region)}`, sha256] as const,
        ),
      );
    const known = new Map(partsIn(before));
    const different = partsIn(manifest).filter(([name, hash]) => known.get(name) !== hash);
    const names = different.map(([name]) => name);
    // The cell is in 5/17/10; the others are in 5/16/10. Names have no place on the map.
    const others = names.filter((name) => !/:base$|^enc-names/.test(name));
    expect(others.length).toBeGreaterThan(2);
    expect(others.filter((name) => !name.endsWith(':5/17/10'))).toEqual([]);
    expect(partsIn(manifest).some(([name]) => name === 'enc-v2:5/16/10')).toBe(true);
    // The folder is new, so all its parts are written; with the folder of the first build, only these.
    expect(work.written).toHaveLength(partsIn(manifest).length);
    const again = newFolder('charts');
    await build(enc, again, { cache: own, ...limits });
    expect((await build(changed, again, { cache: own, ...limits })).work.written).toEqual(
      names.sort(),
    );
  });

  it('cuts only the neighbours again if a cell is removed', async () => {
    // Data tiles are complete tiles of zoom 10, so cells within the same tile count as neighbours. The
    // last cell is in a different tile.
    const fewer = cellsFolder(CELLS.filter((name) => name !== 'ZZ5000QF'));
    const out = newFolder('charts');
    const { work } = await build(fewer, out, { cache });
    expect(work.scanned).toEqual([]);
    expect(work.sliced).not.toContain('ZZ5000SI');
    expect(work.sliced).toContain(COARSE);
    const clean = newFolder('charts');
    await build(fewer, clean);
    expect(buildFiles(out)).toEqual(buildFiles(clean));
  });

  it('reports a cell that cannot be read and builds the others', async () => {
    const broken = cellsFolder(['ZZ5000SI', 'ZZ5000QF']);
    writeFileSync(pathOf(broken, 'ZZ5000QF'), 'this is no cell');
    const { manifest } = await build(broken, newFolder('charts'), { cache });
    const [refused, used] = manifest.cells;
    expect(refused).toMatchObject({ name: 'ZZ5000QF', status: 'refused' });
    expect(refused!.problems.length).toBeGreaterThan(0);
    expect(used).toMatchObject({ name: 'ZZ5000SI', status: 'used' });
  });
});
