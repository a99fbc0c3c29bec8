// `inspect`: a cell, an archive, one tile of it, or a build's folder as text that is the same every
// time. This is how to look at things while working on them.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { objectClassByAcronym } from '../../shared/s57/vocabulary/object-classes.ts';
import { openArchive } from '../archive/file-source.ts';
import { findCells, loadCell } from '../exchange-set/exchange-set.ts';
import { describeArchive, describeTile } from '../inspect/describe-archive.ts';
import { describeCellInFull, describeCellShortly } from '../inspect/describe-cell.ts';
import { DamagedBuild, readBuild } from '../publish/build-folder.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { stableText } from './stable-text.ts';

interface InspectWords {
  /** All features, or the class named; the path if the option stands before it. */
  readonly features?: string | true;
  readonly acceptBadChecksums?: true;
}

interface Wanted {
  readonly path: string;
  readonly tile: string | undefined;
  readonly features: string | true | undefined;
}

export function addInspectCommand(program: Command, output: CommandOutput): void {
  program
    .command('inspect')
    .description('print a cell, an archive, a tile or a build as stable JSON')
    .usage('[options] <path> [z/x/y]')
    // Not required by commander: behind `--features` it takes the path for the value of the option.
    .argument('[path]', 'a cell or folder of cells, an archive (.pmtiles), or a build’s folder')
    .argument('[z/x/y]', 'a tile of the archive')
    .option('--features [class]', 'list a cell’s features: all, or those of one object class')
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .action(async (path: string | undefined, tile: string | undefined, words: InspectWords) => {
      const wanted = wantedOf(path, tile, words.features);
      if (!existsSync(wanted.path)) {
        throw new CommandEnd(EXIT.missing, `There is no ${wanted.path}.`);
      }
      output.out(stableText(await describe(wanted, words.acceptBadChecksums === true)));
    });
}

/**
 * Sort the words of the command: `--features CELL` lists all features of CELL, `--features BOYLAT CELL` and
 * `CELL --features BOYLAT` those of one class. The value is a class if a path stands beside it.
 * @throws CommandEnd if there is no path, or the value is no object class
 */
function wantedOf(
  path: string | undefined,
  tile: string | undefined,
  features: string | true | undefined,
): Wanted {
  if (typeof features === 'string') {
    const isClass = isObjectClass(features);
    if (path === undefined && !(isClass && !existsSync(features))) {
      return { path: features, tile, features: true };
    }
    // `--features CELL.pmtiles 12/322/1205`: the path went to the option, the tile to the path.
    if (path !== undefined && !isClass && existsSync(features) && tile === undefined) {
      return { path: features, tile: path, features: true };
    }
    if (path !== undefined && !isClass) {
      throw new CommandEnd(
        EXIT.usage,
        `"${features}" is not an S-57 object class. Expected an acronym such as BOYLAT, or a code such as $999.`,
      );
    }
  }
  if (path === undefined) {
    throw new CommandEnd(EXIT.usage, "error: missing required argument 'path'");
  }
  return { path, tile, features };
}

/** Whether a text is an acronym of the object catalogue, in any case, or the code of an unknown class. */
const isObjectClass = (text: string): boolean =>
  /^\$\w+$/.test(text) ||
  [text.toUpperCase(), text.toLowerCase()].some((one) => objectClassByAcronym(one) !== undefined);

function describe({ path, tile, features }: Wanted, acceptBadChecksums: boolean): Promise<unknown> {
  if (/\.pmtiles$/i.test(path)) return inspectArchive(path, tile);
  if (tile !== undefined) throw new CommandEnd(EXIT.usage, 'Only an archive has tiles.');
  const isBuild = statSync(path).isDirectory() && existsSync(join(path, MANIFEST_FILE));
  return isBuild ? inspectBuild(path) : inspectCells(path, features, acceptBadChecksums);
}

async function inspectArchive(path: string, tile: string | undefined): Promise<unknown> {
  const place = tile === undefined ? undefined : tileOf(tile);
  const { archive, close } = await openArchive(path);
  try {
    if (place === undefined) return await describeArchive(archive);
    const described = await describeTile(archive, ...place);
    if (described !== undefined) return described;
    throw new CommandEnd(EXIT.missing, `${path} has no tile ${tile}.`);
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    throw new CommandEnd(EXIT.damaged, `${path} cannot be read: ${(error as Error).message}`);
  } finally {
    await close();
  }
}

function tileOf(text: string): readonly [number, number, number] {
  const numbers = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})$/.exec(text)?.slice(1).map(Number);
  const [z, x, y] = numbers ?? [];
  if (z === undefined || x === undefined || y === undefined || x >= 2 ** z || y >= 2 ** z) {
    throw new CommandEnd(EXIT.usage, `"${text}" is not a tile; write z/x/y, such as 12/322/1205.`);
  }
  return [z, x, y];
}

async function inspectBuild(path: string): Promise<unknown> {
  try {
    const { manifest } = await readBuild(path);
    const archives = manifest.archives.map(({ head, ...archive }) => archive);
    return { ...manifest, archives };
  } catch (error) {
    if (error instanceof DamagedBuild) throw new CommandEnd(EXIT.damaged, error.message);
    throw error;
  }
}

async function inspectCells(
  path: string,
  features: string | true | undefined,
  acceptBadChecksums: boolean,
): Promise<unknown> {
  const { cells, problems } = await findCells([path], { acceptBadChecksums });
  if (cells.length === 0) throw new CommandEnd(EXIT.missing, `${path} holds no cell.`);
  const described: unknown[] = [];
  for (const source of cells) {
    const result = readCell(await loadCell(source));
    described.push(
      features === undefined ? describeCellShortly(result) : describeCellInFull(result, features),
    );
  }
  const found = described.length === 1 ? described[0] : described;
  return problems.length === 0 ? found : { problems, cells: described };
}
