// Builds the whole development set into six quilted archives, on one core and on two. The comparison is
// `ogr2ogr -f MVT`, which writes vector tiles of the same cells at the same zooms, without quilting and
// without the other five archives. The times include the start of the processes. A fourth build runs its
// jobs one after the other in one thread, and shows the cost of each archive, each stage and the
// background. The smallest cell is built alone, without any cached result: most of that is the background.
// With `LEADLINE_FORMER`, the folder of another commit with its packages, that commit builds the same
// cells in the same run.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BAND_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { type Manifest, manifestSchema } from '../../shared/chart/manifest.ts';
import { findCells } from '../../tiles-build/exchange-set/exchange-set.ts';
import { TILESETS } from '../../tiles-build/pipeline/tilesets.ts';
import { type BuildCosts, measureCosts, type TilesetPart } from '../support/build-costs.ts';
import { type Goal, goalLines } from './goals.ts';
import { type Cost, hasTool, sum, timed } from './timed-process.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');
const FORMER = process.env['LEADLINE_FORMER'];

export interface BuildFigures {
  readonly megabytes: number;
  readonly oneCore: Cost;
  readonly twoCores: Cost;
  /** A build into another folder on one core, which reuses the background that is shared between builds. */
  readonly elsewhere: Cost;
  readonly ogr2ogr: Cost | undefined;
  readonly small: Cost;
  /** The whole build and the small one with `LEADLINE_FORMER`. */
  readonly former: readonly [whole: Cost, small: Cost] | undefined;
  readonly costs: BuildCosts;
  readonly checksum: string;
}

