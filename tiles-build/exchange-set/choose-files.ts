// Selects the files of a cell if deliveries of several weeks are present: those of its newest
// edition. Only files that are present more than once are examined.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import { checkCounts } from '../../shared/s57/read/checks.ts';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { cancels, isBefore, number } from '../../shared/s57/read/take-update.ts';
import type { CellFileSource, CellSource } from './cell-source.ts';
import { badChecksum } from './listed-sums.ts';

/** All files of one name, in the order in which they were found. */
export interface FoundFiles {
  readonly bases: CellFileSource[];
  /** By extension, which is the number of the file. */
  readonly updates: Map<string, CellFileSource[]>;
}

type RawFile = ReturnType<typeof decodeFile>;

/** The identification in a file; NaN or an empty text if it is missing or unreadable. */
interface Standing {
  readonly file: CellFileSource;
  readonly edition: number;
  readonly update: number;
  readonly issueDate: string;
  /** Why the bytes differ from those listed in CATALOG.031. */
  readonly badChecksum: string | undefined;
}

/** Enough bytes for the field descriptions and the first record of any file. */
const HEAD_BYTES = 16_384;

/**
 * Chooses one base and one update of each number. Of several equivalent files a complete one is
 * chosen, and a damaged base is not chosen if another is intact. The first of the others that is for a
 * later edition than the base is kept too, so that the cell is reported as out of date. A file whose
 * checksum differs from the listed one is used only if there is no other, or with `acceptBadChecksums`.
 * `problems` names the files that are not used.
 */
export async function chooseFiles(
  name: string,
  { bases, updates }: FoundFiles,
  problems: Problem[],
  acceptBadChecksums: boolean,
): Promise<CellSource> {
  const base = await newestOf(bases, problems, acceptBadChecksums);
  const isRepeated = [...updates.values()].some((files) => files.length > 1);
  const edition = base === undefined || !isRepeated ? Number.NaN : (await standingOf(base)).edition;
  const chosen: CellFileSource[] = [];
  let later: CellFileSource | undefined;
  for (const [ending, files] of [...updates].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const wanted = { edition, update: Number(ending) };
    const found = await updateFor(wanted, files, problems, acceptBadChecksums);
    chosen.push(found.file);
    later ??= found.later;
  }
  if (later !== undefined) chosen.push(later);
  return { name, updates: chosen, ...(base === undefined ? {} : { base }) };
}

async function newestOf(
  bases: readonly CellFileSource[],
  problems: Problem[],
  acceptBadChecksums: boolean,
): Promise<CellFileSource | undefined> {
  if (bases.length < 2) return bases[0];
  const standings = await standingsOf(bases);
  const candidates = trusted(standings, acceptBadChecksums);
  const damaged = new Set<Standing>();
  const used = (await newestReadable(candidates, damaged)) ?? newestAmong(candidates);
  damaged.delete(used);
  reportUnused(used, standings, problems, acceptBadChecksums, damaged);
  return used.file;
}

const newestAmong = (all: readonly Standing[]): Standing =>
  all.reduce((best, other) => (isNewer(other, best) ? other : best));

/**
 * The newest file without damage, if there is one: of several alike the first complete one. Newer files are added to
 * `damaged`. Each file is decoded once, because up to 200,000 may be alike.
 */
async function newestReadable(
  all: readonly Standing[],
  damaged: Set<Standing>,
): Promise<Standing | undefined> {
  let intact: Standing | undefined;
  for (const standing of [...all].sort(newestFirst)) {
    if (intact !== undefined && !isAlike(standing, intact)) break;
    const raw = await decoded(standing);
    if (raw?.dataSet === undefined || raw.problems.length > 0) damaged.add(standing);
    else if (isWhole(standing, raw)) return standing;
    else intact ??= standing;
  }
  return intact;
}

/** Unknown numbers are last. */
const rank = (value: number): number => (Number.isNaN(value) ? -1 : value);
const newestFirst = (a: Standing, b: Standing): number =>
  rank(b.edition) - rank(a.edition) || rank(b.update) - rank(a.update);

const isAlike = (a: Standing, b: Standing): boolean =>
  a.edition === b.edition && a.update === b.update;

async function decoded({ file }: Standing): Promise<RawFile | undefined> {
  const bytes = await file.read().catch(() => undefined);
  return bytes && decodeFile(bytes, file.name);
}

/** The files without a bad checksum; all files if none is left, or if bad ones are accepted. */
function trusted(all: readonly Standing[], acceptBadChecksums: boolean): readonly Standing[] {
  const good = all.filter((standing) => standing.badChecksum === undefined);
  return acceptBadChecksums || good.length === 0 ? all : good;
}

/**
 * The first complete file with the same identification as the given one; the given one if none is
 * complete.
 */
