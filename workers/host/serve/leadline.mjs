#!/usr/bin/env node
// `leadline`: the built program where there is one, the sources otherwise.

import { existsSync } from 'node:fs';

const built = new URL('../../../dist/node/bin/leadline.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('./cli.ts', import.meta.url).href);
}
