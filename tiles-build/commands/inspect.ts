// `charts inspect`: prints a cell, an archive, a tile or a build as reproducible text.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { partKey, regionName } from '../../shared/chart/part-line.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import type { ReadResult } from '../../shared/s57/cell/cell.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { objectClassByAcronym } from '../../shared/s57/vocabulary/object-classes.ts';
import { openArchive } from '../archive/file-source.ts';
import type { CellSource } from '../exchange-set/cell-source.ts';
import { findCells, loadCell } from '../exchange-set/exchange-set.ts';
import { describeArchive, describeTile } from '../inspect/describe-archive.ts';
import { describeCellInFull, describeCellShortly } from '../inspect/describe-cell.ts';
import { DamagedBuild, openBuild, partPath, readBuild } from '../publish/build-folder.ts';
import { problemsAsRead } from '../s63/problems-as-read.ts';
import { NO_LICENCE, unlockWith } from '../s63/unlock.ts';
import { ACCEPT_BAD_CHECKSUMS_HELP } from './checksums-option.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';
import { S63_HELP, type S63Options, unlockSettingsOf, withS63Options } from './s63-options.ts';
import { stableText } from './stable-text.ts';

interface InspectOptions extends S63Options {
  readonly tileset: string;
  /** `true` for all features, an object class, or the path if the option precedes it. */
  readonly features?: string | true;
  readonly acceptBadChecksums?: true;
}

interface Target {
  readonly path: string;
  readonly tile: string | undefined;
  /** Of the tile, if the path is a build. */
  readonly tileset: string;
  readonly features: string | true | undefined;
}

export function addInspectCommand(program: Command, output: CommandOutput): void {
  withS63Options(program.command('inspect'))
    .description('print a cell, an archive, a tile or a build as stable JSON')
    .usage('[options] <path> [z/x/y]')
    // Optional for commander, which takes a path after `--features` as the value of the option.
    .argument('[path]', 'cell, folder of cells, archive (.pmtiles), or folder of a build')
    .argument('[z/x/y]', 'tile of the archive or build, such as 12/322/1205')
    .option('--tileset <name>', 'tileset of the tile of a build', 'enc-v2')
    .option('--features [class]', 'list all features of the cell, or those of one object class')
    .option('--accept-bad-checksums', ACCEPT_BAD_CHECKSUMS_HELP)
    .addHelpText('after', `${S63_HELP}\nDecrypted cells are in memory only.`)
    .action(async (path: string | undefined, tile: string | undefined, options: InspectOptions) => {
      const { features, tileset } = options;
      const target = { ...targetOf(path, tile, features), tileset };
      if (!existsSync(target.path)) {
        throw new CommandEnd(
          EXIT.missing,
          `There is no file or folder "${target.path}". Check the path.`,
        );
      }
      output.out(stableText(await describe(target, options)));
    });
}

/**
 * Interpret the arguments: `--features CELL` lists all features of CELL. `--features BOYLAT CELL` and
 * `CELL --features BOYLAT` list those of one class. The value is a class if there is also a path.
 * @throws CommandEnd if there is no path, or the value is no object class
 */
function targetOf(
  path: string | undefined,
  tile: string | undefined,
  features: string | true | undefined,
): Omit<Target, 'tileset'> {
  if (typeof features === 'string') {
    const isClass = isObjectClass(features);
    if (path === undefined && !(isClass && !existsSync(features))) {
      return { path: features, tile, features: true };
    }
    // `--features CELL.pmtiles 12/322/1205`: commander assigned the path to the option, the tile to the path.
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
    throw new CommandEnd(
      EXIT.usage,
      'Expected a path. Name a cell, a folder, an archive or a build.',
    );
  }
  return { path, tile, features };
}

/** Whether a text is an acronym of the object catalogue, in any case, or the code of an unknown class. */
const isObjectClass = (text: string): boolean =>
  /^\$\w+$/.test(text) ||
  [text.toUpperCase(), text.toLowerCase()].some((one) => objectClassByAcronym(one) !== undefined);

function describe(target: Target, options: InspectOptions): Promise<unknown> {
  const { path, tile, tileset, features } = target;
  if (/\.pmtiles$/i.test(path)) return inspectArchive(path, tile);
  const isBuild = statSync(path).isDirectory() && existsSync(join(path, MANIFEST_FILE));
  if (isBuild) return inspectBuild(path, tile, tileset);
  if (tile !== undefined)
    throw new CommandEnd(
      EXIT.usage,
      `${path} is neither an archive nor a build, so it has no tiles. Omit the tile.`,
    );
  return inspectCells(path, features, options);
}

