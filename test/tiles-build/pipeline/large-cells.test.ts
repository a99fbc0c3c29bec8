// A cell whose tiles need more memory than a worker has is cut tileset by tileset before it is left out.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPackWriter } from '../../../tiles-build/archive/pack.ts';
import { openBuildCache } from '../../../tiles-build/pipeline/build-cache.ts';
import type { BuildContext } from '../../../tiles-build/pipeline/build-context.ts';
import type { BuildAnswer, BuildJob } from '../../../tiles-build/pipeline/jobs.ts';
import { writeQuiltPlan } from '../../../tiles-build/pipeline/quilt-plan.ts';
import type { ScannedCell } from '../../../tiles-build/pipeline/scan-stage.ts';
import { sliceCells } from '../../../tiles-build/pipeline/slice-stage.ts';
import { TILESETS } from '../../../tiles-build/pipeline/tilesets.ts';
import type { Outcome } from '../../../tiles-build/pipeline/worker-pool.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenCell } from '../../support/written-chart.ts';

const scratch = scratchFolder();

/** A worker with memory for a number of tilesets of a cell at once; it writes empty packs. */
async function withMemoryFor(tilesets: number, job: BuildJob): Promise<Outcome<BuildAnswer>> {
  if (job.kind === 'plan') {
    await writeQuiltPlan(job.coverages, job.out);
    return { ok: true, value: { kind: 'plan' } };
  }
  if (job.kind !== 'slice') throw new Error(`Unexpected job: ${job.kind}`);
  const paths = Object.values(job.packs);
  for (const [i, path] of paths.entries()) {
    if (job.source.kind === 'cell' && i === tilesets) {
      return { ok: false, reason: 'out-of-memory', message: 'heap out of memory' };
    }
    createPackWriter(path).finish();
  }
  return { ok: true, value: { kind: 'slice' } };
}

function contextOf(folder: string, tilesets: number) {
  const jobs: BuildJob[] = [];
  const cache = openBuildCache(join(scratch, folder));
  const context: BuildContext = {
    pool: {
      size: 1,
      run: (job) => {
        jobs.push(job);
        return withMemoryFor(tilesets, job);
      },
      close: () => Promise.resolve(),
    },
    cache,
    shared: cache,
    code: 'code',
    partLimits: undefined,
    progress: { start: () => undefined, step: () => undefined },
    work: {
      scanned: [],
      sliced: new Set(),
      merged: [],
      written: [],
      mergedTiles: {},
      removedParts: {},
    },
  };
  return { context, jobs };
}

const BACKGROUND = { name: 'land', digest: 'land', layers: [] } as never;

function scanned(name: string): ScannedCell {
  const cell = writtenCell({
    name,
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', [10, 50, 10.1, 50.1], { CATCOV: 1 }],
      ['DEPARE', [10, 50, 10.1, 50.1], { DRVAL1: 5, DRVAL2: 10 }],
    ],
  });
  const found = { header: cell.header, features: 2, coverage: coverageOf(cell), ground: name };
  const scan = { name, digest: name, cancelled: false, problems: [], found };
  return { location: { name, updates: [] }, scan } as never;
}

describe('sliceCells', () => {
  it('cuts a cell tileset by tileset if it is too large to be cut at once', async () => {
    const { context, jobs } = contextOf('one-by-one', 2);
    const { packs, refusals } = await sliceCells(context, [scanned('ZZ5LARGE')], BACKGROUND);
    expect(refusals.size).toBe(0);
    const ofCell = jobs.flatMap((job) =>
      job.kind === 'slice' && job.source.kind === 'cell' ? [Object.keys(job.packs)] : [],
    );
    // Packs written before memory ran out are not written again.
    expect(ofCell).toEqual([[...TILESETS], ...TILESETS.slice(2).map((tileset) => [tileset])]);
    for (const tileset of TILESETS) expect(packs[tileset].length).toBeGreaterThan(0);
  });

  it('leaves out a cell that is too large even for one tileset, with the reason', async () => {
    const { context } = contextOf('not-even-one', 0);
    const { packs, refusals } = await sliceCells(context, [scanned('ZZ5LARGE')], BACKGROUND);
    const problem = refusals.get('ZZ5LARGE');
    expect(problem).toMatchObject({ code: 'tiling-out-of-memory', severity: 'error' });
    expect(problem?.message).toContain('tiling ZZ5LARGE ran out of memory');
    expect(packs['enc-query-v1'].length).toBe(1);
  });
});
