// `fetch`: downloads cells and background for people with a network. The work is in ../fetch.

import type { Command } from 'commander';
import { fetchCharts } from '../fetch/fetch-charts.ts';
import { DEFAULT_SOURCES } from '../fetch/sources.ts';
import { CommandEnd, type CommandOutput, EXIT } from './exit.ts';

interface FetchWords {
  readonly out: string;
  readonly background?: true;
  readonly noaaUrl: string;
  readonly naturalEarthUrl: string;
}

export function addFetchCommand(program: Command, output: CommandOutput): void {
  program
    .command('fetch')
    .description('download cells from NOAA, and background from Natural Earth')
    .argument('[cells...]', 'cell names, such as US5WA22M')
    .requiredOption('--out <folder>', 'gets the folders `cells` and `background`')
    .option('--background', 'download the background layers too')
    .option('--noaa-url <url>', 'folder of cell zips', DEFAULT_SOURCES.noaa)
    .option('--natural-earth-url <url>', 'folder of GeoJSON layers', DEFAULT_SOURCES.naturalEarth)
    .addHelpText(
      'after',
      `
NOAA's cells come under its user agreement, which asks that derived charts be called
"not for navigation". Natural Earth is in the public domain.`,
    )
    .action(async (cells: string[], words: FetchWords) => {
      const withBackground = words.background === true;
      if (cells.length === 0 && !withBackground) {
        throw new CommandEnd(EXIT.usage, 'Name a cell, or ask for --background.');
      }
      const fetched = await fetchCharts({
        cells,
        withBackground,
        out: words.out,
        sources: { noaa: words.noaaUrl, naturalEarth: words.naturalEarthUrl },
        now: Date.now(),
        report: output.note,
      });
      for (const failure of fetched.failures) output.note(failure);
      output.out(
        `${fetched.downloaded} downloaded, ${fetched.unchanged} unchanged, ` +
          `${fetched.failures.length} failed.`,
      );
      if (fetched.failures.length > 0) {
        throw new CommandEnd(EXIT.missing, 'Not everything could be fetched.');
      }
    });
}