async function soundestLike(one: Standing, all: readonly Standing[]): Promise<Standing> {
  const alike = all.filter((other) => isAlike(other, one));
  if (alike.length < 2) return one;
  for (const standing of alike) {
    const raw = await decoded(standing);
    if (raw !== undefined && isWhole(standing, raw)) return standing;
  }
  return one;
}

/** Whether a file appears to be complete and unmodified. */
const isWhole = ({ badChecksum, file }: Standing, raw: RawFile): boolean =>
  badChecksum === undefined && raw.problems.length === 0 && !checkCounts(raw, file.name).holdsLess;

/**
 * An update for the edition of the base, preferably with the number of its extension; otherwise one
 * that cancels the cell; otherwise the first. A cancellation is preferred to an update that was
 * issued before it.
 */
async function updateFor(
  wanted: { readonly edition: number; readonly update: number },
  files: readonly CellFileSource[],
  problems: Problem[],
  acceptBadChecksums: boolean,
): Promise<{ readonly file: CellFileSource; readonly later?: CellFileSource | undefined }> {
  if (files.length < 2) return { file: files[0]! };
  const standings = await standingsOf(files);
  const candidates = trusted(standings, acceptBadChecksums);
  const ofEdition = candidates.filter(({ edition }) => edition === wanted.edition);
  const wantedFile = ofEdition.find(({ update }) => update === wanted.update) ?? ofEdition[0];
  const chosen = await soundestLike(
    (await cancellationAmong(candidates, wantedFile?.issueDate ?? '')) ??
      wantedFile ??
      candidates[0]!,
    candidates,
  );
  reportUnused(chosen, standings, problems, acceptBadChecksums);
  const later = candidates.find((one) => one !== chosen && one.edition > wanted.edition)?.file;
  return { file: chosen.file, later };
}

/** A file that cancels the cell, unless it was issued before a day (YYYYMMDD). */
async function cancellationAmong(
  all: readonly Standing[],
  day: string,
): Promise<Standing | undefined> {
  for (const standing of all) {
    if (standing.edition !== 0) continue;
    const { file } = standing;
    const raw = decodeFile(await file.read().catch(() => new Uint8Array(0)), file.name);
    if (cancels(raw, file.name.slice(0, -'.000'.length)) && !isBefore(raw, day)) return standing;
  }
  return undefined;
}

function isNewer(a: Standing, b: Standing): boolean {
  if (Number.isNaN(a.edition)) return false;
  if (Number.isNaN(b.edition) || a.edition !== b.edition) return !(a.edition <= b.edition);
  return a.update > b.update;
}

function reportUnused(
  used: Standing,
  all: readonly Standing[],
  problems: Problem[],
  acceptBadChecksums: boolean,
  damaged: ReadonlySet<Standing> = new Set(),
): void {
  const usedFile = `${used.file.origin} of edition ${wordOf(used.edition)}`;
  for (const standing of all) {
    if (standing.file === used.file) continue;
    const isSame = standing.edition === used.edition && standing.update === used.update;
    const isBad = standing.badChecksum !== undefined && !isSame && !acceptBadChecksums;
    const { origin, name: file } = standing.file;
    if (isBad) {
      const message = `${origin} is refused and ${used.file.origin} is used: ${standing.badChecksum}`;
      problems.push({ code: 'checksum-differs', message, file, severity: 'error' });
      continue;
    }
    const isDamaged = damaged.has(standing) && isNewer(standing, used);
    const edition = wordOf(standing.edition);
    const message = isSame
      ? `${origin} repeats ${used.file.origin}, which is used`
      : isDamaged
        ? `${origin} of edition ${edition} is damaged, so ${usedFile} is used`
        : `${origin} is of edition ${edition}, and ${usedFile} is used`;
    const code = isSame ? 'repeated-file' : 'other-edition';
    const isDoubtful = isDamaged || (!isSame && Number.isNaN(standing.edition));
    problems.push({ code, message, file, severity: isDoubtful ? 'error' : 'warning' });
  }
}

const wordOf = (edition: number): string => (Number.isNaN(edition) ? 'unknown' : String(edition));

/** One file after another, so that one is in memory. */
async function standingsOf(files: readonly CellFileSource[]): Promise<readonly Standing[]> {
  const standings: Standing[] = [];
  for (const file of files) standings.push(await standingOf(file));
  return standings;
}

/** DSID is in the first record, so the rest of the file is not decoded. */
async function standingOf(file: CellFileSource): Promise<Standing> {
  const bytes = await file.read().catch(() => new Uint8Array(0));
  const { dataSet } = decodeFile(bytes.subarray(0, HEAD_BYTES), file.name);
  return {
    file,
    edition: number(dataSet?.edition ?? ''),
    update: number(dataSet?.update ?? ''),
    issueDate: dataSet?.issueDate ?? '',
    badChecksum: badChecksum(bytes, file.crc32s),
  };
}
