// Second stage: decide which cell shows where, and cut the cells into tiles. If a cell cannot be
// cut, the others are planned again without it, so that coarser cells take its place.

import { existsSync } from 'node:fs';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { BackgroundSource } from '../background/background-layers.ts';
import { copyEntry, digestOf } from './build-cache.ts';
import { ask, type BuildContext, BuildStopped, demand, refusalOf } from './build-context.ts';
import { openFormerResults } from './former-results.ts';
import type { FormerBackground, SliceJob } from './jobs.ts';
import { type OwnerPlan, readQuiltPlan } from './quilt-plan.ts';
import type { ScannedCell } from './scan-stage.ts';
import { TILESETS, type Tileset } from './tilesets.ts';
import type { Outcome } from './worker-pool.ts';

interface Sliced {
  /** Paths of the packs of each tileset: the background's first, then the cells' in order. */
  readonly packs: Readonly<Record<Tileset, readonly string[]>>;
  /** Why a cell was left out, by its name. */
  readonly refusals: ReadonlyMap<string, Problem>;
}

/** Plan and slice until no cell fails. Returns the paths of the packs in the cache. */
export async function sliceCells(
  context: BuildContext,
  cells: readonly ScannedCell[],
  background: BackgroundSource,
): Promise<Sliced> {
  const refusals = new Map<string, Problem>();
  for (;;) {
    const used = cells.filter((cell) => !refusals.has(cell.scan.name));
    const round = await sliceRound(context, used, background);
    if (round.failed.size === 0) return { packs: round.packs, refusals };
    for (const [name, problem] of round.failed) refusals.set(name, problem);
  }
}

async function sliceRound(
  context: BuildContext,
  cells: readonly ScannedCell[],
  background: BackgroundSource,
) {
  const plans = await planCells(context, cells);
  const packs = Object.fromEntries(TILESETS.map((tileset) => [tileset, []])) as never as Record<
    Tileset,
    string[]
  >;
  const failed = new Map<string, Problem>();
  const former = formerGround(context, background);
  const known = former.find(filesOf) ?? formerGround(onlyShared(context), background).find(filesOf);
  const jobs = plans.flatMap((owner, i) =>
    sliceJobs(context, owner, cells[i - 1], { background, former: known }),
  );
  context.progress.start('Cutting tiles', jobs.length);
  // The longest first, so that no worker starts a long job when all others are done.
  const longestFirst = [...jobs].sort((a, b) => b.weight - a.weight);
  await Promise.all(
    longestFirst.map(async ({ job, name, isCached }) => {
      const outcome = isCached ? undefined : await cut(context, job);
      context.progress.step(name);
      if (outcome?.ok === true) context.work.sliced.add(name);
      if (outcome?.ok === false) failed.set(name, refusalOf('tiling', name, outcome));
    }),
  );
  for (const { job } of jobs) {
    for (const tileset of TILESETS) {
      const path = job.packs[tileset];
      if (path !== undefined) packs[tileset].push(path);
    }
  }
  const fault = failed.get(BACKGROUND_NAME);
  if (fault !== undefined) throw new BuildStopped(fault.message);
  const grounds = jobs.filter(({ job }) => job.source.kind === 'background');
  const latest = {
    plan: plans[0]!,
    packs: Object.assign({}, ...grounds.map(({ job }) => job.packs)),
  };
  former.save(latest);
  if (known === undefined) share(context, background, latest);
  return { packs, failed };
}

const formerGround = (context: BuildContext, { digest }: BackgroundSource) =>
  openFormerResults<FormerBackground>(context, 'background', digest);

const filesOf = ({ plan, packs }: FormerBackground): readonly string[] => [
  plan.pack,
  ...Object.values(packs),
];

const onlyShared = (context: BuildContext): BuildContext => ({ ...context, cache: context.shared });

/**
 * Copy the background to the shared cache, so that builds into other folders cut only what differs from it.
 * Copies, because results in the cache of one folder may be deleted or damaged.
 */
