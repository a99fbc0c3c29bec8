// The coasts of the background, which take longer to find than all else of it and are the same in every
// build: kept as a pack, a record for each sheet.

import { existsSync } from 'node:fs';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import type { LayerFeatures } from '../background/background-layers.ts';
import { COAST_CELLS, decodeCoast, encodeCoast } from './coast-zone.ts';
import { SHEETS } from './over-sheets.ts';
import { backgroundCoasts, type Coasts } from './slice-background.ts';

/** The coasts of the layers that are kept at `path`, found and kept where there are none. */
export function keptCoasts(path: string, layers: readonly LayerFeatures[]): Coasts {
  if (existsSync(path)) return readCoasts(path);
  const coasts = backgroundCoasts(layers);
  writeCoasts(path, coasts);
  return coasts;
}

function writeCoasts(path: string, coasts: Coasts): void {
  const writer = createPackWriter(path);
  try {
    for (const [tileId, coast] of [...coasts].sort(([a], [b]) => a - b)) {
      const cells = coast === 'all' ? new Uint8Array(COAST_CELLS * COAST_CELLS).fill(1) : coast;
      const [x, y] = [tileId % SHEETS, Math.floor(tileId / SHEETS)];
      writer.add({ tileId, bytes: encodeCoast({ x, y, cells }) });
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

function readCoasts(path: string): Coasts {
  const coasts = new Map<number, Uint8Array | 'all'>();
  for (const { tileId, bytes } of readPack(openPack(path))) {
    const { cells } = decodeCoast(bytes);
    coasts.set(tileId, cells.includes(0) ? cells : 'all');
  }
  return coasts;
}
