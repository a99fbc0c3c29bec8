// npm run client: builds the package and tells its size. `npm pack` does so too.

import { program } from 'commander';
import { buildPackage } from './build-package.ts';

program
  .name('npm run client --')
  .description('Build @leadline/client into workers/client/dist, and print its size.')
  .action(async () => {
    const { bytes, gzippedBytes } = await buildPackage();
    console.log(`@leadline/client: ${bytes} bytes, ${gzippedBytes} gzipped`);
  });
await program.parseAsync();
