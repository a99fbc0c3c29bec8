// `charts sync`: downloads the changes of a producer, and builds and publishes the charts. The
// implementation is in ../sync, ../pipeline and ../publish.

import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { FolderInUse } from '../archive/folder-lock.ts';
import { readBuild } from '../publish/build-folder.ts';
import { readPointer } from '../publish/history.ts';
import { lostCells } from '../publish/lost-cells.ts';
import { pruneBuilds } from '../publish/prune.ts';
import { publishBuild } from '../publish/publish.ts';
import type { Box } from '../sync/boxes.ts';
import { CatalogueUnreadable, versionText } from '../sync/catalogue.ts';
import type { SyncPlan } from '../sync/plan.ts';
import { type ProducerCatalogue, readCatalogue } from '../sync/read-catalogue.ts';
import { type Selection, selectsNothing, unmatchedCriteria } from '../sync/selection.ts';
import { planFolder, type SyncOptions, type SyncReport, syncFolder } from '../sync/sync-cells.ts';
import {
  type BucketChoice,
  namesBucket,
  requireOtherFolder,
  withBucket,
  withBucketOptions,
} from './bucket-choice.ts';
import { checkLastSteps, REPORT_HELP, runBuild, STRICT_HELP, workerCount } from './build.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { httpUrl } from './fetch.ts';
import { showProgress } from './progress.ts';
import { positiveCount, prunedText } from './publish.ts';

interface SyncCommandOptions extends BucketChoice {
  readonly from: string;
  readonly zips?: string;
  readonly cells: string;
  readonly all?: true;
  readonly cell?: readonly string[];
  readonly state?: readonly string[];
  readonly region?: readonly string[];
  readonly district?: readonly string[];
  readonly box?: readonly Box[];
  readonly only?: true;
  readonly removeMany?: true;
  readonly acceptBadChecksums?: true;
  readonly downloads: number;
  readonly dryRun?: true;
  readonly out?: string;
  readonly background?: string;
  readonly cache?: string;
  readonly jobs: number;
  readonly acceptLosses?: true;
  readonly strict?: true;
  readonly report?: string;
  readonly keep?: number;
}

const NOAA_CATALOGUE = 'https://www.charts.noaa.gov/ENCs/ENCProdCat.xml';

export function addSyncCommand(program: Command, output: CommandOutput): void {
  const command = program
    .command('sync')
    .description('download new editions of a producer, remove withdrawn cells, build and publish')
    .option(
      '--from <place>',
      'URL of ENCProdCat.xml, or of a folder of zip files (https://…/)',
      NOAA_CATALOGUE,
    )
    .option(
      '--zips <url>',
      'mirror: download <url>/<cell>.zip instead of the URLs in the catalogue',
      httpUrl,
    )
    .requiredOption('--cells <folder>', 'folder for the zip files')
    .option('--all', 'every cell of the catalogue')
    .option('--state <code>', 'cells of a state, such as WA; repeatable', collect)
    .option('--region <number>', 'cells of a region of the producer; repeatable', collect)
    .option('--district <number>', 'cells of a Coast Guard district; repeatable', collect)
    .option('--box <w,s,e,n>', 'cells that touch a box, in degrees; repeatable', collectBox)
    .option('--cell <name>', 'one cell, such as US5WA22M; repeatable', collect)
    .option('--only', 'remove local cells that are not selected, instead of updating them')
    .option(
      '--remove-many',
      'allow large removals: more than five zips and a tenth of all, more than half because they are no longer listed, or cells of a zip with several',
    )
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .option('--downloads <n>', 'number of concurrent downloads', positiveCount, 4)
    .option('--dry-run', 'only list what would be downloaded and removed')
    .option('--out <folder>', 'build into this folder after the download')
    .option('--background <folder>', 'with --out, the option of charts build')
    .option('--cache <folder>', 'with --out, the option of charts build')
    .option(
      '--jobs <n>',
      'with --out, number of worker threads, 1 to 256',
      workerCount,
      availableParallelism(),
    )
    .option('--strict', `with --out, ${STRICT_HELP}, without publishing`)
    .option('--report <file>', `with --out, ${REPORT_HELP}`)
    .option('--accept-losses', 'publish even if the new build lacks charts that are in force')
    .option(
      '--keep <n>',
      'after publishing, delete all but the newest n builds; services read the previous one for a minute; not with --remote',
      positiveCount,
    );
  withBucketOptions(command)
    .addHelpText(
      'after',
      `
A cell is selected if it matches any of the options. Local cells are updated even if they are not
selected. A damaged or older zip file never replaces a local one. If downloads fail, they are listed, the
other cells are built and published, and the exit code is 6; --report and --strict include failed
downloads. With a bucket, the build is published, unless it lacks a chart that is published now and
still in force (exit code 5).

  charts sync --cells sources --state WA --dry-run
  charts sync --cells sources --state WA --out charts --store published --keep 3`,
    )
    .action((options: SyncCommandOptions) => runSync(options, output));
}

