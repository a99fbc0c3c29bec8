// First stage: look at every cell, and choose those that charts can be made from.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellLocation } from './cell-location.ts';
import type { CellScan } from './scan-cell.ts';
import { ask, refusalOf, type Workshop } from './workshop.ts';

export interface ScannedCell {
  readonly location: CellLocation;
  readonly scan: CellScan;
}

/** Scan all cells side by side; the result keeps the order of `locations`. */
export async function scanCells(
  shop: Workshop,
  locations: readonly CellLocation[],
): Promise<readonly ScannedCell[]> {
  shop.progress.start('Reading cells', locations.length);
  return Promise.all(
    locations.map(async (location) => {
      const { code } = shop;
      const job = { kind: 'scan', location, cacheFolder: shop.cache.folder, code } as const;
      const outcome = await ask(shop, job);
      shop.progress.step(location.name);
      if (!outcome.ok) {
        return {
          location,
          scan: unreadable(location, refusalOf('reading', location.name, outcome)),
        };
      }
      const { scan, key, isNew } = outcome.value;
      shop.cache.path('scans', key);
      if (isNew) shop.work.scanned.push(location.name);
      return { location, scan };
    }),
  );
}

function unreadable({ name }: CellLocation, problem: Problem): CellScan {
  return { name, digest: '', cancelled: false, problems: [problem] };
}
