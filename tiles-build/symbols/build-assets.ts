// `npm run assets`: writes sprites and glyphs to `dist/assets`. With `--overview`, also writes the
// picture of all symbols to this folder.

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { symbolOverviewPng } from './symbol-overview.ts';
import { writeAssets } from './write-assets.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');

const command = new Command('assets')
  .description('Render sprites and glyph ranges, if their sources have changed.')
  .option('--out <folder>', 'folder of static assets', join(ROOT, 'dist', 'assets'))
  .option('--overview', 'also write the picture of all symbols')
  .action(async (options: { out: string; overview?: true }) => {
    const { index, state } = await writeAssets(ROOT, options.out);
    const verb = state === 'built' ? 'Wrote' : 'Unchanged:';
    say(`${verb} sprites ${index.sprites.hash} and fonts ${index.fonts.hash} in ${options.out}`);
    if (options.overview) {
      const target = join(HERE, 'symbol-overview.png');
      await writeFile(target, symbolOverviewPng());
      say(`Wrote ${target}`);
    }
  });

await command.parseAsync();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
