// npm run client: builds the package and tells its size.

import { buildPackage } from './build-package.ts';

const { bytes, gzippedBytes } = await buildPackage();
console.log(`@leadline/client: ${bytes} bytes, ${gzippedBytes} gzipped`);
