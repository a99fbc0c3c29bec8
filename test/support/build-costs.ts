// Runs a build in a separate process and reports the processor time of its parts: `build-costs.ts OUT FOLDER…`.
// Jobs run one after the other in one thread, tileset by tileset. The last line of output is JSON, a `BuildCosts`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTE_TILESET } from '../../shared/route/sheets.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import type { BuildPool } from '../../tiles-build/pipeline/build-context.ts';
import { doJob } from '../../tiles-build/pipeline/do-job.ts';
import type { BuildAnswer, BuildJob, SliceJob } from '../../tiles-build/pipeline/jobs.ts';
import { TILESETS, type Tileset } from '../../tiles-build/pipeline/tilesets.ts';

/** The parts of a build for one tileset. */
export type TilesetPart = 'cells cut' | 'background cut' | 'tiles joined' | 'archive written';

export interface BuildCosts {
  /** Processor time per tileset, in seconds. */
  readonly tilesets: Readonly<Record<Tileset, Readonly<Record<TilesetPart, number>>>>;
  /** Processor time of work done once for all tilesets, in seconds. */
  readonly shared: Readonly<
    Record<'cells scanned' | 'quilt planned' | 'cells read' | 'background read', number>
  >;
}

/** Build charts of the cells in some folders without a cache, and measure its parts. */
export function measureCosts(folders: readonly string[], out: string): BuildCosts {
  const child = spawnSync(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(import.meta.url), out, ...folders],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (child.status !== 0) throw new Error(`the build ended with ${child.status}: ${child.stderr}`);
  return JSON.parse(child.stdout.trim().split('\n').at(-1)!) as BuildCosts;
}

/** The same numbers while they are added up. */
interface Sums {
  readonly tilesets: Record<Tileset, Record<TilesetPart, number>>;
  readonly shared: Record<keyof BuildCosts['shared'], number>;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function timed<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const before = cpuSeconds();
  const result = await work();
  return [result, cpuSeconds() - before];
}

/** Runs jobs in this thread, one after the other, and adds up their times. */
function measuringPool({ tilesets, shared }: Sums): BuildPool {
  const slice = async (job: SliceJob): Promise<BuildAnswer> => {
    const isCell = job.source.kind === 'cell';
    // Without tilesets the owner is read but not cut.
    const [, reading] = await timed(() => doJob({ ...job, packs: {} }));
    shared[isCell ? 'cells read' : 'background read'] += reading;
    for (const tileset of TILESETS) {
      const path = job.packs[tileset];
      if (path === undefined) continue;
      const [, seconds] = await timed(() => doJob({ ...job, packs: { [tileset]: path } }));
      tilesets[tileset][isCell ? 'cells cut' : 'background cut'] += Math.max(0, seconds - reading);
    }
    return { kind: 'slice' };
  };
  const measured = async (job: BuildJob): Promise<BuildAnswer> => {
    if (job.kind === 'slice') return slice(job);
    const [answer, seconds] = await timed(() => doJob(job));
    if (job.kind === 'scan') shared['cells scanned'] += seconds;
    else if (job.kind === 'plan') shared['quilt planned'] += seconds;
    else if (job.kind === 'merge') tilesets[job.tileset]['tiles joined'] += seconds;
    else tilesets[ROUTE_TILESET]['tiles joined'] += seconds;
    return answer;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    size: 1,
    run: (job) => {
      const done = last.then(() => measured(job));
      last = done;
      return done.then((value) => ({ ok: true, value }) as const);
    },
    close: () => Promise.resolve(),
  };
}

async function main([out, ...folders]: readonly string[]): Promise<void> {
  const none = { 'cells cut': 0, 'background cut': 0, 'tiles joined': 0, 'archive written': 0 };
  const sums: Sums = {
    tilesets: Object.fromEntries(
      TILESETS.map((tileset) => [tileset, { ...none }]),
    ) as Sums['tilesets'],
    shared: { 'cells scanned': 0, 'quilt planned': 0, 'cells read': 0, 'background read': 0 },
  };
  let isWriting = false;
  let before = 0;
  await buildCharts({
    enc: folders,
    out: out!,
    sharedCache: join(out!, '.cache', 'shared'),
    jobs: 1,
    processedAt: 0,
    pool: measuringPool(sums),
    progress: {
      start: (stage) => {
        isWriting = stage === 'Writing archives';
        before = cpuSeconds();
      },
      step: (detail) => {
        if (!isWriting) return;
        sums.tilesets[detail as Tileset]['archive written'] += cpuSeconds() - before;
        before = cpuSeconds();
      },
    },
  });
  process.stdout.write(`${JSON.stringify(sums satisfies BuildCosts)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