function share(
  context: BuildContext,
  background: BackgroundSource,
  latest: FormerBackground,
): void {
  const { shared, cache, pool } = context;
  if (shared === cache || !Number.isFinite(pool.size)) return;
  for (const path of filesOf(latest)) copyEntry(path, shared.own(path));
  formerGround(onlyShared(context), background).save(latest);
}

/**
 * Cut an owner in one job. If that runs out of memory, cut it tileset by tileset, each in a job
 * with a worker of its own.
 */
async function cut(context: BuildContext, job: SliceJob): Promise<Outcome<unknown>> {
  const whole = await ask(context, job);
  if (whole.ok || whole.reason !== 'out-of-memory') return whole;
  for (const tileset of TILESETS) {
    const path = job.packs[tileset];
    if (path === undefined || existsSync(path)) continue;
    const outcome = await ask(context, { ...job, packs: { [tileset]: path } });
    if (!outcome.ok) return outcome;
  }
  return { ok: true, value: undefined };
}

/** The plans of the background and of each cell, in order. */
async function planCells(
  context: BuildContext,
  cells: readonly ScannedCell[],
): Promise<readonly OwnerPlan[]> {
  const found = cells.flatMap(({ scan }) => scan.found ?? []);
  context.progress.start('Planning', 1);
  // Most updates change no coverage, so the plan stays.
  const key = digestOf('plan', context.code, ...found.map(({ ground }) => ground));
  const out = context.cache.path('plans', key);
  if (!context.cache.has('plans', key)) {
    const coverages = found.map(({ coverage }) => coverage);
    const job = { kind: 'plan', coverages, out } as const;
    await demand(context, job, 'Deciding which cell shows where');
  }
  context.progress.step('quilt');
  return readQuiltPlan(out);
}

const BACKGROUND_NAME = 'background';

const coastsOf = ({ shared }: BuildContext, { digest }: BackgroundSource): string =>
  shared.path('coasts', digestOf('coasts', digest));

interface PlannedSlice {
  readonly job: SliceJob;
  readonly name: string;
  /** Estimated duration, relative to the others. */
  readonly weight: number;
  readonly isCached: boolean;
}

/** The tilesets that one job cuts: the owner is read once for all its tiles. */
const WHOLE: readonly (readonly Tileset[])[] = [TILESETS];
/** The background takes longest, so several workers cut it. */
const BACKGROUND_JOBS: readonly (readonly Tileset[])[] = [
  ['enc-route-v1'],
  ['enc-v2', 'data-geojson-v1', 'enc-query-v1', 'enc-names-v1'],
  ['data-shoreline-v1'],
];

const tilesetsOf = ({ pool }: BuildContext, cell: ScannedCell | undefined) =>
  cell !== undefined || pool.size === 1 ? WHOLE : BACKGROUND_JOBS;

/** The jobs of one owner. @param cell undefined for the background */
function sliceJobs(
  context: BuildContext,
  plan: OwnerPlan,
  cell: ScannedCell | undefined,
  {
    background,
    former,
  }: { readonly background: BackgroundSource; readonly former: FormerBackground | undefined },
): readonly PlannedSlice[] {
  const source: SliceJob['source'] =
    cell === undefined
      ? { kind: 'background', background, coasts: coastsOf(context, background), former }
      : { kind: 'cell', location: cell.location, digest: cell.scan.digest };
  const bytes = cell === undefined ? background.digest : cell.scan.digest;
  return tilesetsOf(context, cell).map((tilesets) => {
    const keys = tilesets.map((tileset) => digestOf(tileset, bytes, plan.digest, context.code));
    const packs = Object.fromEntries(
      tilesets.map((tileset, i) => [tileset, context.cache.path('packs', keys[i]!)]),
    );
    return {
      job: { kind: 'slice', source, plan, packs },
      name: cell?.scan.name ?? BACKGROUND_NAME,
      weight: cell?.scan.found?.features ?? Number.POSITIVE_INFINITY,
      isCached: keys.every((key) => context.cache.has('packs', key)),
    };
  });
}
