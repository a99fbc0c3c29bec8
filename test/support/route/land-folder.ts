// A background folder whose only land is one polygon: the build reads it in a moment.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position } from '../../../shared/route/trip.ts';

/** The caller deletes the folder. */
export function landFolder(ring: readonly Position[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-land-'));
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  const features = [{ type: 'Feature', properties: {}, geometry }];
  writeFileSync(
    join(folder, 'ne_10m_land.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features }),
  );
  return folder;
}
