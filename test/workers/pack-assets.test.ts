// Compressed copies of static files.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packAssets } from '../../workers/host/bundle/pack-assets.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('files with equal contents share one compressed copy for each coding', async () => {
  const assets = join(scratchFolder(), 'assets');
  mkdirSync(assets);
  for (let i = 0; i < 8; i++) writeFileSync(join(assets, `${i}.js`), 'let a = 1;\n'.repeat(500));
  await packAssets(assets);
  expect(readdirSync(join(assets, '..', 'packed')).map((name) => name.split('.')[1])).toEqual([
    'br',
    'gz',
  ]);
});
