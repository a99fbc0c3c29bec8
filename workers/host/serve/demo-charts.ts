// The demo charts and the build tools that the host programs run.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import { TILE_SCHEMA_VERSION } from '../../../shared/chart/tile-schema.ts';
import { NAMES_TILESET } from '../../../shared/names/name-page.ts';
import { sha256 } from '../../service/runtime/sha256.ts';
import { runProgram, runTool } from '../database/process.ts';
import type { PublishCharts } from './prepare-charts.ts';
import { isPacked, ROOT } from './root.ts';

/** Runs one part of the work; the default does not print progress. */
export type RunStep = (name: string, work: () => Promise<void>) => Promise<void>;

const charts = (...args: string[]) => runTool(ROOT, 'tiles-build/cli.ts', args);

/** Publish a build to a folder store, in a separate process. */
export const publish: PublishCharts = (from, store) =>
  isPacked()
    ? runProgram([join(import.meta.dirname, 'publish.js'), from, store])
    : runTool(ROOT, 'tiles-build/publish/cli.ts', [from, store]);

/** Folder of the cells of the demo charts. */
export const demoCells = (data: string): string => join(data, 'demo', 'cells');

/**
 * Build the demo charts below the data folder if they are missing or from another version.
 *
 * @returns the folder of the build
 */
export async function prepareDemoCharts(
  data: string,
  run: RunStep = (_, work) => work(),
): Promise<string> {
  const folder = join(data, 'demo', 'charts');
  if (await areCurrent(folder)) return folder;
  const cells = demoCells(data);
  await run('Writing the demo cells', () => charts('demo', '--out', cells));
  await run('Building the demo charts', () => charts('build', '--enc', cells, '--out', folder));
  return folder;
}

/** Whether the folder has a build with this version's tile schema and archives. */
async function areCurrent(folder: string): Promise<boolean> {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) return false;
  const manifest = await readManifest(readFileSync(path, 'utf8'), sha256).catch(() => undefined);
  return (
    manifest?.schemaVersion === TILE_SCHEMA_VERSION &&
    manifest.archives.some(({ tileset }) => tileset === NAMES_TILESET)
  );
}
