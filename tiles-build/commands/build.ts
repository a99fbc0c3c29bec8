// `build`: options to a build, and what happened to words. The work is in ../build.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { FolderInUse } from '../archive/folder-lock.ts';
import { buildCharts } from '../pipeline/build-charts.ts';
import { BuildStopped } from '../pipeline/build-context.ts';
import { type BuildReport, NoCharts } from '../pipeline/build-report.ts';
import { type Gap, gapsOf, type ReportedBuild } from './chart-gaps.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { showProgress } from './progress.ts';
import { PACKS_HELP, type QueueWords, queuePoolOf } from './queue-choice.ts';
import { reportPage } from './report-page.ts';

export interface BuildWords extends QueueWords {
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
}

/** Help of `--strict` and `--report`, which `sync` has too. */
export const STRICT_HELP = 'end with exit code 5 if the chart lacks a cell or an update';
export const REPORT_HELP =
  'write an HTML page: cells with problems, their place on a map, and the consequences';

export function addBuildCommand(program: Command, output: CommandOutput): void {
  program
    .command('build')
    .description('make archives and a manifest from ENC cells')
    .requiredOption(
      '--enc <path>',
      'cells: a file, folder, exchange set or zip; repeatable',
      collect,
    )
    .option(
      '--background <folder>',
      'GeoJSON layers named as Natural Earth names them; the built-in land and lakes fill in',
    )
    .requiredOption('--out <folder>', 'gets the archives and manifest.json')
    .option('--cache <folder>', 'kept between builds; by default <out>/.cache')
    .option(
      '--shared-cache <folder>',
      'what builds of any cells have in common; by default node_modules/.cache/leadline/builds',
    )
    .option('--jobs <n>', 'worker threads', workerCount, availableParallelism())
    .option('--queue <url>', 'PostgreSQL database: `charts work` does the jobs, anywhere')
    .option('--packs <place>', `with --queue, ${PACKS_HELP}`)
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .option('--strict', STRICT_HELP)
    .option('--report <file>', REPORT_HELP)
    .option('--processed-at <time>', 'ISO 8601 time of the build, instead of now', time)
    .addHelpText(
      'after',
      `
The background is land, lakes and names where no cell is, and maritime boundaries everywhere:
ne_10m_land, ne_10m_minor_islands, ne_10m_lakes, ne_10m_glaciated_areas,
ne_10m_populated_places_simple, ne_10m_geography_marine_polys,
ne_10m_admin_0_boundary_lines_maritime_indicator, and maritime_boundaries: lines and areas with a
name, of any source; each a .geojson file.

The same input gives the same archives and the same build id. The manifest also says when the data
were obtained (from the note of fetch, else the files' times) and processed: --processed-at, else
SOURCE_DATE_EPOCH (seconds) from the environment, else now.

Cells with problems are used up to the last good update, and the summary names the problems. A file whose
CRC-32 is not that of CATALOG.031 is refused: the cell, or the update and later ones. If a producer's lists
are wrong, --accept-bad-checksums uses such files.`,
    )
    .action((words: BuildWords) => runBuild(words, output));
}

/** Build, show how far it is, and say what came of it. @throws CommandEnd where nothing can be built */
export async function runBuild(words: BuildWords, output: CommandOutput): Promise<void> {
  for (const path of [
    ...words.enc,
    ...(words.background === undefined ? [] : [words.background]),
  ]) {
    if (!existsSync(path)) throw new CommandEnd(EXIT.missing, `There is no ${path}.`);
  }
  const pool = await queuePoolOf(words, output);
  const progress = showProgress(output);
  try {
    const report = await buildCharts({
      ...words,
      pool,
      processedAt: words.processedAt ?? sourceDateEpoch(),
      progress,
    });
    progress.end();
    summarise(report, words.out, output);
    const build = { ...report, cells: report.manifest.cells };
    writeReport(words, build, output);
    const gaps = gapsOf(build.cells, build.problems);
    if (words.strict === true && gaps.length > 0) {
      throw new CommandEnd(
        EXIT.refused,
        `The chart lacks ${gaps.length} ${gaps.length === 1 ? 'part' : 'parts'} (--strict). The build is in ${words.out}.`,
      );
    }
  } catch (error) {
    progress.end();
    if (error instanceof FolderInUse) throw new CommandEnd(EXIT.unavailable, error.message);
    if (error instanceof BuildStopped) throw new CommandEnd(EXIT.failed, error.message);
    if (!(error instanceof NoCharts)) throw error;
    tellProblems(error.cells, error.problems, output);
    writeReport(words, error, output);
    throw new CommandEnd(EXIT.noCharts, error.message);
  }
}

function writeReport(words: BuildWords, build: ReportedBuild, output: CommandOutput): void {
  if (words.report === undefined) return;
  mkdirSync(dirname(resolve(words.report)), { recursive: true });
  writeFileSync(words.report, reportPage(build));
  output.note(`The report is in ${words.report}.`);
}

/** Name what the chart lacks, each part with its consequence. */
function tellGaps(gaps: readonly Gap[], output: CommandOutput): void {
  if (gaps.length === 0) return;
  output.out('The chart lacks:');
  for (const { cell, problem, consequence } of gaps) {
    output.out(`  ${cell === undefined ? '' : `${cell}: `}${problem}. ${consequence}`);
  }
}

function summarise(report: BuildReport, folder: string, output: CommandOutput): void {
  const { manifest, work } = report;
  tellProblems(manifest.cells, report.problems, output);
  const count = (status: ManifestCell['status']) =>
    manifest.cells.filter((cell) => cell.status === status).length;
  output.out(
    `Cells: ${count('used')} used, ${count('used-partly')} used partly, ` +
      `${count('cancelled')} cancelled, ${count('refused')} refused.`,
  );
  tellGaps(gapsOf(manifest.cells, report.problems), output);
  for (const archive of manifest.archives) {
    output.out(
      `${archive.file}: ${archive.tiles} tiles, zoom ${archive.minZoom} to ${archive.maxZoom}, ` +
        `${(archive.bytes / 1e6).toFixed(1)} MB`,
    );
  }
  output.out(
    `Work: ${work.scanned.length} cells read, ${work.sliced.length} cut, ` +
      `${work.merged.length} parts joined; the rest was in the cache.`,
  );
  for (const [tileset, objects] of Object.entries(report.thinned)) {
    if (objects > 0) {
      output.out(
        `${tileset}: ${objects} objects left out of tiles that would have been too large.`,
      );
    }
  }
  output.out(`Build ${manifest.buildId} is in ${folder}. Charts are not for navigation.`);
}

/** Problems by cell, the same ones of a cell once with their number. */
function tellProblems(
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

function collect(path: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), path];
}

/** How many worker threads. @throws InvalidArgumentError, which commander turns into a usage error */
export function workerCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 256) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 256.');
}

function time(text: string): number {
  const value = Date.parse(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:00:00Z.');
}

/** Seconds since 1970, as reproducible builds agree on. */
function sourceDateEpoch(): number | undefined {
  const text = process.env['SOURCE_DATE_EPOCH'];
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 0) return seconds * 1000;
  throw new CommandEnd(EXIT.usage, `SOURCE_DATE_EPOCH is "${text}", not a number of seconds.`);
}
