// Errors of `charts extract`. `test/workers/regions` compares its output with the service's.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { makeChartBuild } from '../../support/chart-fixture.ts';
import { charts } from '../../support/charts-command.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { ARTWORK_HASH, ASSETS_INDEX } from '../../support/style-assets.ts';

const folder = scratchFolder();
const results = scratchFolder();
beforeAll(async () => {
  await makeChartBuild(folder);
});

async function extract(...words: string[]) {
  const out = join(results, 'region.pmtiles');
  const result = await charts('extract', '--charts', folder, '--assets', folder, ...words, out);
  expect(readdirSync(results)).toEqual([]);
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

const OFFLINE = { ...ASSETS_INDEX.offline, bytes: 1 };
const charted = () => ['--bbox', '-20.1,-30.1,-19.9,-29.9', '--charts', inject('demoCharts')];
const WORDS = ['--bbox', '-0.1,-0.1,0.1,0.1', '--max-zoom', '5'];

test('extract does not write into the folders that it reads', async () => {
  for (const [charts, assets] of [
    [results, folder],
    [folder, results],
  ] as const) {
    const { code, notes } = await extract(...WORDS, '--charts', charts, '--assets', assets);
    expect(code).toBe(EXIT.usage);
    expect(notes).toContain(`is in the folder "${results}"`);
  }
});

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
  writeFileSync(index, JSON.stringify({ ...ASSETS_INDEX, offline: OFFLINE }));
  const stopped = await extract(...WORDS, ...charted());
  expect(stopped.code).toBe(EXIT.failed);
  expect(stopped.notes).toContain(`${ARTWORK_HASH}.bin does not exist`);
});

test('extract leaves no file if a signal ends it', async () => {
  writeFileSync(join(folder, 'assets.json'), JSON.stringify({ ...ASSETS_INDEX, offline: OFFLINE }));
  // A pipe that nobody writes to.
  mkdirSync(join(folder, 'offline'));
  execFileSync('mkfifo', [join(folder, OFFLINE.file)]);
  const out = join(results, 'region.pmtiles');
  const words = ['extract', ...WORDS, ...charted(), '--assets', folder, out];
  const child = spawn(process.execPath, [scriptOf('tiles-build/cli.ts'), ...words]);
  const ended = once(child, 'exit');
  await vi.waitFor(() => expect(readdirSync(results)).toHaveLength(1), { timeout: 30_000 });
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  expect(readdirSync(results)).toEqual([]);
});
