// Writes the harmonic constants of tide stations as one compact file, which the Worker imports.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tideRecordsOf } from '../../../shared/crowd/tide-records.ts';
import { packTideTable, TIDE_TABLE_FORMAT } from '../../../shared/crowd/tide-table.ts';
import { generatedFile } from './generated-file.ts';

/** The table (`shared/crowd/tide-table.ts`). */
const OUTPUT_PATH = 'dist/tides/tides.bin';
const DATABASE = '@neaps/tide-database';

/** Write the table into `dist`, unless it is up to date. @returns path of the file */
export function buildTides(root: string): Promise<string> {
  const { version } = createRequire(import.meta.url)(`${DATABASE}/package.json`) as {
    readonly version: string;
  };
  return generatedFile(join(root, OUTPUT_PATH), `${version} ${TIDE_TABLE_FORMAT}`, async () => {
    // Loading the database takes most of a second.
    const { stations } = await import('@neaps/tide-database');
    return packTideTable(tideRecordsOf(stations));
  });
}
