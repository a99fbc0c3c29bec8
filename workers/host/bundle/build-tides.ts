// Writes the harmonic constants of tide stations as one compact file, which the Worker imports.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tideRecordsOf } from '../../../shared/crowd/tide-records.ts';
import { packTideTable, TIDE_TABLE_FORMAT } from '../../../shared/crowd/tide-table.ts';

/** The table (`shared/crowd/tide-table.ts`). */
const OUTPUT_PATH = 'dist/tides/tides.bin';
const DATABASE = '@neaps/tide-database';

/** Write the table into `dist`, unless it is up to date. @returns path of the file */
export async function buildTides(root: string): Promise<string> {
  const output = join(root, OUTPUT_PATH);
  const { version } = createRequire(import.meta.url)(`${DATABASE}/package.json`) as {
    readonly version: string;
  };
  const newVersion = `${version} ${TIDE_TABLE_FORMAT}`;
  const madeFile = `${output}.version`;
  if (existsSync(output) && existsSync(madeFile) && readFileSync(madeFile, 'utf8') === newVersion)
    return output;
  // Loading the database takes most of a second.
  const { stations } = await import('@neaps/tide-database');
  mkdirSync(join(output, '..'), { recursive: true });
  const bytes = packTideTable(tideRecordsOf(stations));
  // Another process may write at the same time, so write atomically, the version last.
  for (const [path, contents] of [
    [output, bytes],
    [madeFile, newVersion],
  ] as const) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  return output;
}
