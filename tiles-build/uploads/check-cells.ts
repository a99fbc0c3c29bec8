// Checks the cells of an upload before the charts change: each is read together with the files that
// the charts have of it, as the build would read it.

import type { CellReport } from '../../shared/contract/charts.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellSource, OtherContent, Unlock } from '../exchange-set/cell-source.ts';
import { findCells, TooManyFiles } from '../exchange-set/exchange-set.ts';
import { type BuildPool, BuildStopped, refusalOf } from '../pipeline/build-context.ts';
import { locationOf } from '../pipeline/cell-location.ts';
import { codeDigest } from '../pipeline/code-digest.ts';
import type { CellScan } from '../pipeline/scan-cell.ts';
import { problemsAsRead } from '../s63/problems-as-read.ts';
import type { JobProgress } from './job-progress.ts';
import { MAX_UPLOAD_FILES } from './licences.ts';
import { UploadRefused } from './upload-files.ts';

interface CheckOptions {
  /** Folder of the upload. */
  readonly fetched: string;
  /** Folders of the cells that the charts have without the upload. */
  readonly others: readonly string[];
  readonly unlock: Unlock;
  readonly pool: BuildPool;
  readonly cacheFolder: string;
  readonly progress: JobProgress;
  /** The maximum numbers of an upload; smaller in tests. */
  readonly limits?: { readonly files: number; readonly cells: number };
}

/** Far more than all nations publish. The worker checks the uploads of all accounts, one at a time. */
const LIMITS = { files: MAX_UPLOAD_FILES, cells: 20_000 } as const;

interface Checked {
  readonly cells: readonly CellReport[];
  /** Problems of files that belong to no cell. */
  readonly problems: readonly string[];
}

/** @throws UploadRefused if the upload has too many files or cells; BuildStopped if the machine failed; JobCancelled */
export async function checkCells(options: CheckOptions): Promise<Checked> {
  const { fetched, others, progress, unlock } = options;
  const own = await cellsOfUpload(options);
  progress.check();
  const all = new Map(
    (await findCells([...others, fetched], { unlock })).cells.map((cell) => [cell.name, cell]),
  );
  progress.log(
    'info',
    `Checking ${own.cells.length} ${own.cells.length === 1 ? 'cell' : 'cells'}.`,
  );
  const cells: CellReport[] = [];
  let hung = 0;
  for (const source of own.cells) {
    progress.check();
    if (hung >= MAX_HUNG) {
      cells.push(skippedReport(source.name));
      continue;
    }
    let isHung = false;
    const pool = {
      ...options.pool,
      run: async (job: Parameters<BuildPool['run']>[0]) => {
        const outcome = await options.pool.run(job);
        isHung ||= !outcome.ok && outcome.reason === 'hung';
        return outcome;
      },
    };
    const report = await reportOn(source, all.get(source.name) as CellSource, { ...options, pool });
    if (isHung) hung++;
    cells.push({ ...report, problems: report.problems.map((text) => plain(text, fetched)) });
  }
  return {
    cells,
    problems: sentences(own.problems).map((text) => plain(text, fetched)),
  };
}

async function cellsOfUpload({ fetched, unlock, limits = LIMITS }: CheckOptions) {
  const { files, cells } = limits;
  const own = await findCells([fetched], { unlock, maxFiles: files }).catch((error: unknown) => {
    if (!(error instanceof TooManyFiles)) throw error;
    throw new UploadRefused(`The upload has more than ${files} files. Upload the cells in parts.`);
  });
  if (own.cells.length > cells) {
    throw new UploadRefused(`The upload has more than ${cells} cells. Upload them in parts.`);
  }
  return own;
}

/** Hung cells of an upload, after which the others are not read: the uploads of all accounts wait for them. */
const MAX_HUNG = 3;

const skippedReport = (name: string): CellReport => ({
  ...{ name, edition: 0, update: 0, outcome: 'refused' },
  problems: [
    `${name} was not read, because reading ${MAX_HUNG} cells of the upload took too long. Upload it again without them.`,
  ],
});

