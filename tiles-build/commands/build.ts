// `charts build`: runs a build and prints its result. ../pipeline makes the charts.

import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { FolderInUse } from '../archive/folder-lock.ts';
import { NoBackground } from '../background/background-layers.ts';
import { type BuildLicence, buildCharts } from '../pipeline/build-charts.ts';
import { BuildStopped } from '../pipeline/build-context.ts';
import { type BuildReport, NoCharts } from '../pipeline/build-report.ts';
import { type Gap, gapsOf, type ReportedBuild } from './chart-gaps.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { showProgress } from './progress.ts';
import { PACKS_HELP, type QueueOptions, queuePoolOf } from './queue-choice.ts';
import { reportPage } from './report-page.ts';
import {
  collect,
  demandSealKey,
  S63_HELP,
  type S63Options,
  unlockSettingsOf,
  withS63Options,
} from './s63-options.ts';

export interface BuildCommandOptions extends QueueOptions, S63Options {
  readonly enc: readonly string[];
  readonly background?: string;
  readonly out: string;
  readonly cache?: string;
  readonly sharedCache?: string;
  readonly jobs: number;
  readonly processedAt?: number;
  readonly acceptBadChecksums?: true;
  readonly strict?: true;
  readonly report?: string;
  readonly licensed?: true;
  readonly licensedExtracts?: true;
}

/** Help of `--strict` and `--report`, which `sync` has too. */
export const STRICT_HELP = 'end with exit code 5 if the chart lacks a cell or an update';
export const REPORT_HELP =
  'write an HTML page: cells with problems, their place on a map, and the consequences';

export function addBuildCommand(program: Command, output: CommandOutput): void {
  withS63Options(program.command('build'))
    .description('make archives and a manifest from ENC cells')
    .requiredOption(
      '--enc <path>',
      'cells: a file, folder, exchange set or zip; repeatable',
      collect,
    )
    .option(
      '--background <folder>',
      'GeoJSON layers with the names of Natural Earth; default: built-in land and lakes',
    )
    .requiredOption('--out <folder>', 'folder for the parts of the archives and manifest.json')
    .option(
      '--cache <folder>',
      'cache of builds; entries unused for 30 days are deleted (default: <out>/.cache)',
    )
    .option(
      '--shared-cache <folder>',
      'cache shared by all builds (default: node_modules/.cache/leadline/builds)',
    )
    .option('--jobs <n>', 'number of worker threads, 1 to 256', workerCount, availableParallelism())
    .option(
      '--queue <url>',
      'PostgreSQL database of a job queue; `charts work` runs the jobs on any machine',
    )
    .option('--packs <place>', `with --queue, ${PACKS_HELP}`)
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .option('--strict', STRICT_HELP)
    .option('--report <file>', REPORT_HELP)
    .option(
      '--licensed',
      'with --permits: the licence of the encrypted charts permits tiles made of them, which are stored and served without encryption',
    )
    .option(
      '--licensed-extracts',
      'with --licensed: the licence also permits files of regions (charts extract, GET /api/v1/regions)',
    )
    .option(
      '--processed-at <time>',
      'time of the build, such as 2026-01-31T12:00:00Z (default: now)',
      time,
    )
    .addHelpText(
      'after',
      `
The background shows land, lakes and names outside the cells, and maritime boundaries everywhere.
Its layers are .geojson files:
ne_10m_land, ne_10m_minor_islands, ne_10m_lakes, ne_10m_glaciated_areas,
ne_10m_populated_places_simple, ne_10m_geography_marine_polys,
ne_10m_admin_0_boundary_lines_maritime_indicator, and maritime_boundaries (lines and areas with a
name, from any source).

The same input produces the same archives and the same build id. The manifest contains the time at
which the data were downloaded (or else the times of the files) and the time of the build:
--processed-at, or else the environment variable SOURCE_DATE_EPOCH (seconds since 1970), or else now.

If an update of a cell is invalid, the cell is used without this update and later ones, and the summary
lists the problem. A file is rejected if its CRC-32 differs from CATALOG.031. If CATALOG.031 is wrong,
use --accept-bad-checksums.
${S63_HELP}
Decrypted charts are only in memory and, encrypted, in the cache. An encrypted cell without a valid permit is
refused, and the summary names it. When a permit expires, the chart keeps the data issued until then, with
a warning.`,
    )
    .action((options: BuildCommandOptions) => runBuild(options, output));
}

