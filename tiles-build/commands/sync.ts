// `sync`: a producer's charts fetched, built, checked, published, in one command that may run every
// week. The work is in ../sync, ../pipeline and ../publish.

import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { FolderInUse } from '../archive/folder-lock.ts';
import { readBuild } from '../publish/build-folder.ts';
import { readPointer } from '../publish/history.ts';
import { lostCells } from '../publish/lost-cells.ts';
import { pruneBuilds } from '../publish/prune.ts';
import { publishBuild } from '../publish/publish.ts';
import type { Box } from '../sync/boxes.ts';
import { CatalogueUnreadable, versionText } from '../sync/catalogue.ts';
import type { SyncPlan } from '../sync/plan.ts';
import { type Offer, readOffer } from '../sync/read-offer.ts';
import { type Selection, selectsNothing, unknownWords } from '../sync/selection.ts';
import { planFolder, type SyncOptions, type SyncReport, syncFolder } from '../sync/sync-cells.ts';
import { type BucketChoice, namesBucket, withBucket, withBucketOptions } from './bucket-choice.ts';
import { REPORT_HELP, runBuild, STRICT_HELP, workerCount } from './build.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { showProgress } from './progress.ts';
import { positiveCount, prunedText } from './publish.ts';

interface SyncWords extends BucketChoice {
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
    .description('fetch what a producer has newer, remove what is withdrawn, build and publish')
    .option('--from <place>', 'ENCProdCat.xml, or a folder of zips (https://…/)', NOAA_CATALOGUE)
    .option('--zips <url>', 'a mirror: take <url>/<cell>.zip, not the addresses in the catalogue')
    .requiredOption('--cells <folder>', 'where the zips are kept')
    .option('--all', 'every cell of the catalogue')
    .option('--state <code>', 'cells of a state, such as WA; repeatable', collect)
    .option('--region <number>', 'cells of a region of the producer; repeatable', collect)
    .option('--district <number>', 'cells of a Coast Guard district; repeatable', collect)
    .option('--box <w,s,e,n>', 'cells that touch a box, in degrees; repeatable', collectBox)
    .option('--cell <name>', 'one cell; repeatable', collect)
    .option('--only', 'remove what is here and not selected, instead of keeping it fresh')
    .option('--remove-many', 'remove even more than a tenth of what is here')
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .option('--downloads <n>', 'downloads at a time', positiveCount, 4)
    .option('--dry-run', 'only say what would be fetched and removed')
    .option('--out <folder>', 'then build, into this folder')
    .option('--background <folder>', 'with --out, as for `build`')
    .option('--cache <folder>', 'with --out, as for `build`')
    .option('--jobs <n>', 'with --out, worker threads', workerCount, availableParallelism())
    .option('--strict', `with --out, ${STRICT_HELP}; nothing is published then`)
    .option('--report <file>', `with --out, ${REPORT_HELP}`)
    .option('--accept-losses', 'publish though charts in force are missing from the new build')
    .option('--keep <n>', 'after publishing, delete builds but the newest n', positiveCount);
  withBucketOptions(command)
    .addHelpText(
      'after',
      `
Selections add up. Cells that are here already are kept fresh though they are not selected; a zip that
is damaged, or older than the one here, never takes its place. What could not be had is named, the rest
is built and published, and the exit code is 6. With a bucket, the build is published there, unless a
chart that is shown now and still in force would be missing (exit code 5).

  charts sync --cells sources --state WA --dry-run
  charts sync --cells sources --state WA --out charts --store published --keep 3`,
    )
    .action((words: SyncWords) => runSync(words, output));
}

async function runSync(words: SyncWords, output: CommandOutput): Promise<void> {
  checkWords(words);
  const offer = await offerOf(words);
  for (const problem of offer.problems) output.note(`warning: ${problem}`);
  const selection = selectionOf(words, offer);
  for (const line of unknownWords(offer.cells, selection)) output.note(`warning: ${line}`);
  const options: SyncOptions = {
    folder: words.cells,
    offer,
    selection,
    only: words.only === true,
    removeMany: words.removeMany === true,
    acceptBadChecksums: words.acceptBadChecksums === true,
    atOnce: words.downloads,
    now: Date.now(),
  };
  if (selectsNothing(selection) && isEmpty(await planFolder(options))) {
    throw new CommandEnd(EXIT.usage, 'Select cells: --all, --state, --region, --box or --cell.');
  }
  if (words.dryRun === true) return tellPlan(options, output);

  // A bucket that cannot be reached is better known before hours of work than after.
  if (namesBucket(words)) await withBucket(words, readPointer);
  const progress = showProgress(output);
  const report = await syncFolder({ ...options, progress })
    .catch((error: unknown) => {
      if (!(error instanceof FolderInUse)) throw error;
      throw new CommandEnd(EXIT.unavailable, error.message);
    })
    .finally(() => progress.end());
  tellReport(report, output);
  if (words.out !== undefined) await buildAndPublish(words, words.out, offer, output);
  if (report.failures.length > 0) {
    throw new CommandEnd(EXIT.missing, 'Not everything could be brought up to date.');
  }
}

