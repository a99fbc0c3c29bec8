// Manifests as tests read and write them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../shared/chart/manifest.ts';

/** The manifest of charts in a folder. */
export const manifestOf = (charts: string): Manifest =>
  JSON.parse(readFileSync(join(charts, 'manifest.json'), 'utf8')) as Manifest;

/** A manifest with the sum that belongs to it, whatever it had before. */
export function withChecksum<M extends object>(manifest: M): M & Pick<Manifest, 'sum'> {
  const rest = { ...manifest, sum: undefined };
  return { ...rest, sum: createHash('sha256').update(JSON.stringify(rest)).digest('hex') };
}