async function inspectArchive(path: string, tile: string | undefined): Promise<unknown> {
  const place = tile === undefined ? undefined : tileOf(tile);
  const { archive, close } = await openArchive(path);
  try {
    if (place === undefined) return await describeArchive(archive);
    const described = await describeTile(archive, ...place);
    if (described !== undefined) return described;
    throw new CommandEnd(
      EXIT.missing,
      `${path} has no tile ${tile}. To list its zooms and bounds: charts inspect ${path}.`,
    );
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    throw new CommandEnd(
      EXIT.damaged,
      systemErrorText(error) ??
        `${path} is not a complete archive of charts. Download or build it again.`,
    );
  } finally {
    await close();
  }
}

/** Maximum zoom whose tiles PMTiles can number. */
const MAX_ARCHIVE_ZOOM = 26;

function tileOf(text: string): readonly [number, number, number] {
  const numbers = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})$/.exec(text)?.slice(1).map(Number);
  const [z, x, y] = numbers ?? [];
  const isTile = z !== undefined && x !== undefined && y !== undefined && z <= MAX_ARCHIVE_ZOOM;
  if (!isTile || x >= 2 ** z || y >= 2 ** z) {
    throw new CommandEnd(
      EXIT.usage,
      `"${text}" is not a tile. Expected z/x/y with z at most ${MAX_ARCHIVE_ZOOM} and x and y less than 2^z, for example 12/322/1205.`,
    );
  }
  return [z, x, y];
}

async function inspectBuild(
  path: string,
  tile: string | undefined,
  tileset: string,
): Promise<unknown> {
  try {
    if (tile !== undefined) return await inspectTile(path, tile, tileset);
    const { manifest } = await readBuild(path);
    const archives = manifest.archives.map(({ heads, ...archive }) => ({
      ...archive,
      parts: PartIndex.of(archive).parts.map(({ region, sha256, headBytes, headSum, ...part }) => ({
        region: regionName(region),
        file: partKey(sha256),
        ...part,
      })),
    }));
    return { ...manifest, archives };
  } catch (error) {
    if (error instanceof DamagedBuild) throw new CommandEnd(EXIT.damaged, error.message);
    throw error;
  }
}

/** A tile of the part of the build that stores it. */
async function inspectTile(folder: string, tile: string, tileset: string): Promise<unknown> {
  const [z, x, y] = tileOf(tile);
  const { archives } = (await openBuild(folder)).manifest;
  const archive = archives.find((one) => one.tileset === tileset);
  if (archive === undefined) {
    const names = archives.map((one) => one.tileset).join(', ');
    throw new CommandEnd(
      EXIT.usage,
      `${folder} has no tileset ${tileset}. Expected one of ${names}.`,
    );
  }
  const part = partPath(folder, archive, { z, x, y });
  if (part === undefined) {
    throw new CommandEnd(EXIT.missing, `${folder} has no tile ${tile} in ${tileset}.`);
  }
  if (!existsSync(part)) throw new DamagedBuild(`${part} is missing. Run the build again.`);
  return inspectArchive(part, tile);
}

async function inspectCells(
  path: string,
  features: string | true | undefined,
  options: InspectOptions,
): Promise<unknown> {
  const { acceptBadChecksums } = options;
  const licence = unlockSettingsOf(options);
  const unlock =
    licence === undefined ? NO_LICENCE : unlockWith({ ...licence, acceptBadChecksums });
  const { cells, problems } = await findCells([path], { acceptBadChecksums, unlock });
  if (cells.length === 0)
    throw new CommandEnd(
      EXIT.missing,
      [
        `${path} contains no ENC cell. Expected a .000 file, an exchange set or a zip.`,
        ...problems.map(({ message }) => message),
      ].join('\n'),
    );
  const described: unknown[] = [];
  for (const source of cells) {
    const result = await readSource(source);
    described.push(
      features === undefined ? describeCellShortly(result) : describeCellInFull(result, features),
    );
  }
  const found = described.length === 1 ? described[0] : described;
  return problems.length === 0 ? found : { problems, cells: described };
}

/** A cell without files is one whose encrypted files were all refused. */
async function readSource(source: CellSource): Promise<ReadResult> {
  const { name, base, updates, encrypted } = source;
  const isEmpty = base === undefined && updates.length === 0;
  const result: ReadResult = isEmpty
    ? { name, cancelled: false, problems: [] }
    : readCell(await loadCell(source));
  const { cell, problems } = result;
  const found = cell && { header: cell.header };
  return {
    ...result,
    problems: problemsAsRead(encrypted, { name, problems, ...(found && { found }) }),
  };
}
