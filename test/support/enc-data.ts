// Where the real cells are, and what of them is there. Nothing of them is part of the project.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** Folder of the development data: `LEADLINE_ENC_DIR`, or `shared/data` beside the project. */
export const ENC_DATA = process.env['LEADLINE_ENC_DIR'] ?? join(ROOT, '..', 'shared', 'data');

export const hasEncData = existsSync(join(ENC_DATA, 'ENC_ROOT'));

if (!hasEncData) {
  process.stderr.write(
    `Skipped: tests on real cells, as ${ENC_DATA} holds no ENC_ROOT (set LEADLINE_ENC_DIR).\n`,
  );
}

/** Whether the cells of busy waters are there too: `ENC_BUSY` beside `ENC_ROOT`. */
export const hasBusyCells = existsSync(join(ENC_DATA, 'ENC_BUSY'));

if (hasEncData && !hasBusyCells) {
  process.stderr.write(`Skipped: tests on cells of busy waters, as ${ENC_DATA} has no ENC_BUSY.\n`);
}

/** A path below the development data. */
export const encData = (...parts: string[]): string => join(ENC_DATA, ...parts);
