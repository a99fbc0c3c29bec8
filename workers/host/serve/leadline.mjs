#!/usr/bin/env node
// `leadline`: runs the built program if it exists, otherwise the sources.

import { existsSync } from 'node:fs';

const built = new URL('../../../dist/node/bin/leadline.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./cli.ts', import.meta.url).href);
}
