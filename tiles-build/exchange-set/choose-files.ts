// Selects the files of a cell if deliveries of several weeks are present: those of its newest
// edition. Only files that are present more than once are examined.

import { crc32 } from 'node:zlib';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { checkCounts } from '../../shared/s57/read/checks.ts';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import { cancels, isBefore, number } from '../../shared/s57/read/take-update.ts';
import type { CellFileSource, CellSource, OtherContent } from './cell-source.ts';
import { badChecksum } from './listed-sums.ts';

/** All files of one name, in the order in which they were found. */
export interface FoundFiles {
  readonly bases: CellFileSource[];
  /** By extension, which is the number of the file. */
  readonly updates: Map<string, CellFileSource[]>;
}

/** The identification in a file; NaN or an empty text if it is missing or unreadable. */
interface Standing {
  readonly file: CellFileSource;
  readonly edition: number;
  readonly update: number;
  /** yyyymmdd, or an empty text. */
  readonly issueDate: string;
  readonly crc32: number;
  /** Why the bytes differ from those listed in CATALOG.031. */
  readonly badChecksum: string | undefined;
}

/** Enough bytes for the field descriptions and the first record of any file. */
const HEAD_BYTES = 16_384;

/**
 * Chooses one base and one update of each number. Of the complete files of one edition and update, the one
 * that was issued last is chosen. A damaged base is not chosen if another is intact. The first of the others
 * that is for a later edition than the base is kept too, so that the cell is reported as out of date. A file
 * whose checksum differs from the listed one is used only if there is no other, or with
 * `acceptBadChecksums`. `problems` names the files that are not used.
 */
export async function chooseFiles(
  name: string,
  { bases, updates }: FoundFiles,
  problems: Problem[],
  acceptBadChecksums: boolean,
): Promise<CellSource> {
  const others: OtherContent[] = [];
  const report = { problems, others, acceptBadChecksums, isApplied: true };
  const base = await newestOf(bases, report);
  const isRepeated = [...updates.values()].some((files) => files.length > 1);
  const standing = base !== undefined && isRepeated ? await standingOf(base) : undefined;
  const chosen: CellFileSource[] = [];
  let later: CellFileSource | undefined;
  for (const [ending, files] of [...updates].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = await updateFor(standing, Number(ending), files, report);
    chosen.push(found.file);
    later ??= found.later;
  }
  if (later !== undefined) chosen.push(later);
  return {
    ...{ name, updates: chosen },
    ...(base !== undefined && { base }),
    ...(others.length > 0 && { others }),
  };
}

/** What is collected about the files that are not used. */
interface Report {
  readonly problems: Problem[];
  readonly others: OtherContent[];
  readonly acceptBadChecksums: boolean;
  /** False for updates that are not applied, so that their contents do not matter. */
  readonly isApplied: boolean;
}

async function newestOf(
  bases: readonly CellFileSource[],
  report: Report,
): Promise<CellFileSource | undefined> {
  if (bases.length < 2) return bases[0];
  const standings = await standingsOf(bases);
  const candidates = [...trusted(standings, report)].sort(newestFirst);
  const damaged = new Set<Standing>();
  const used = (await firstReadable(candidates, damaged)) ?? candidates[0]!;
  await reportUnused(used, standings, report, damaged);
  return used.file;
}

/**
 * The first file without damage, if there is one: of several of one edition and update the first complete one.
 * Files before it are added to `damaged`. Each file is decoded once, because up to 200,000 may be alike.
 */
async function firstReadable(
  all: readonly Standing[],
  damaged: Set<Standing>,
): Promise<Standing | undefined> {
  let intact: Standing | undefined;
  for (const standing of all) {
    if (intact !== undefined && !isSame(standing, intact)) break;
    const quality = await qualityOf(standing);
    if (quality === 'whole') return standing;
    if (quality === 'damaged') damaged.add(standing);
    else intact ??= standing;
  }
  return intact;
}

/** Unknown numbers are last. */
const rank = (value: number): number => (Number.isNaN(value) ? -1 : value);
const newestFirst = (a: Standing, b: Standing): number =>
  rank(b.edition) - rank(a.edition) ||
  rank(b.update) - rank(a.update) ||
  Number(b.issueDate) - Number(a.issueDate);

const isSame = (a: Standing, b: Standing): boolean =>
  a.edition === b.edition && a.update === b.update;

/** 'doubtful' if the file can be decoded but has another checksum or fewer records than it states. */
async function qualityOf({
  badChecksum,
  file,
}: Standing): Promise<'whole' | 'doubtful' | 'damaged'> {
  const raw = decodeFile(await file.read().catch(() => new Uint8Array(0)), file.name);
  if (raw.dataSet === undefined || raw.problems.length > 0) return 'damaged';
  return badChecksum === undefined && !checkCounts(raw, file.name).holdsLess ? 'whole' : 'doubtful';
}

