// `charts fetch`: downloads cells and background layers. The implementation is in ../fetch.

import { type Command, InvalidArgumentError } from 'commander';
import { fetchCharts } from '../fetch/fetch-charts.ts';
import { DEFAULT_SOURCES } from '../fetch/sources.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';

interface FetchOptions {
  readonly out: string;
  readonly background?: true;
  readonly noaaUrl: string;
  readonly naturalEarthUrl: string;
}

export function addFetchCommand(program: Command, output: CommandOutput): void {
  program
    .command('fetch')
    .description('download cells from NOAA, and background layers from Natural Earth')
    .argument('[cells...]', 'cell names, such as US5WA22M')
    .requiredOption('--out <folder>', 'folder for `cells` and `background`')
    .option('--background', 'also download the background layers')
    .option(
      '--noaa-url <url>',
      'URL of a folder of zip files of cells',
      httpUrl,
      DEFAULT_SOURCES.noaa,
    )
    .option(
      '--natural-earth-url <url>',
      'URL of a folder of GeoJSON layers',
      httpUrl,
      DEFAULT_SOURCES.naturalEarth,
    )
    .addHelpText(
      'after',
      `
The user agreement of NOAA requires that derived charts are labelled "not for navigation".
Natural Earth is in the public domain.`,
    )
    .action(async (cells: string[], options: FetchOptions) => {
      const withBackground = options.background === true;
      if (cells.length === 0 && !withBackground) {
        throw new CommandEnd(
          EXIT.usage,
          'There is nothing to download. Name a cell, for example US5WA22M, or use --background.',
        );
      }
      const fetched = await fetchCharts({
        cells,
        withBackground,
        out: options.out,
        sources: { noaa: options.noaaUrl, naturalEarth: options.naturalEarthUrl },
        now: Date.now(),
        report: output.note,
      });
      for (const failure of fetched.failures) output.note(failure);
      output.out(
        `${fetched.downloaded} downloaded, ${fetched.unchanged} unchanged, ` +
          `${fetched.failures.length} failed.`,
      );
      if (fetched.failures.length > 0) {
        throw new CommandEnd(
          EXIT.missing,
          'Some downloads failed; they are listed above. Run the command again to retry them.',
        );
      }
    });
}

/** Parse the URL of a folder. @throws InvalidArgumentError, which commander turns into a usage error */
export function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('Expected an http or https URL, for example https://example.org.');
}