/** @param joined the cell with the files that the charts have of it */
async function reportOn(
  source: CellSource,
  joined: CellSource,
  options: CheckOptions,
): Promise<CellReport> {
  // A cell whose files were refused does not add to the charts.
  if (filesOf(source).length === 0) return reportOf(await scanOf(source, options));
  const other = joined.others?.find(({ file }) => isOf(file, source));
  if (other !== undefined) return otherReport(source, other);
  const scan = await scanOf(joined, options);
  if (joined.base !== undefined && isOf(joined.base, source)) return reportOf(scan);
  const alone = await scanOf(source, options);
  // Updates of an older edition may be among the files of the cell, but they are not applied.
  const outdated = new Set(
    scan.problems.filter(({ code }) => code === 'update-outdated').map(({ file }) => file),
  );
  const isUsed =
    filesOf(joined).some((file) => isOf(file, source) && !outdated.has(file.name)) &&
    !(editionOf(alone) < editionOf(scan));
  return isUsed ? reportOf(scan) : reportOf(alone, scan);
}

/** The charts have another file with the identification of an uploaded one, and cannot have both. */
function otherReport({ name }: CellSource, { file, edition, update }: OtherContent): CellReport {
  const text =
    `The charts have another file of edition ${edition}, update ${update}, and ${file.name} of the upload was not ` +
    'issued later, or is incomplete. Raise the edition or the issue date, or delete the upload with the other file.';
  return { name, edition, update, outcome: 'refused', problems: [text] };
}

/** NaN if the cell cannot be used. */
const editionOf = ({ found }: CellScan): number => found?.header.edition ?? Number.NaN;
const filesOf = ({ base, updates }: CellSource) =>
  base === undefined ? updates : [base, ...updates];
const isOf = ({ origin }: { readonly origin: string }, source: CellSource): boolean =>
  filesOf(source).some((own) => own.origin === origin);

async function scanOf(source: CellSource, { pool, cacheFolder }: CheckOptions): Promise<CellScan> {
  const location = locationOf(source);
  const { name, encrypted } = source;
  if (filesOf(source).length === 0) {
    return { name, digest: '', cancelled: false, problems: encrypted?.problems ?? [] };
  }
  const job = { kind: 'scan', location, cacheFolder, code: codeDigest() } as const;
  const outcome = await pool.run(job);
  if (outcome.ok && outcome.value.kind === 'scan') {
    const { scan } = outcome.value;
    return { ...scan, problems: problemsAsRead(encrypted, scan) };
  }
  if (!outcome.ok && outcome.reason !== 'system-error') {
    const problem = refusalOf('reading', name, outcome);
    return { name, digest: '', cancelled: false, problems: [problem] };
  }
  throw new BuildStopped(outcome.ok ? 'The answer is of another kind.' : outcome.message);
}

/** @param newer the cell of the charts, if it is used instead of the uploaded one */
function reportOf({ name, cancelled, found, problems }: CellScan, newer?: CellScan): CellReport {
  const { edition = 0, update = 0 } = found?.header ?? {};
  const known = { name, edition, update };
  const there = newer?.found?.header;
  if (
    there !== undefined &&
    (there.edition > edition || (there.edition === edition && there.update > update))
  ) {
    const text = `The charts have a newer one: edition ${there.edition}, update ${there.update}. The upload has edition ${edition}, update ${update}.`;
    return { ...known, outcome: 'refused', problems: [text] };
  }
  const texts = sentences(problems);
  if (cancelled) return { ...known, outcome: 'cancelled', problems: texts };
  if (found === undefined) return { ...known, outcome: 'refused', problems: texts };
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { ...known, outcome: hasErrors ? 'accepted-partly' : 'accepted', problems: texts };
}

/** Problems of one cell, or of files without a cell, in a report; the rest is counted. */
const MAX_PROBLEMS = 20;

/** The messages as sentences, errors first. */
export function sentences(problems: readonly Pick<Problem, 'message' | 'severity'>[]): string[] {
  const texts = [
    ...problems.filter(({ severity }) => severity === 'error'),
    ...problems.filter(({ severity }) => severity !== 'error'),
  ].map(({ message }) => sentenceOf(message));
  const more = texts.length - MAX_PROBLEMS;
  return more > 0 ? [...texts.slice(0, MAX_PROBLEMS), `And ${more} more problems.`] : texts;
}

/** Messages of readers begin with a lower-case letter, because they follow the name of a file. */
function sentenceOf(message: string): string {
  const text = message.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return text.endsWith('.') ? text : `${text}.`;
}

/** A message without the paths of this machine, whose folders of files have numbers. */
const plain = (message: string, folder: string): string =>
  message
    .split(`${folder}/`)
    .map((part, i) => (i === 0 ? part : part.replace(/^\d+\//, '')))
    .join('');
