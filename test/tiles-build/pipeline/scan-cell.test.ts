// Scans of cells that no chart can show.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const scratch = scratchFolder();

async function scanned(name: string, south: number, catcov = 1) {
  const box = [20, south, 20.5, south + 0.5] as const;
  const bytes = writtenBytes({
    name,
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', box, { CATCOV: catcov }],
      ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
    ],
  });
  return scannedBytes(name, bytes);
}

async function scannedBytes(name: string, bytes: Uint8Array) {
  const path = join(scratch, `${name}.000`);
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

  it('reports whether all files could be read, so that a failure of the disk is not remembered', async () => {
    const name = 'ZZ5AWAY';
    const cache = join(scratch, 'cache-away');
    mkdirSync(cache);
    const path = join(scratch, `${name}.000`);
    const location = { name, base: { name: `${name}.000`, path }, updates: [] };
    const scan = async () => (await scanCell(location, cache, 'code')).isRead;
    expect(await scan()).toBe(false);
    writeFileSync(path, 'not a cell');
    expect(await scan()).toBe(true);
  });

  it('refuses a cell whose coverage is too detailed for the build of all', async () => {
    const vertices = 110_000;
    const star = Array.from({ length: vertices + 1 }, (_, i): [number, number] => {
      const [angle, radius] = [(2 * Math.PI * (i % vertices)) / vertices, i % 2 === 0 ? 2e6 : 1e6];
      return [
        Math.round(2e8 + radius * Math.cos(angle)),
        Math.round(5e8 + radius * Math.sin(angle)),
      ];
    });
    const header = { edition: 1, update: 0, issueDate: '20260101', agency: 65_534 };
    const builder = new CellBuilder({
      name: 'ZZ5STAR',
      usageBand: 5,
      scaleDenominator: 10_000,
      ...header,
    });
    const course = { positions: star };
    builder.area(1, 'M_COVR', [[{ course, atLimit: true }]], { CATCOV: 1 });
    builder.area(2, 'DEPARE', [[{ course, atLimit: true }]], { DRVAL1: 5, DRVAL2: 10 });
    const { found, problems } = await scannedBytes('ZZ5STAR', encodeFile(builder.contents()));
    expect(found).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain('coverage-too-detailed');
  });

  it('refuses a cell without coverage for that reason, wherever it is', async () => {
    const { found, problems } = await scanned('ZZ5NOCOV', 86, 2);
    expect(found).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain('no-coverage');
  });
});
