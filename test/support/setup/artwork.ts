// The chart page, the sprites and the glyphs, kept between runs.

import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ASSETS_INDEX_NAME } from '../../../shared/style/assets-index.ts';
import { writeAssets } from '../../../tiles-build/symbols/write-assets.ts';
import { buildPage } from '../../../workers/host/bundle/build-page.ts';
import { packAssets } from '../../../workers/host/bundle/pack-assets.ts';
import { oncePerRun } from './once-per-run.ts';
import { ROOT, TEST_CACHE } from './paths.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the chart page, the sprites and the glyphs, as the service gets it. */
    readonly assets: string;
  }
}

const assets = join(TEST_CACHE, 'assets');
/** Where `npm start` and `npm run deploy` have them. */
const own = join(ROOT, 'dist', 'assets');

export async function setup(project: TestProject): Promise<void> {
  await oncePerRun('artwork', async () => {
    await buildPage(ROOT, assets);
    await writeAssets(ROOT, assets);
    await packAssets(assets);
    // They would draw every symbol and letter once more, which takes ten seconds.
    if (!existsSync(join(own, ASSETS_INDEX_NAME))) cpSync(assets, own, { recursive: true });
  });
  project.provide('assets', assets);
}