/**
 * Build with a progress display, and print the result.
 *
 * @param earlier problems found before the build, which the report and `--strict` include
 * @throws CommandEnd if the build fails
 */
export async function runBuild(
  options: BuildCommandOptions,
  output: CommandOutput,
  earlier: readonly Problem[] = [],
): Promise<void> {
  for (const path of [
    ...options.enc,
    ...(options.background === undefined ? [] : [options.background]),
  ]) {
    if (!existsSync(path))
      throw new CommandEnd(
        EXIT.missing,
        `There is no file or folder "${path}". Check --enc and --background.`,
      );
  }
  const processedAt = checkLastSteps(options);
  const s63 = licenceOf(options, output);
  const pool = await queuePoolOf(options, output);
  const progress = showProgress(output);
  try {
    const report = await buildCharts({
      ...options,
      pool,
      s63,
      processedAt,
      progress,
    });
    progress.end();
    const problems = [...earlier, ...report.problems];
    const build = { cells: report.manifest.cells, problems, places: report.places };
    const gaps = gapsOf(build.cells, problems);
    summarise(report, gaps, options.out, output);
    writeReport(options, build, output);
    if (options.strict === true && gaps.length > 0) {
      throw new CommandEnd(
        EXIT.refused,
        `The chart lacks ${gaps.length} ${gaps.length === 1 ? 'part' : 'parts'} (--strict); they are listed above. The build is in ${options.out}.`,
      );
    }
  } catch (error) {
    progress.end();
    if (error instanceof FolderInUse) throw new CommandEnd(EXIT.unavailable, error.message);
    if (error instanceof NoBackground) throw new CommandEnd(EXIT.missing, error.message);
    if (error instanceof BuildStopped) throw new CommandEnd(EXIT.failed, error.message);
    if (!(error instanceof NoCharts)) throw error;
    printProblems(error.cells, error.problems, output);
    const problems = [...earlier, ...error.problems];
    writeReport(options, { cells: error.cells, problems, places: error.places }, output);
    throw new CommandEnd(EXIT.noCharts, error.message);
  }
}

/** @throws CommandEnd if the options or settings for encrypted charts do not fit */
function licenceOf(
  options: BuildCommandOptions,
  { note }: CommandOutput,
): BuildLicence | undefined {
  const settings = unlockSettingsOf(options);
  const { licensed, licensedExtracts, sa, licenceDate } = options;
  if (settings === undefined) {
    if ([licensed, licensedExtracts, sa, licenceDate].every((one) => one === undefined)) return;
    throw new CommandEnd(
      EXIT.usage,
      '--licensed, --licensed-extracts, --sa and --licence-date require --permits. Add --permits with the permit file.',
    );
  }
  if (licensed !== true) {
    throw new CommandEnd(
      EXIT.usage,
      'With --permits, the tiles contain decrypted charts. If the licence permits that, add --licensed.',
    );
  }
  if (options.queue !== undefined || options.packs !== undefined) {
    throw new CommandEnd(
      EXIT.usage,
      'Encrypted charts are built without --queue: the queue would store parts of them.',
    );
  }
  demandSealKey();
  return { ...settings, note, extracts: licensedExtracts === true };
}

/**
 * Check what is used at the end of a build, before hours of work.
 *
 * @returns the chosen time of the build, epoch milliseconds
 * @throws CommandEnd or a system error if the report cannot be written, or the time is invalid
 */
export function checkLastSteps(
  options: Pick<BuildCommandOptions, 'report' | 'processedAt'>,
): number | undefined {
  if (options.report !== undefined) {
    const path = resolve(options.report);
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path) && statSync(path).isDirectory())
      throw new CommandEnd(EXIT.usage, `${path} is a folder. Name a file with --report.`);
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
  }
  return options.processedAt ?? sourceDateEpoch();
}

/** A failure must not hide how the build ended. */
function writeReport(
  options: BuildCommandOptions,
  build: ReportedBuild,
  output: CommandOutput,
): void {
  if (options.report === undefined) return;
  try {
    writeFileSync(options.report, reportPage(build));
    output.note(`The report is in ${options.report}.`);
  } catch (error) {
    const reason = systemErrorText({ path: options.report, ...(error as object) }) ?? error;
    output.note(`The report was not written. ${reason}`);
  }
}

