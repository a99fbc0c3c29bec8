// Which files make a cell where deliveries of several weeks lie beside each other: those of its newest
// edition. Only what is there more than once is looked into.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import { checkCounts } from '../../shared/s57/read/checks.ts';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import type { CellFileSource, CellSource } from './exchange-set.ts';
import { doubtAbout } from './listed-sums.ts';

/** All files of one name that were found, in the order in which they were. */
export interface FoundFiles {
  readonly bases: CellFileSource[];
  /** By their endings, which are their numbers. */
  readonly updates: Map<string, CellFileSource[]>;
}

/** What a file says of itself; NaN where it says nothing that can be read. */
interface Standing {
  readonly file: CellFileSource;
  readonly edition: number;
  readonly update: number;
}

/** More than the description of fields and the first record of any file take. */
const HEAD_BYTES = 16_384;

/**
 * One base and one update of each number, of several alike one that is whole; what is not used is named
 * in `problems`.
 */
export async function chooseFiles(
  name: string,
  { bases, updates }: FoundFiles,
  problems: Problem[],
): Promise<CellSource> {
  const base = await newestOf(bases, problems);
  const isRepeated = [...updates.values()].some((files) => files.length > 1);
  const edition = base === undefined || !isRepeated ? Number.NaN : (await standingOf(base)).edition;
  const chosen: CellFileSource[] = [];
  for (const [, files] of [...updates].sort(([a], [b]) => (a < b ? -1 : 1))) {
    chosen.push(await updateFor(edition, files, problems));
  }
  return { name, updates: chosen, ...(base === undefined ? {} : { base }) };
}

async function newestOf(
  bases: readonly CellFileSource[],
  problems: Problem[],
): Promise<CellFileSource | undefined> {
  if (bases.length < 2) return bases[0];
  const standings = await Promise.all(bases.map(standingOf));
  const newest = await soundestLike(
    standings.reduce((best, other) => (isNewer(other, best) ? other : best)),
    standings,
  );
  tellUnused(newest, standings, problems);
  return newest.file;
}

/** The first whole file that says the same of itself as one does; that one where none is whole. */
async function soundestLike(one: Standing, all: readonly Standing[]): Promise<Standing> {
  const alike = all.filter(
    ({ edition, update }) => edition === one.edition && update === one.update,
  );
  if (alike.length < 2) return one;
  for (const standing of alike) if (await isWhole(standing.file)) return standing;
  return one;
}

/** Whether a file was delivered as it was made, as far as that can be told. */
async function isWhole({ name, crc32, read }: CellFileSource): Promise<boolean> {
  const bytes = await read().catch(() => undefined);
  if (bytes === undefined || doubtAbout(bytes, crc32) !== undefined) return false;
  const raw = decodeFile(bytes, name);
  return raw.problems.length === 0 && !checkCounts(raw, name).holdsLess;
}

/** The first of the base's edition, else one that takes the cell out of force, else the first. */
async function updateFor(
  edition: number,
  files: readonly CellFileSource[],
  problems: Problem[],
): Promise<CellFileSource> {
  if (files.length < 2) return files[0]!;
  const standings = await Promise.all(files.map(standingOf));
  const chosen = await soundestLike(
    standings.find((standing) => standing.edition === edition) ??
      standings.find((standing) => standing.edition === 0) ??
      standings[0]!,
    standings,
  );
  tellUnused(chosen, standings, problems);
  return chosen.file;
}

function isNewer(a: Standing, b: Standing): boolean {
  if (Number.isNaN(a.edition)) return false;
  if (Number.isNaN(b.edition) || a.edition !== b.edition) return !(a.edition <= b.edition);
  return a.update > b.update;
}

function tellUnused(used: Standing, all: readonly Standing[], problems: Problem[]): void {
  for (const { file, edition, update } of all) {
    if (file === used.file) continue;
    const isSame = edition === used.edition && update === used.update;
    const message = isSame
      ? `${file.origin} repeats ${used.file.origin}, which is used`
      : `${file.origin} is of edition ${wordOf(edition)}, and ${used.file.origin} of edition ` +
        `${wordOf(used.edition)} is used`;
    const code = isSame ? 'repeated-file' : 'other-edition';
    problems.push({ code, message, file: file.name, severity: 'warning' });
  }
}

const wordOf = (edition: number): string => (Number.isNaN(edition) ? 'unknown' : String(edition));

/** DSID stands in the first record, and the rest of a file need not be read for it. */
async function standingOf(file: CellFileSource): Promise<Standing> {
  const bytes = await file.read().catch(() => new Uint8Array(0));
  const { dataSet } = decodeFile(bytes.subarray(0, HEAD_BYTES), file.name);
  const number = (text = '') => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN);
  return { file, edition: number(dataSet?.edition), update: number(dataSet?.update) };
}
