// First stage: read every cell, and choose the cells that charts can be made from.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import { problemsAsRead } from '../s63/problems-as-read.ts';
import { ask, type BuildContext, refusalOf } from './build-context.ts';
import type { CellLocation } from './cell-location.ts';
import { openKnownScans } from './known-scans.ts';
import type { CellScan } from './scan-cell.ts';

export interface ScannedCell {
  readonly location: CellLocation;
  readonly scan: CellScan;
}

/** Scan all cells in parallel. Returns the results in the order of `locations`. */
export async function scanCells(
  context: BuildContext,
  locations: readonly CellLocation[],
): Promise<readonly ScannedCell[]> {
  context.progress.start('Reading cells', locations.length);
  const known = openKnownScans(context.cache, context.code);
  const scanned = await Promise.all(
    locations.map(async (location) => {
      const { code } = context;
      if (location.base === undefined && location.updates.length === 0) {
        context.progress.step(location.name);
        return { location, scan: nothingOf(location) };
      }
      const before = known.find(location);
      if (before !== undefined) {
        context.progress.step(location.name);
        return asRead(location, before.scan);
      }
      const { folder: cacheFolder, reuse } = context.cache;
      const job = { kind: 'scan', location, cacheFolder, reuse, code } as const;
      const outcome = await ask(context, job);
      context.progress.step(location.name);
      if (!outcome.ok) {
        return {
          location,
          scan: unreadable(location, refusalOf('reading', location.name, outcome)),
        };
      }
      const { scan, key, isNew, isRead } = outcome.value;
      context.cache.path('scans', key);
      if (isNew) context.work.scanned.push(location.name);
      if (isRead) known.add(location, key);
      return asRead(location, scan);
    }),
  );
  known.save();
  return scanned;
}

const asRead = (location: CellLocation, scan: CellScan): ScannedCell => ({
  location,
  scan: { ...scan, problems: problemsAsRead(location.encrypted, scan) },
});

/** A cell whose files were all refused. */
const nothingOf = ({ name, encrypted }: CellLocation): CellScan => ({
  name,
  digest: '',
  cancelled: false,
  problems: encrypted?.problems ?? [],
});

function unreadable({ name }: CellLocation, problem: Problem): CellScan {
  return { name, digest: '', cancelled: false, problems: [problem] };
}