/** Print each missing part of the chart with its consequence. */
function printGaps(gaps: readonly Gap[], output: CommandOutput): void {
  if (gaps.length === 0) return;
  output.out('The chart lacks:');
  for (const { cell, problem, consequence } of gaps) {
    const sentence = problem.replace(/\.$/, '');
    output.out(`  ${cell === undefined ? '' : `${cell}: `}${sentence}. ${consequence}`);
  }
}

function summarise(
  report: BuildReport,
  gaps: readonly Gap[],
  folder: string,
  output: CommandOutput,
): void {
  const { manifest, work } = report;
  printProblems(manifest.cells, report.problems, output);
  const count = (status: ManifestCell['status']) =>
    manifest.cells.filter((cell) => cell.status === status).length;
  output.out(
    `Cells: ${count('used')} used, ${count('used-partly')} used partly, ` +
      `${count('cancelled')} cancelled, ${count('refused')} refused.`,
  );
  printGaps(gaps, output);
  for (const archive of manifest.archives) {
    const written = work.written.filter((part) => part.startsWith(`${archive.tileset}:`)).length;
    output.out(
      `${archive.tileset}: ${archive.tiles} tiles, zoom ${archive.minZoom} to ${archive.maxZoom}, ` +
        `${(archive.bytes / 1e6).toFixed(1)} MB in ${archive.parts.length} parts, ${written} of them new`,
    );
  }
  output.out(
    `Work: ${work.scanned.length} cells read, ${work.sliced.length} cut into tiles, ` +
      `${work.merged.length} parts merged; the rest was in the cache.`,
  );
  for (const [tileset, objects] of Object.entries(report.removedParts)) {
    if (objects > 0) {
      output.out(
        `${tileset}: ${objects} objects were omitted from tiles that exceeded the size limit.`,
      );
    }
  }
  output.out(`Build ${manifest.buildId} is in ${folder}. Charts are not for navigation.`);
}

/** Print the problems of each cell. A repeated problem is printed once, with a count. */
function printProblems(
  cells: readonly ManifestCell[],
  others: readonly Problem[],
  output: CommandOutput,
): void {
  for (const problem of others) output.note(`${problem.severity}: ${problem.message}`);
  for (const cell of cells) {
    if (cell.problems.length === 0) continue;
    output.note(`${cell.name}: ${cell.status}`);
    for (const [line, times] of countLines(cell.problems.map(problemLine))) {
      output.note(times === 1 ? line : `${line} (${times} times)`);
    }
  }
}

function problemLine(problem: ManifestCell['problems'][number]): string {
  const file = problem.file === undefined ? '' : `${problem.file}: `;
  return `  ${problem.severity} ${problem.code}: ${file}${problem.message}`;
}

function countLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Parse a number of worker threads. @throws InvalidArgumentError, which commander turns into a usage error */
export function workerCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 256) return value;
  throw new InvalidArgumentError('Expected a whole number from 1 to 256.');
}

/** Times of builds, epoch milliseconds. */
const isBuildTime = (value: number): boolean => value >= 0 && value < Date.UTC(2100, 0);

/** A date alone is midnight UTC. */
const TIME = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.date(),
]);

function time(text: string): number {
  const value = Date.parse(text);
  if (TIME.safeParse(text).success && isBuildTime(value)) return value;
  throw new InvalidArgumentError(
    'Expected a time from 1970 to 2099, for example 2026-01-31T12:00:00Z.',
  );
}

/** The time in SOURCE_DATE_EPOCH, a convention of reproducible builds (seconds since 1970). */
function sourceDateEpoch(): number | undefined {
  const text = process.env['SOURCE_DATE_EPOCH'];
  if (text === undefined || text === '') return undefined;
  const value = Number(text) * 1000;
  if (/^\d+$/.test(text) && isBuildTime(value)) return value;
  throw new CommandEnd(
    EXIT.usage,
    `SOURCE_DATE_EPOCH must be a whole number of seconds from 1970 to 2099, for example 1767225600. It is "${text}".`,
  );
}
