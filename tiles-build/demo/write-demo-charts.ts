// Writes the demo charts: an exchange set of fictional cells with updates.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type CatalogEntry, encodeCatalog } from '../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { updateBetween } from '../../shared/s57/write/update-between.ts';
import { boxOf, DEMO_CELLS, type DemoCell } from './isles/cells.ts';
import { composeCell, ISSUE_DATES, surveyOf } from './isles/compose-cell.ts';

/** One file of a cell. */
interface DemoFile {
  /** For example `ZL5WICKE.001`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Base and updates of a cell. The bytes are always the same. */
export function demoFiles(cell: DemoCell): DemoFile[] {
  const ids = new Map<string, number>();
  const survey = surveyOf(cell);
  let state = composeCell(cell, 0, survey, ids);
  const files = [{ name: `${cell.name}.000`, bytes: encodeFile(state) }];
  for (let update = 1; update <= cell.updates; update++) {
    const next = composeCell(cell, update, survey, ids);
    const words = { update, issueDate: ISSUE_DATES[update]! };
    const step = updateBetween(state, next, words);
    files.push({ name: step.file.dataSet.name, bytes: encodeFile(step.file) });
    state = step.state;
  }
  return files;
}

/**
 * Writes `ENC_ROOT` with all cells and the catalogue to a folder, which is created if necessary.
 */
export async function writeDemoCharts(folder: string): Promise<void> {
  const root = join(folder, 'ENC_ROOT');
  const entries: CatalogEntry[] = [];
  for (const cell of DEMO_CELLS) {
    await mkdir(join(root, cell.name), { recursive: true });
    for (const { name, bytes } of demoFiles(cell)) {
      await writeFile(join(root, cell.name, name), bytes);
      const title = `${cell.title} (fictional, not for navigation)`;
      entries.push({ path: `${cell.name}\\${name}`, title, crc32: crc32(bytes), box: boxOf(cell) });
    }
  }
  await writeFile(join(root, 'CATALOG.031'), encodeCatalog(entries));
}
