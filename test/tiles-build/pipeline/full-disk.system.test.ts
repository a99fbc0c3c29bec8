// Builds on a machine that fails: the build ends with the reason. Cells are left out only for faults of
// the cells.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FolderInUse } from '../../../tiles-build/archive/folder-lock.ts';
import { createPackWriter } from '../../../tiles-build/archive/pack.ts';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { type BuildProgress, BuildStopped } from '../../../tiles-build/pipeline/build-context.ts';
import { keptThread } from '../../support/build-threads.ts';
import { charts } from '../../support/charts-command.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const scratch = scratchFolder();
const cells = join(scratch, 'cells');
const background = join(scratch, 'background');
beforeAll(() => {
  writeSmallCells(cells, latticeOf(2, 1, [10, 50]));
  writeSmallBackground(background, [10.05, 50]);
});

describe('a build on a failing machine', () => {
  it('removes unfinished files of killed builds, and stops if the disk is full while a cell is cut', async () => {
    const out = join(scratch, 'full');
    const packs = join(out, '.cache', 'packs');
    const parts = join(out, 'parts');
    for (const folder of [packs, parts]) mkdirSync(folder, { recursive: true });
    // No process has this number: Linux has at most four million.
    for (const path of [join(packs, 'x.pack'), join(parts, 'enc-v2.pmtiles')]) {
      writeFileSync(`${path}.4999999.part`, 'half');
    }
    const built = buildCharts({
      enc: [cells],
      background,
      out,
      jobs: 1,
      worker: new URL('./support/full-disk-worker.ts', import.meta.url),
    });
    await expect(built).rejects.toThrow(BuildStopped);
    await expect(built).rejects.toThrow(
      /^The build stopped: the disk is full\. .*run the same command again/s,
    );
    expect(readdirSync(out).sort()).toEqual(['.cache', 'parts']);
    expect(readdirSync(parts)).toEqual([]);
    expect(readdirSync(packs).filter((name) => name.includes('4999999'))).toEqual([]);
    // With free space, both cells are used.
    const { manifest } = await buildCharts({
      enc: [cells],
      background,
      out,
      jobs: 1,
      pool: keptThread(),
    });
    expect(manifest.cells.map(({ status }) => status)).toEqual(['used', 'used']);
  });

  it('rejects a second build into the same folder and names the running process', async () => {
    const out = join(scratch, 'two');
    const second: Promise<unknown>[] = [];
    const build = (progress?: BuildProgress) =>
      buildCharts({ enc: [cells], background, out, jobs: 1, pool: keptThread(), progress });
    const { manifest } = await build({
      start: () => {
        if (second.length === 0) second.push(build().catch((error: unknown) => error));
      },
      step: () => undefined,
    });
    const [error] = await Promise.all(second);
    expect(error).toBeInstanceOf(FolderInUse);
    expect((error as Error).message).toContain(`process ${process.pid} of`);
    expect(manifest.cells.map(({ status }) => status)).toEqual(['used', 'used']);
    expect((await build()).work.sliced).toEqual([]);
  });

  it('reports a folder that cannot be written without a stack trace', async () => {
    const out = join(scratch, 'a-file');
    writeFileSync(out, '');
    const { code, notes } = await charts('build', '--enc', cells, '--out', out);
    expect(code).toBe(1);
    expect(notes).toContain(out);
    expect(notes).not.toMatch(/^\s+at /m);
  });

  it('leaves no unfinished file if a pack cannot be finished', () => {
    const path = join(scratch, 'taken.pack');
    mkdirSync(path);
    const writer = createPackWriter(path);
    expect(() => writer.finish()).toThrow();
    expect(readdirSync(scratch).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
