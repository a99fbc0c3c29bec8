import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../shared/chart/manifest.ts';

/** The manifest of charts in a folder. */
export const manifestOf = (charts: string): Manifest =>
  JSON.parse(readFileSync(join(charts, 'manifest.json'), 'utf8')) as Manifest;
