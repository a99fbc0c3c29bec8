// Building the whole development set into five quilted archives, on one core and on two, against
// `ogr2ogr -f MVT` writing vector tiles of the same cells at the same zooms, which neither quilts
// nor writes the other four archives. Processes are timed whole, start-up included.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BAND_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { type Manifest, manifestSchema } from '../../shared/chart/manifest.ts';
import { findCells } from '../../tiles-build/exchange-set/exchange-set.ts';
import { type Goal, goalLines } from './goals.ts';
import { type Cost, hasTool, sum, timed } from './timed-process.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');

export interface BuildFigures {
  readonly megabytes: number;
  readonly oneCore: Cost;
  readonly twoCores: Cost;
  /** Into another folder, one core: what builds have in common of the background is there. */
  readonly elsewhere: Cost;
  readonly ogr2ogr: Cost | undefined;
  readonly checksum: string;
}

/** Runs the bench and prints it; undefined where the cells are not on this machine. */
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
    const checksum = checksumOf(join(scratch, 'one'));
    for (const other of ['two', 'three']) {
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
    const figures = { megabytes, oneCore, twoCores, elsewhere, ogr2ogr, checksum };
    print(figures, cells.length, manifest);
    return figures;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function print(figures: BuildFigures, cells: number, manifest: Manifest): void {
  const { megabytes, oneCore, twoCores, elsewhere, ogr2ogr } = figures;
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
  if (ogr2ogr === undefined) console.log('ogr2ogr is not here to compare with');
  else line('ogr2ogr -f MVT, unquilted, one core', ogr2ogr);
  for (const told of goalLines(goalsOf(figures))) console.log(told);
  console.log(`checksum ${figures.checksum}`);
}

/** What is wanted of a build, and the cause of each miss as far as this run tells it. */
function goalsOf({ megabytes, oneCore, twoCores, elsewhere, ogr2ogr }: BuildFigures): Goal[] {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const background = 1 - elsewhere.cpuSeconds / oneCore.cpuSeconds;
  const ofBackground = `the background, cut anew where no other build has made it, is ${percent(background)} of the processor time`;
  const more = twoCores.cpuSeconds / oneCore.cpuSeconds - 1;
  const idle = 1 - twoCores.cpuSeconds / (2 * twoCores.wallSeconds);
  return [
    ...(ogr2ogr === undefined
      ? []
      : [
          {
            name: 'as fast as ogr2ogr -f MVT, by processor time',
            reached: ogr2ogr.cpuSeconds / oneCore.cpuSeconds,
            wanted: 5,
            cause: `${ofBackground}; ogr2ogr makes one of the five archives, no quilt and no background`,
          },
          {
            name: 'as fast as ogr2ogr -f MVT where the background was made before',
            reached: ogr2ogr.cpuSeconds / elsewhere.cpuSeconds,
            wanted: 5,
            cause: 'ogr2ogr makes one of the five archives, and no quilt',
          },
        ]),
    {
      name: '0.65 MB/s of one core',
      reached: megabytes / oneCore.wallSeconds / 0.65,
      wanted: 1,
      cause: ofBackground,
    },
    {
      name: 'two workers as fast as one',
      reached: oneCore.wallSeconds / twoCores.wallSeconds,
      wanted: 1.8,
      cause: `they take ${percent(more)} more processor time and are idle for ${percent(idle)}`,
    },
  ];
}

/** Below the folder of the charts: no build takes over what another made, unless it is told to. */
const SHARED = '.shared';

function build(
  folders: readonly string[],
  out: string,
  cores: number,
  shared = join(out, SHARED),
): Cost {
  const words = folders.flatMap((folder) => ['--enc', folder]);
  const cli = join(REPOSITORY, 'tiles-build/cli.ts');
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

/** The zooms that the same cell has in our build before any gap is filled from it. */
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
  for (const archive of manifestOf(folder).archives) hash.update(archive.sha256);
  return hash.digest('hex').slice(0, 16);
}