const isEmpty = ({ fetch, remove, keep }: SyncPlan): boolean =>
  fetch.length + remove.length + keep.length === 0;

function checkWords(words: SyncWords): void {
  const needsOut = [words.background, words.cache, words.keep, words.strict, words.report].some(
    (one) => one !== undefined,
  );
  if (words.out === undefined && (needsOut || namesBucket(words))) {
    throw new CommandEnd(EXIT.usage, 'Building and publishing need --out FOLDER.');
  }
  if (words.keep !== undefined && !namesBucket(words)) {
    throw new CommandEnd(EXIT.usage, '--keep deletes builds from a bucket: name one.');
  }
}

function offerOf({ from, zips }: SyncWords): Promise<Offer> {
  return readOffer(from, zips).catch((error: unknown) => {
    if (!(error instanceof CatalogueUnreadable)) throw error;
    throw new CommandEnd(EXIT.unavailable, `${error.message} Nothing was changed.`);
  });
}

function selectionOf(words: SyncWords, offer: Offer): Selection {
  const selection: Selection = {
    // A folder of zips says nothing of them to select by but their names.
    all: words.all === true || (!offer.isByCell && words.cell === undefined),
    cells: words.cell ?? [],
    states: words.state ?? [],
    regions: words.region ?? [],
    districts: words.district ?? [],
    boxes: words.box ?? [],
  };
  if (words.only === true && selectsNothing(selection)) {
    throw new CommandEnd(EXIT.usage, '--only would remove everything: select cells.');
  }
  return selection;
}

async function tellPlan(options: SyncOptions, output: CommandOutput): Promise<void> {
  const plan = await planFolder(options);
  let bytes = 0;
  for (const { cell, here } of plan.fetch) {
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

function tellReport(report: SyncReport, output: CommandOutput): void {
  for (const { name, because } of report.removed) output.note(`removed ${name} (${because})`);
  for (const failure of report.failures) output.note(failure);
  output.out(
    `${report.fetched.length} fetched, ${report.unchanged.length} unchanged, ` +
      `${report.removed.length} removed, ${report.kept} up to date, ${report.failures.length} failed.`,
  );
}

async function buildAndPublish(
  words: SyncWords,
  out: string,
  offer: Offer,
  output: CommandOutput,
): Promise<void> {
  await runBuild({ ...words, out, enc: [words.cells] }, output);
  if (!namesBucket(words)) return;
  await withBucket(words, async (bucket) => {
    const current = await readPointer(bucket);
    const { manifest } = await readBuild(out);
    const inForce = new Set(
      offer.cells.filter(({ isWithdrawn }) => !isWithdrawn).map(({ name }) => name),
    );
    const isInForce = (name: string) => !offer.isByCell || inForce.has(name);
    const lost = current === undefined ? [] : lostCells(current, manifest, isInForce);
    if (lost.length > 0 && words.acceptLosses !== true) {
      throw new CommandEnd(
        EXIT.refused,
        `Not published: the new build lacks charts that are shown now and still in force: ` +
          `${lost.slice(0, 20).join(', ')}${lost.length > 20 ? ` and ${lost.length - 20} more` : ''}. ` +
          'Use --accept-losses if that is meant.',
      );
    }
    const done = await publishBuild(out, bucket, (key) => output.note(`uploaded ${key}`));
    output.out(
      done.pointerMoved
        ? `Build ${done.buildId} is current now.`
        : `Build ${done.buildId} was current already.`,
    );
    if (words.keep === undefined) return;
    output.out(prunedText(await pruneBuilds(bucket, { keep: words.keep }), false));
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
  throw new InvalidArgumentError('It must be west,south,east,north in degrees: -123,47,-122,48.');
}
