// npm run client: builds the package and tells its size. `npm pack` does so too.

import { program } from 'commander';
import { buildPackage } from './build-package.ts';

program
  .name('npm run client --')
  .description('Build @leadline/client into workers/client/dist, and print the size of each entry.')
  .action(async () => {
    for (const { entry, bytes, gzippedBytes } of await buildPackage()) {
      const name = entry === 'index' ? '@leadline/client' : `@leadline/client/${entry}`;
      console.log(`${name}: ${bytes} bytes, ${gzippedBytes} gzipped`);
    }
  });
await program.parseAsync();
