// `charts extract`: a region of a build as one file. The implementation is in ../extract.

import { type Command, InvalidArgumentError } from 'commander';
import { type RegionQuery, readRegionQuery } from '../../shared/contract/region.ts';
import {
  extractRegion,
  NothingThere,
  NotLicensed,
  SourceMissing,
} from '../extract/extract-region.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { CommandEnd, type CommandOutput, EXIT, type ExitCode } from './exit.ts';

interface ExtractOptions {
  readonly bbox: RegionQuery['bounds'];
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
      (text: string) => readQuery({ bbox: text, maxZoom: '0' }).bounds,
    )
    .requiredOption(
      '--max-zoom <zoom>',
      'maximum zoom of the tiles, 0 to 16; 15 and 16 include all stored tiles',
      (text: string) => readQuery({ bbox: '0,0,1,1', maxZoom: text }).maxZoom,
    )
    .option('--charts <folder>', 'folder of the build', 'charts')
    .option('--assets <folder>', 'folder of sprites and glyphs', 'dist/assets')
    .argument('<file>', 'output file, such as region.pmtiles')
    .action(async (file: string, { bbox, maxZoom, charts, assets }: ExtractOptions) => {
      const request = { bounds: bbox, maxZoom };
      const { note, bytes } = await extractRegion({ charts, assets, request }, file).catch(refuse);
      output.out(
        `${file}: ${bytes} bytes, ${note.chart.tiles} tiles, ${note.cells.length} charts.`,
      );
      for (const notice of note.notices) output.out(notice);
    });
}

function readQuery(given: { readonly bbox: string; readonly maxZoom: string }): RegionQuery {
  const read = readRegionQuery((name) => (name === 'from' ? [] : [given[name]]));
  if (!('faults' in read)) return read;
  throw new InvalidArgumentError(read.faults.map(({ message }) => `It ${message}.`).join(' '));
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
