// The worker for uploads from a bundled program, as the systemd unit runs it: in a checkout, and in a
// container without the build tools.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SupervisedPart } from '../../../workers/host/database/keep-running.ts';
import type * as chartWorker from '../../../workers/host/serve/chart-worker.ts';
import { serveOptions } from '../../../workers/host/serve/options.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { ROOT } from '../../support/source-files.ts';

const installation = scratchFolder();
const inInstallation = (path: string) => join(installation, path);
const options = serveOptions({ data: inInstallation('data') }, {});
let start: () => Promise<SupervisedPart | undefined>;
let worker: SupervisedPart | undefined;

beforeAll(async () => {
  mkdirSync(inInstallation('migrations'));
  symlinkSync(join(ROOT, 'node_modules'), inInstallation('node_modules'));
  writeFileSync(inInstallation('package.json'), '{"type":"module"}');
  const outfile = inInstallation('dist/node/bin/part.js');
  await build({
    entryPoints: [join(ROOT, 'workers/host/serve/chart-worker.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  const { keepChartWorker } = (await import(outfile)) as typeof chartWorker;
  start = () =>
    keepChartWorker(
      options,
      () => 'postgres://127.0.0.1:9/x',
      () => undefined,
    );
});
afterAll(() => worker?.stop());

test('no worker starts without the build tools', async () => {
  expect(await start()).toBeUndefined();
});

test('the worker starts from the sources of the checkout', async () => {
  mkdirSync(inInstallation('tiles-build'));
  const tool = `import { writeFileSync } from 'node:fs';
    const words: string[] = process.argv.slice(2);
    writeFileSync('ran', words[0]);
    setInterval(() => undefined, 1000);`;
  writeFileSync(inInstallation('tiles-build/cli.ts'), tool);
  worker = await start();
  await expect.poll(() => existsSync(inInstallation('ran'))).toBe(true);
});
