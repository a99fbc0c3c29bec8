// Which cells a refresh of the public charts may remove.

import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  endRefresh,
  refreshCells,
  withdrawnCells,
} from '../../../tiles-build/uploads/refresh-cells.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../fetch/support/store-zip.ts';

const scratch = scratchFolder();

test('a cell counts as withdrawn if a producer removed it, in an earlier attempt too', async () => {
  const [work, produced] = ['work-', 'produced-'].map((name) => mkdtempSync(join(scratch, name)));
  const cell = (name: string) => join(produced!, `${name}.000`);
  mkdirSync(produced!, { recursive: true });
  for (const name of ['XX5HARB1', 'XX5HARB2']) writeFileSync(cell(name), 'a cell');
  const flushed = vi.spyOn(fs, 'fsyncSync');
  const failing = refreshCells(work!, [{ folder: produced! }], async () => {
    expect(flushed).toHaveBeenCalledOnce();
    rmSync(cell('XX5HARB2'));
    throw new Error('The producer is unavailable.');
  });
  await expect(failing).rejects.toThrow('unavailable');
  const withdrawn = () => withdrawnCells(work!, [{ folder: produced! }]);
  expect([...(await withdrawn())]).toEqual(['XX5HARB2']);
  const again = () => refreshCells(work!, [{ folder: produced! }], async () => undefined);
  expect([...(await again())]).toEqual(['XX5HARB2']);
  endRefresh(work!);
  expect([...(await withdrawn())]).toEqual([]);
  expect([...(await again())]).toEqual([]);
});

test.each([
  ['is lost', false, []],
  ['is withdrawn if the producer may lose cells', true, ['XX5HARB2']],
] as const)('a cell that disappears from an existing zip %s', async (_, mayLose, withdrawn) => {
  const [work, folder] = ['work-', 'produced-'].map((name) => mkdtempSync(join(scratch, name)));
  const write = (...names: readonly string[]) =>
    writeFileSync(
      join(folder!, 'All.zip'),
      storeZip(Object.fromEntries(names.map((name) => [`${name}/${name}.000`, 'a cell']))),
    );
  write('XX5HARB1', 'XX5HARB2');
  const gone = refreshCells(work!, [{ folder: folder!, mayLose }], async () => write('XX5HARB1'));
  expect([...(await gone)]).toEqual(withdrawn);
});

test('without folders of producers, no cell counts as withdrawn', async () => {
  const work = mkdtempSync(join(scratch, 'work-'));
  expect([...(await refreshCells(work, [], async () => undefined))]).toEqual([]);
});
