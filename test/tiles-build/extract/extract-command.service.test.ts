// Errors of `charts extract`. `test/workers/regions` compares its output with the service's.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { makeChartBuild } from '../../support/chart-fixture.ts';
import { charts } from '../../support/charts-command.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { ARTWORK_HASH, ASSETS_INDEX } from '../../support/style-assets.ts';

const folder = scratchFolder();
beforeAll(async () => {
  await makeChartBuild(folder);
});

async function extract(...words: string[]) {
  const out = join(folder, 'region.pmtiles');
  const result = await charts('extract', '--charts', folder, '--assets', folder, ...words, out);
  expect(existsSync(out)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  return result;
}

test.each([
  ['a box upside down', ['--bbox', '0,2,1,1', '--max-zoom', '5']],
  ['a box of three numbers', ['--bbox', '0,2,1', '--max-zoom', '5']],
  ['an invalid zoom', ['--bbox', '0,0,1,1', '--max-zoom', '17']],
  ['no zoom', ['--bbox', '0,0,1,1']],
  ['no box', ['--max-zoom', '5']],
])('extract rejects %s as a usage error', async (_, words) => {
  expect((await extract(...words)).code).toBe(EXIT.usage);
});

const WORDS = ['--bbox', '-0.1,-0.1,0.1,0.1', '--max-zoom', '5'];

test('extract reports a missing build', async () => {
  const { code, notes } = await extract(...WORDS, '--charts', join(folder, 'nowhere'));
  expect(code).toBe(EXIT.damaged);
  expect(notes).toMatch(/contains no manifest\.json/);
});

test('extract reports how to create missing artwork', async () => {
  const { code, notes } = await extract(...WORDS);
  expect(code).toBe(EXIT.missing);
  expect(notes).toMatch(/npm run assets/);
});

test('extract explains a damaged index of the artwork, and leaves no file if it cannot continue', async () => {
  const index = join(folder, 'assets.json');
  writeFileSync(index, '{');
  const damaged = await extract(...WORDS);
  expect(damaged.code).toBe(EXIT.missing);
  expect(damaged.notes).toMatch(/assets\.json is damaged .*npm run assets/);
  // The artwork that this index names does not exist.
  const offline = { ...ASSETS_INDEX.offline, bytes: 1 };
  writeFileSync(index, JSON.stringify({ ...ASSETS_INDEX, offline }));
  const charted = ['--bbox', '-20.1,-30.1,-19.9,-29.9', '--charts', inject('demoCharts')];
  const stopped = await extract(...WORDS, ...charted);
  expect(stopped.code).toBe(EXIT.failed);
  expect(stopped.notes).toContain(`${ARTWORK_HASH}.bin does not exist`);
});
