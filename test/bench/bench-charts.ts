// The data for the benches: the demo charts and the artwork, built in the cache of the tests, and the
// real cells if they are present.

import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { writeAssets } from '../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../workers/host/bundle/build-page.ts';
import { packAssets } from '../../workers/host/bundle/pack-assets.ts';
import { packedFolder } from '../../workers/host/bundle/packed-folder.ts';
import { buildWorker } from '../../workers/host/serve/build.ts';
import { hasBusyCells, hasEncData } from '../support/enc-data.ts';
import { realCells } from '../support/real-charts.ts';
import type { Dist } from '../support/self-hosted.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const FOLDER = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test');

export interface BenchCharts {
  readonly demo: string;
  readonly artwork: string;
  /** Charts of the real cells; undefined if they are absent. */
  readonly real: string | undefined;
}

/** All charts and the artwork. */
export async function benchCharts(): Promise<BenchCharts> {
  const made = await demoCharts();
  if (!hasEncData) return { ...made, real: undefined };
  const real = join(FOLDER, 'five-bands');
  await buildCharts({ enc: realCells('withCoarse'), out: real, jobs: 2 });
  return { ...made, real };
}

/** The demo charts, which need no data, and the artwork. */
export async function demoCharts(): Promise<Omit<BenchCharts, 'real'>> {
  const [demo, cells] = [join(FOLDER, 'charts'), join(FOLDER, 'cells')];
  await writeDemoCharts(cells);
  await buildCharts({ enc: [cells], out: demo, jobs: 2 });
  return { demo, artwork: await benchArtwork() };
}

async function benchArtwork(): Promise<string> {
  const artwork = join(FOLDER, 'artwork');
  await writeAssets(REPOSITORY, artwork);
  return artwork;
}

/** Makes in a new folder what a self-hosted service needs other than charts. */
export async function serviceDist(path: string): Promise<Dist> {
  const artwork = await benchArtwork();
  await buildPage(REPOSITORY, artwork);
  await packAssets(artwork);
  await buildWorker(REPOSITORY, path);
  symlinkSync(artwork, join(path, 'assets'));
  symlinkSync(packedFolder(artwork), join(path, 'packed'));
  return { path, remove: () => undefined };
}

/** Charts of harbours and channels with many marks; the demo charts if those cells are absent. */
export async function busyCharts(): Promise<string> {
  if (!hasBusyCells) return (await demoCharts()).demo;
  const out = join(FOLDER, 'busy');
  await buildCharts({ enc: realCells('busy'), out, jobs: 2 });
  return out;
}