async function runSync(options: SyncCommandOptions, output: CommandOutput): Promise<void> {
  checkOptions(options);
  const catalogue = await catalogueOf(options);
  for (const problem of catalogue.problems) output.note(`warning: ${problem}`);
  const selection = selectionOf(options, catalogue);
  for (const line of unmatchedCriteria(catalogue.cells, selection)) output.note(`warning: ${line}`);
  const sync: SyncOptions = {
    folder: options.cells,
    catalogue,
    selection,
    removeUnselected: options.only === true,
    removeMany: options.removeMany === true,
    acceptBadChecksums: options.acceptBadChecksums === true,
    atOnce: options.downloads,
    now: Date.now(),
  };
  if (selectsNothing(selection) && isEmpty(await planFolder(sync))) {
    throw new CommandEnd(
      EXIT.usage,
      'No cells are selected. Use --all, --state, --region, --district, --box or --cell.',
    );
  }
  if (options.dryRun === true) return printPlan(sync, output);

  // Fail now, not after hours of work.
  if (options.out !== undefined) checkLastSteps(options);
  if (namesBucket(options)) await withBucket(options, readPointer);
  const progress = showProgress(output);
  const report = await syncFolder({ ...sync, progress })
    .catch((error: unknown) => {
      if (!(error instanceof FolderInUse)) throw error;
      throw new CommandEnd(EXIT.unavailable, error.message);
    })
    .finally(() => progress.end());
  printReport(report, output);
  if (options.out !== undefined) {
    const built = { ...options, out: options.out, failures: report.failures };
    await buildAndPublish(built, catalogue, output);
  }
  if (report.failures.length > 0) {
    throw new CommandEnd(
      EXIT.missing,
      'Some cells could not be updated; they are listed above. Run the command again to retry them.',
    );
  }
}

const isEmpty = ({ fetch, remove, keep }: SyncPlan): boolean =>
  fetch.length + remove.length + keep.length === 0;

function checkOptions(options: SyncCommandOptions): void {
  if (options.out !== undefined) requireOtherFolder(options.out, options);
  const needsOut = [
    options.background,
    options.cache,
    options.keep,
    options.strict,
    options.report,
  ].some((one) => one !== undefined);
  if (options.out === undefined && (needsOut || namesBucket(options))) {
    throw new CommandEnd(
      EXIT.usage,
      '--background, --cache, --keep, --strict, --report and a bucket require --out. Add --out with a folder for the build.',
    );
  }
  if (options.keep !== undefined && options.remote) {
    throw new CommandEnd(
      EXIT.usage,
      '--keep cannot be used with --remote: wrangler cannot list the charts of accounts. Use --r2.',
    );
  }
  const { keep, acceptLosses, endpoint, bucket, data } = options;
  const needsBucket = [keep, acceptLosses, endpoint, bucket, data];
  if (needsBucket.some((one) => one !== undefined) && !namesBucket(options)) {
    throw new CommandEnd(
      EXIT.usage,
      '--keep, --accept-losses, --endpoint, --bucket and --data require a bucket. Add --store, --r2, --s3, --remote or --local.',
    );
  }
}

function catalogueOf({ from, zips }: SyncCommandOptions): Promise<ProducerCatalogue> {
  return readCatalogue(from, zips).catch((error: unknown) => {
    if (!(error instanceof CatalogueUnreadable)) throw error;
    throw new CommandEnd(EXIT.unavailable, `${error.message} Nothing was changed.`);
  });
}

