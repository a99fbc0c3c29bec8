// What the first look at a cell says of those that no chart can show.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { writtenBytes } from '../../support/written-chart.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'leadline-scan-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function scanned(name: string, south: number, catcov = 1) {
  const box = [20, south, 20.5, south + 0.5] as const;
  const path = join(scratch, `${name}.000`);
  const bytes = writtenBytes({
    name,
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', box, { CATCOV: catcov }],
      ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
    ],
  });
  writeFileSync(path, bytes);
  const cache = join(scratch, 'cache');
  mkdirSync(cache, { recursive: true });
  const base = { name: `${name}.000`, path };
  return (await scanCell({ name, base, updates: [] }, cache, 'code')).scan;
}

test.each([
  ['ZZ5NORTH', 86],
  ['ZZ5SOUTH', -87],
])(
  'a cell that lies nearer to a pole than web maps reach is refused, and the message says so (%s)',
  async (name, south) => {
    const { found, problems } = await scanned(name, south);
    expect(found).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'beyond-maps', severity: 'error' }]);
    expect(problems[0]!.message).toContain(name);
  },
);

test('a cell that reaches beyond the end of web maps is used', async () => {
  const { found, problems } = await scanned('ZZ5REACH', 84.8);
  expect(found?.bounds).toEqual([20, 84.8, 20.5, 85.3]);
  expect(problems).toEqual([]);
});

test('a cell that covers nothing is refused for that, wherever it lies', async () => {
  const { found, problems } = await scanned('ZZ5NOCOV', 86, 2);
  expect(found).toBeUndefined();
  expect(problems.map(({ code }) => code)).toContain('no-coverage');
});
