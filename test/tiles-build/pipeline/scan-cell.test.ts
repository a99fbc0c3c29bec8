// Scans of cells that no chart can show.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const scratch = scratchFolder();

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

describe('scanCell', () => {
  it.each([
    ['ZZ5NORTH', 86],
    ['ZZ5SOUTH', -87],
  ])(
    'refuses a cell beyond the latitudes of web maps, with the reason (%s)',
    async (name, south) => {
      const { found, problems } = await scanned(name, south);
      expect(found).toBeUndefined();
      expect(problems).toMatchObject([{ code: 'beyond-maps', severity: 'error' }]);
      expect(problems[0]!.message).toContain(name);
    },
  );

  it('accepts a cell that only reaches beyond the latitudes of web maps', async () => {
    const { found, problems } = await scanned('ZZ5REACH', 84.8);
    expect(found?.bounds).toEqual([20, 84.8, 20.5, 85.3]);
    expect(problems).toEqual([]);
  });

  it('refuses a cell without coverage for that reason, wherever it is', async () => {
    const { found, problems } = await scanned('ZZ5NOCOV', 86, 2);
    expect(found).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain('no-coverage');
  });
});