function selectionOf(options: SyncCommandOptions, catalogue: ProducerCatalogue): Selection {
  const selection: Selection = {
    // A folder of zip files has no catalogue, so cells can be selected by name only.
    all: options.all === true || (!catalogue.hasOneZipPerCell && options.cell === undefined),
    cells: options.cell ?? [],
    states: options.state ?? [],
    regions: options.region ?? [],
    districts: options.district ?? [],
    boxes: options.box ?? [],
  };
  if (options.only === true && selectsNothing(selection)) {
    throw new CommandEnd(
      EXIT.usage,
      '--only without a selection would remove all cells. Add --all, --state, --region, --district, --box or --cell.',
    );
  }
  return selection;
}

async function printPlan(options: SyncOptions, output: CommandOutput): Promise<void> {
  const plan = await planFolder(options);
  let bytes = 0;
  for (const { cell, localVersion: here } of plan.fetch) {
    const to = cell.version === undefined ? 'of unknown edition' : versionText(cell.version);
    const from = here === undefined ? 'not here' : `${versionText(here)} is here`;
    output.out(`fetch ${cell.name} ${to} (${from}) ${cell.title}`.trimEnd());
    bytes += cell.bytes ?? 0;
  }
  for (const { name, because } of plan.remove) output.out(`remove ${name} (${because})`);
  output.out(
    `${plan.fetch.length} to fetch (${(bytes / 1e6).toFixed(1)} MB), ${plan.remove.length} to remove, ` +
      `${plan.keep.length} up to date. Nothing was changed.`,
  );
}

function printReport(report: SyncReport, output: CommandOutput): void {
  for (const { name, because } of report.removed) output.note(`removed ${name} (${because})`);
  for (const failure of report.failures) output.note(failure);
  output.out(
    `${report.fetched.length} fetched, ${report.unchanged.length} unchanged, ` +
      `${report.removed.length} removed, ${report.upToDateCount} up to date, ${report.failures.length} failed.`,
  );
}

async function buildAndPublish(
  options: SyncCommandOptions & { readonly out: string; readonly failures: readonly string[] },
  catalogue: ProducerCatalogue,
  output: CommandOutput,
): Promise<void> {
  const { out, failures } = options;
  const ofDownloads: readonly Problem[] = failures.map((message) => ({
    code: 'download-failed',
    severity: 'error',
    message,
  }));
  await runBuild({ ...options, enc: [options.cells] }, output, ofDownloads);
  if (!namesBucket(options)) return;
  await withBucket(options, async (bucket) => {
    const current = await readPointer(bucket);
    const { manifest } = await readBuild(out);
    const inForce = new Set(
      catalogue.cells.filter(({ isWithdrawn }) => !isWithdrawn).map(({ name }) => name),
    );
    const isInForce = (name: string) => !catalogue.hasOneZipPerCell || inForce.has(name);
    const lost = current === undefined ? [] : lostCells(current, manifest, isInForce);
    if (lost.length > 0 && options.acceptLosses !== true) {
      throw new CommandEnd(
        EXIT.refused,
        `Not published: the new build lacks charts that are shown now and still in force: ` +
          `${lost.slice(0, 20).join(', ')}${lost.length > 20 ? ` and ${lost.length - 20} more` : ''}. ` +
          'To publish without them, use --accept-losses.',
      );
    }
    const result = await publishBuild(out, bucket, {
      report: (key) => output.note(`uploaded ${key}`),
    });
    output.out(
      result.pointerMoved
        ? `Build ${result.buildId} is current now.`
        : `Build ${result.buildId} was current already.`,
    );
    if (options.keep === undefined) return;
    output.out(prunedText(await pruneBuilds(bucket, { keep: options.keep }), false));
  });
}

function collect(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

function collectBox(text: string, before: readonly Box[] = []): readonly Box[] {
  const sides = text.split(',').map((side) => (side.trim() === '' ? Number.NaN : Number(side)));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = sides;
  const isBox =
    sides.length === 4 &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    south >= -90 &&
    south < north &&
    north <= 90;
  if (isBox) return [...before, [west, south, east, north]];
  throw new InvalidArgumentError(
    'Expected west,south,east,north in degrees, for example -123,47,-122,48.',
  );
}