/** Runs the bench and prints the result; undefined if the cells are missing. */
export async function run(): Promise<BuildFigures | undefined> {
  const folders = [join(DATA, 'ENC_ROOT'), join(DATA, 'synthetic')].filter(existsSync);
  if (folders.length === 0) {
    console.log(`skipped: no cells in ${DATA} (set LEADLINE_ENC_DIR)`);
    return undefined;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  try {
    const { cells } = await findCells(folders);
    const origins = cells.flatMap((cell) => [cell.base, ...cell.updates].flatMap((f) => f ?? []));
    const bytes = origins.reduce((sum, file) => sum + statSync(file.origin).size, 0);
    const megabytes = bytes / 1e6;
    const oneCore = build(folders, join(scratch, 'one'), 1);
    const twoCores = build(folders, join(scratch, 'two'), 2);
    const elsewhere = build(folders, join(scratch, 'three'), 1, join(scratch, 'one', SHARED));
    const costs = measureCosts(folders, join(scratch, 'four'));
    const checksum = checksumOf(join(scratch, 'one'));
    for (const other of ['two', 'three', 'four']) {
      if (checksum !== checksumOf(join(scratch, other))) {
        throw new Error('Two builds of the same cells did not make the same archives.');
      }
    }
    const manifest = manifestOf(join(scratch, 'one'));
    const bands = new Map(manifest.cells.map((cell) => [cell.name, cell.usageBand]));
    const ogr2ogr = hasTool('ogr2ogr')
      ? cells
          .flatMap(({ name, base }) =>
            base?.origin === undefined ? [] : [{ name, path: base.origin }],
          )
          .map(({ name, path }) => tileWithGdal(path, bands.get(name) ?? 5, join(scratch, name)))
          .reduce(sum)
      : undefined;
    const sizeOf = (path: string | undefined) => (path === undefined ? 0 : statSync(path).size);
    const [least] = [...cells].sort((a, b) => sizeOf(a.base?.origin) - sizeOf(b.base?.origin));
    const one = [least!.base!.origin];
    const small = build(one, join(scratch, 'small'), 1);
    const former =
      FORMER === undefined
        ? undefined
        : ([
            build(folders, join(scratch, 'former'), 1, undefined, FORMER),
            build(one, join(scratch, 'former-small'), 1, undefined, FORMER),
          ] as const);
    const figures = {
      ...{ megabytes, oneCore, twoCores, elsewhere, ogr2ogr, small, former, costs, checksum },
    };
    print(figures, cells.length, manifest);
    return figures;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function print(figures: BuildFigures, cells: number, manifest: Manifest): void {
  const { megabytes, oneCore, twoCores, elsewhere, ogr2ogr, small, former } = figures;
  const line = (name: string, { wallSeconds, cpuSeconds }: Cost) =>
    console.log(
      `${name.padEnd(34)} ${wallSeconds.toFixed(1).padStart(6)} s wall ` +
        `${cpuSeconds.toFixed(1).padStart(6)} s cpu ${(megabytes / wallSeconds).toFixed(2).padStart(6)} MB/s`,
    );
  const tiles = manifest.archives.map((archive) => `${archive.tiles} ${archive.tileset}`);
  console.log(`${cells} cells, ${megabytes.toFixed(1)} MB; tiles: ${tiles.join(', ')}`);
  line('quilted build, one core', oneCore);
  line('quilted build, two cores', twoCores);
  line('into another folder, one core', elsewhere);
  line('the smallest cell alone, one core', small);
  if (former !== undefined) {
    line('quilted build, the former commit', former[0]);
    line('the smallest cell, the former', former[1]);
  }
  if (ogr2ogr === undefined) console.log('ogr2ogr is not installed');
  else line('ogr2ogr -f MVT, unquilted, one core', ogr2ogr);
  if (!hasTool('tippecanoe')) {
    console.log('tippecanoe is not available: neither Debian 12 nor npm has a built package');
  }
  printCosts(figures.costs);
  for (const told of goalLines(goalsOf(figures))) console.log(told);
  console.log(`checksum ${figures.checksum}`);
}

const PARTS: readonly TilesetPart[] = [
  'cells cut',
  'background cut',
  'tiles joined',
  'archive written',
];

function printCosts({ tilesets, shared }: BuildCosts): void {
  const row = (name: string, columns: readonly (string | number)[]) =>
    console.log(
      name.padEnd(24) +
        columns.map((it) => (typeof it === 'number' ? it.toFixed(1) : it).padStart(16)).join(''),
    );
  row('s cpu', [...PARTS, 'together']);
  for (const tileset of TILESETS) {
    const parts = PARTS.map((part) => tilesets[tileset][part]);
    row(tileset, [...parts, total(parts)]);
  }
  const byPart = PARTS.map((part) => total(TILESETS.map((tileset) => tilesets[tileset][part])));
  row('all archives', [...byPart, total(byPart)]);
  for (const [name, seconds] of Object.entries(shared)) row(name, ['', '', '', '', seconds]);
}

const total = (seconds: readonly number[]): number => seconds.reduce((a, b) => a + b, 0);

/** The processor time of the vector archive alone, from cells to the file, and of everything. */
function costsOf({ tilesets, shared }: BuildCosts) {
  const all = total([
    ...TILESETS.flatMap((tileset) => PARTS.map((part) => tilesets[tileset][part])),
    ...Object.values(shared),
  ]);
  const made = tilesets['enc-v2'];
  const vector =
    total(Object.values(shared)) - shared['background read'] + total(Object.values(made));
  return { all, vector: vector - made['background cut'] };
}

/** The goals of a build, and the cause of each miss according to this run. */
function goalsOf(figures: BuildFigures): Goal[] {
  const { megabytes, oneCore, twoCores, elsewhere, ogr2ogr, small, former, costs } = figures;
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const background = 1 - elsewhere.cpuSeconds / oneCore.cpuSeconds;
  const ofBackground = `the background, which is cut unless an earlier build did so, is ${percent(background)} of the processor time`;
  const more = twoCores.cpuSeconds / oneCore.cpuSeconds - 1;
  const idle = 1 - twoCores.cpuSeconds / (2 * twoCores.wallSeconds);
  const { all, vector } = costsOf(costs);
  const ofRouteParts = costs.tilesets['enc-route-v1'];
  const route = total(Object.values(ofRouteParts));
  const ofRoute =
    `of the route archive, cutting the background takes ${ofRouteParts['background cut'].toFixed(1)} s ` +
    `and painting the squares of its coasts and of the cells ${ofRouteParts['tiles joined'].toFixed(1)} s`;
  const ofOthers = `the vector archive of the cells alone takes ${percent(vector / all)} of the processor time`;
  return [
    ...(ogr2ogr === undefined
      ? []
      : [
          {
            name: 'as fast as ogr2ogr -f MVT, by processor time',
            reached: ogr2ogr.cpuSeconds / oneCore.cpuSeconds,
            target: 5,
            cause: `${ofOthers} (${(ogr2ogr.cpuSeconds / vector).toFixed(1)} times as fast as ogr2ogr); ${ofBackground}`,
          },
          {
            name: 'as fast as ogr2ogr -f MVT with the background of an earlier build',
            reached: ogr2ogr.cpuSeconds / elsewhere.cpuSeconds,
            target: 5,
            cause: ofOthers,
          },
        ]),
    ...(former === undefined
      ? []
      : [
          {
            name: 'the former commit, by processor time',
            reached: former[0].cpuSeconds / oneCore.cpuSeconds,
            target: 2,
            cause: `${ofRoute}; ${ofOthers}`,
          },
          {
            name: 'the former commit, the smallest cell alone',
            reached: former[1].cpuSeconds / small.cpuSeconds,
            target: 3,
            cause: ofRoute,
          },
        ]),
    {
      name: 'the smallest cell alone, nothing cached',
      reached: small.cpuSeconds,
      most: 12,
      unit: 's of processor time',
      cause: ofRoute,
    },
    {
      name: 'the route archive, by processor time',
      reached: route,
      most: 8,
      unit: 's',
      cause: ofRoute,
    },
    {
      name: '0.65 MB/s of one core',
      reached: megabytes / oneCore.wallSeconds / 0.65,
      target: 1,
      cause: `${ofOthers}; ${ofBackground}`,
    },
    {
      name: 'two workers as fast as one',
      reached: oneCore.wallSeconds / twoCores.wallSeconds,
      target: 1.8,
      cause: `they take ${percent(more)} more processor time and are idle for ${percent(idle)}`,
    },
  ];
}

/** The folder of the charts is separate, because a build otherwise reuses the results of another one. */
const SHARED = '.shared';

function build(
  folders: readonly string[],
  out: string,
  cores: number,
  shared = join(out, SHARED),
  repository = REPOSITORY,
): Cost {
  const words = folders.flatMap((folder) => ['--enc', folder]);
  const cli = join(repository, 'tiles-build/cli.ts');
  return timed(
    [
      process.execPath,
      '--import',
      'tsx',
      cli,
      'build',
      ...words,
      '--out',
      out,
      '--shared-cache',
      shared,
      '--jobs',
      `${cores}`,
    ],
    cores,
  );
}

/** Writes the zooms of the cell in our build, before gaps are filled from it. */
function tileWithGdal(path: string, band: number, out: string): Cost {
  const zooms = BAND_ZOOMS.find((row) => row.band === band) ?? BAND_ZOOMS[4]!;
  return timed(
    [
      'ogr2ogr',
      ...['-q', '-f', 'MVT', out, path, '-skipfailures'],
      ...['-oo', 'UPDATES=APPLY', '-oo', 'SPLIT_MULTIPOINT=ON', '-oo', 'ADD_SOUNDG_DEPTH=ON'],
      ...['-dsco', `MINZOOM=${zooms.minZoom}`, '-dsco', `MAXZOOM=${zooms.maxZoom}`],
    ],
    1,
  );
}

function manifestOf(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
}

function checksumOf(folder: string): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(manifestOf(folder).archives));
  return hash.digest('hex').slice(0, 16);
}
