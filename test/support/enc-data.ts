// Locations of the real cells, and which of them are present. They are not part of the project.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from './long-run.ts';
import { ENC_DATA, hasEncData } from './machine.ts';

export { ENC_DATA, hasEncData } from './machine.ts';

/** Whether the cells of busy waters are there too: `ENC_BUSY` next to `ENC_ROOT`. */
export const hasBusyCells = existsSync(join(ENC_DATA, 'ENC_BUSY'));

if (hasEncData && !hasBusyCells) {
  process.stderr.write(`Skipped: tests on cells of busy waters, as ${ENC_DATA} has no ENC_BUSY.\n`);
}

/** A path below the development data. */
export const encData = (...parts: string[]): string => join(ENC_DATA, ...parts);

/** The cells of Alaska, or in a long run all cells of `ENC_ROOT`, as paths below the development data. */
export const ALASKA: readonly string[] = hasEncData
  ? readdirSync(encData('ENC_ROOT'))
      .filter((name) => isLong || /^US\dAK/.test(name))
      .map((name) => join('ENC_ROOT', name))
  : [];
