// Scans of cells whose files have not changed are found without reading the files.

import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DamagedFile } from '../../../tiles-build/archive/system-error.ts';
import { openBuildCache } from '../../../tiles-build/pipeline/build-cache.ts';
import type { CellLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { openKnownScans } from '../../../tiles-build/pipeline/known-scans.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const scratch = scratchFolder();
let folders = 0;

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** A cell, and how a build finds its scan at a time after the file was written. */
async function builds() {
  const folder = join(scratch, `${folders++}`);
  mkdirSync(join(folder, 'cache'), { recursive: true });
  const path = join(folder, 'ZZ5KNOWN.000');
  const box = [20, 50, 20.1, 50.1] as const;
  const areas = [
    ['M_COVR', box, { CATCOV: 1 }],
    ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
  ] as const;
  writeFileSync(
    path,
    writtenBytes({ name: 'ZZ5KNOWN', usageBand: 5, scaleDenominator: 10_000, areas: [...areas] }),
  );
  const location: CellLocation = {
    name: 'ZZ5KNOWN',
    base: { name: 'ZZ5KNOWN.000', path },
    updates: [],
  };
  const cache = openBuildCache(join(folder, 'cache'));
  const build = async (secondsLater: number) => {
    vi.setSystemTime(statSync(path).ctimeMs + 1000 * secondsLater);
    const known = openKnownScans(cache, 'code');
    const found = known.find(location);
    const { scan, key } = found ?? (await scanCell(location, cache.folder, 'code'));
    if (found === undefined) known.add(location, key);
    known.save();
    return { isKnown: found !== undefined, scan };
  };
  return { path, cache, build };
}

it('finds the scan of an unchanged cell', async () => {
  const { build } = await builds();
  const first = await build(10);
  expect(first.isKnown).toBe(false);
  expect(await build(20)).toEqual({ isKnown: true, scan: first.scan });
});

it('reads a cell again that changed but has the same size and time', async () => {
  const { build, path } = await builds();
  await build(10);
  const { atime, mtime } = statSync(path);
  const bytes = readFileSync(path);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(path, bytes);
  utimesSync(path, atime, mtime);
  expect((await build(20)).isKnown).toBe(false);
});

it('does not trust the state of a file that changed just before it was read', async () => {
  const { build } = await builds();
  await build(1);
  expect((await build(20)).isKnown).toBe(false);
  expect((await build(30)).isKnown).toBe(true);
});

it('names a damaged scan, and makes it again', async () => {
  const { build, cache } = await builds();
  const { scan } = await build(10);
  for (const name of readdirSync(join(cache.folder, 'scans'))) {
    const path = join(cache.folder, 'scans', name);
    if (readFileSync(path, 'utf8').includes('ZZ5KNOWN')) writeFileSync(path, '{}\n1\n');
  }
  await expect(build(20)).rejects.toThrow(DamagedFile);
  expect(await build(20)).toEqual({ isKnown: false, scan });
});
