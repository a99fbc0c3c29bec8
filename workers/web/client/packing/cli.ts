// `npm run client`: builds the package and prints its size. npm also runs it as `prepare` when it packs or
// installs this folder.

import { program } from 'commander';
import { buildPackage } from './build-package.ts';

program
  .name('npm run client --')
  .description(
    'Build @leadline/client into workers/web/client/dist, and print the size of each module.',
  )
  .action(async () => {
    for (const { path, bytes, gzippedBytes } of await buildPackage()) {
      console.log(`@leadline/client ${path}: ${bytes} bytes, ${gzippedBytes} gzipped`);
    }
  });
try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