/** The files without a bad checksum; all files if none is left, or if bad ones are accepted. */
function trusted(
  all: readonly Standing[],
  { acceptBadChecksums }: Pick<Report, 'acceptBadChecksums'>,
): readonly Standing[] {
  const good = all.filter((standing) => standing.badChecksum === undefined);
  return acceptBadChecksums || good.length === 0 ? all : good;
}

/**
 * The last issued complete update for the edition of the base, preferably with the number of its extension;
 * otherwise one that cancels the cell; otherwise the first. A cancellation is preferred to an update that was
 * issued before it.
 */
async function updateFor(
  base: Standing | undefined,
  number: number,
  files: readonly CellFileSource[],
  report: Report,
): Promise<{ readonly file: CellFileSource; readonly later?: CellFileSource | undefined }> {
  if (files.length < 2) return { file: files[0]! };
  const standings = await standingsOf(files);
  const candidates = [...trusted(standings, report)];
  const edition = base?.edition ?? Number.NaN;
  const ofEdition = candidates.filter((one) => one.edition === edition).sort(newestFirst);
  const newest = ofEdition.find(({ update }) => update === number) ?? ofEdition[0];
  const wanted = newest ?? candidates[0]!;
  const alike = candidates.filter((one) => isSame(one, wanted)).sort(newestFirst);
  const chosen =
    (await cancellationAmong(candidates, newest?.issueDate ?? '')) ??
    (await firstReadable(alike, new Set())) ??
    wanted;
  const isApplied = chosen.edition === edition && !(chosen.update <= (base?.update || 0));
  await reportUnused(chosen, standings, { ...report, isApplied });
  const later = candidates.find((one) => one !== chosen && one.edition > edition)?.file;
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

async function reportUnused(
  used: Standing,
  all: readonly Standing[],
  report: Report,
  damaged: ReadonlySet<Standing> = new Set(),
): Promise<void> {
  const usedFile = `${used.file.origin} of edition ${wordOf(used.edition)}`;
  const isOther = (one: Standing) => isSame(one, used) && one.crc32 !== used.crc32;
  const isWhole = all.some(isOther) && (await qualityOf(used)) === 'whole';
  for (const standing of all) {
    if (standing.file === used.file) continue;
    const { origin, name: file } = standing.file;
    const say = (code: string, isDoubtful: boolean, message: string) =>
      report.problems.push({ code, message, file, severity: isDoubtful ? 'error' : 'warning' });
    const edition = wordOf(standing.edition);
    const isNewer = newestFirst(standing, used) < 0;
    const isRefused = standing.badChecksum !== undefined && !report.acceptBadChecksums;
    if (isRefused && (isNewer || !isSame(standing, used))) {
      const fact = `${origin} is refused and ${used.file.origin} is used`;
      say('checksum-differs', true, `${fact}: ${standing.badChecksum}`);
    } else if (isOther(standing)) await reportOther(standing, used, isWhole, report, say);
    else if (isSame(standing, used)) {
      say('repeated-file', false, `${origin} repeats ${used.file.origin}, which is used`);
    } else if (damaged.has(standing) && isNewer) {
      const fact = `${origin} of edition ${edition} is damaged`;
      say('other-edition', true, `${fact}, so ${usedFile} is used`);
    } else {
      const message = `${origin} is of edition ${edition}, and ${usedFile} is used`;
      say('other-edition', Number.isNaN(standing.edition), message);
    }
  }
}

/** Reports a file with the identification of the used one and other bytes. */
async function reportOther(
  standing: Standing,
  used: Standing,
  isUsedWhole: boolean,
  { others, isApplied }: Report,
  say: (code: string, isDoubtful: boolean, message: string) => void,
): Promise<void> {
  const [origin, usedOrigin] = [standing.file.origin, used.file.origin];
  const quality = await qualityOf(standing);
  const isDamaged = quality === 'damaged' || (quality === 'doubtful' && isUsedWhole);
  const order = newestFirst(standing, used);
  if (isDamaged && order >= 0) {
    say('repeated-file', false, `${origin} repeats ${usedOrigin}, which is used`);
    return;
  }
  if (isApplied && quality !== 'damaged') others.push(standing);
  if (isDamaged) {
    const fact = `${origin} was issued later but is damaged or incomplete`;
    say('damaged-file', isApplied, `${fact}, so ${usedOrigin} is used`);
    return;
  }
  const reason = order > 0 ? ', because it was issued later' : '';
  const both = `${origin} and ${usedOrigin} are both edition ${wordOf(used.edition)}, update ${used.update}`;
  const message = `${both}, with different contents: the second is used${reason}`;
  say('other-content', isApplied && order <= 0, message);
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
    issueDate: /^\d{8}$/.exec(dataSet?.issueDate ?? '')?.[0] ?? '',
    crc32: crc32(bytes),
    badChecksum: badChecksum(bytes, file.crc32s),
  };
}
