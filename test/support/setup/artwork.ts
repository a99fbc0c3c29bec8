// The chart page, the sprites and the glyphs, kept between runs.

import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeAssets } from '../../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../../workers/local/build-page.ts';
import { oncePerRun } from './once-per-run.ts';
import { ROOT, TEST_CACHE } from './paths.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the chart page, the sprites and the glyphs, as the service gets it. */
    readonly assets: string;
  }
}

const assets = join(TEST_CACHE, 'assets');

export async function setup(project: TestProject): Promise<void> {
  await oncePerRun('artwork', async () => {
    await buildPage(ROOT, assets);
    await writeAssets(ROOT, assets);
  });
  project.provide('assets', assets);
}
