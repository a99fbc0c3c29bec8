// Caches the coasts of the background. They take longer to compute than the rest of the background
// and are the same in every build. They are stored as a pack with a record for each sheet.

import { existsSync } from 'node:fs';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import type { LayerFeatures } from '../background/background-layers.ts';
import { COAST_CELLS, decodeCoast, encodeCoast } from './coast-zone.ts';
import { SHEETS } from './over-sheets.ts';
import { backgroundCoasts, type Coasts } from './slice-background.ts';

/** Reads the coasts of the layers from `path`. If there is no file, computes and stores them. */
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
