// `charts extract`: a region of a build as one file. The implementation is in ../extract.

import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { REGION_PARAMETERS, type RegionQuery } from '../../shared/contract/region.ts';
import {
  extractRegion,
  NothingThere,
  NotLicensed,
  SourceMissing,
} from '../extract/extract-region.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { isWithin } from '../publish/folder-bucket.ts';
import { CommandEnd, type CommandOutput, EXIT, type ExitCode } from './exit.ts';

interface ExtractOptions {
  readonly bbox: RegionQuery['bbox'];
  readonly maxZoom: number;
  readonly charts: string;
  readonly assets: string;
}

export function addExtractCommand(program: Command, output: CommandOutput): void {
  program
    .command('extract')
    .description('write a region of a build to one file, like GET /api/v1/regions')
    .requiredOption(
      '--bbox <w,s,e,n>',
      'box in degrees, such as -123,47,-122,48; west is greater than east across 180°',
      (text: string) => read(REGION_PARAMETERS.bbox, text),
    )
    .requiredOption(
      '--max-zoom <zoom>',
      'maximum zoom of the tiles, 0 to 16; 16 includes all stored tiles',
      (text: string) => read(REGION_PARAMETERS.maxZoom, text),
    )
    .option('--charts <folder>', 'folder of the build', 'charts')
    .option('--assets <folder>', 'folder of sprites and glyphs', 'dist/assets')
    .argument('<file>', 'output file, such as region.pmtiles')
    .action(async (file: string, { bbox, maxZoom, charts, assets }: ExtractOptions) => {
      if (lstatSync(resolve(file), { throwIfNoEntry: false })?.isFile() === false) {
        throw new CommandEnd(EXIT.usage, `"${file}" is not a regular file. Name another path.`);
      }
      const source = [charts, assets].find((folder) => isWithin(dirname(resolve(file)), folder));
      if (source !== undefined) {
        throw new CommandEnd(
          EXIT.usage,
          `"${file}" is in the folder "${source}", which is read. Name a path in another folder.`,
        );
      }
      const request = { bounds: bbox, maxZoom };
      const { note, bytes } = await extractRegion({ charts, assets, request }, file).catch(refuse);
      output.out(
        `${file}: ${bytes} bytes, ${note.chart.tiles} tiles, ${note.cells.length} charts.`,
      );
      for (const notice of note.notices) output.out(notice);
    });
}

function read<T>(
  parameter: { rule: string; read: (text: string) => T | undefined },
  text: string,
): T {
  const value = parameter.read(text);
  if (value === undefined) throw new InvalidArgumentError(`It ${parameter.rule}.`);
  return value;
}

function refuse(error: unknown): never {
  const code = codeOf(error);
  throw code === undefined ? error : new CommandEnd(code, (error as Error).message);
}

function codeOf(error: unknown): ExitCode | undefined {
  if (error instanceof NothingThere || error instanceof SourceMissing) return EXIT.missing;
  if (error instanceof DamagedBuild) return EXIT.damaged;
  if (error instanceof NotLicensed) return EXIT.refused;
  return error instanceof RangeError ? EXIT.refused : undefined;
}
