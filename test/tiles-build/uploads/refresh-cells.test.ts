// Which cells a refresh of the public charts may remove.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endRefresh, refreshCells } from '../../../tiles-build/uploads/refresh-cells.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();

test('a cell counts as withdrawn if a producer removed it, in an earlier attempt too', async () => {
  const [work, produced] = ['work-', 'produced-'].map((name) => mkdtempSync(join(scratch, name)));
  const cell = (name: string) => join(produced!, `${name}.000`);
  mkdirSync(produced!, { recursive: true });
  for (const name of ['XX5HARB1', 'XX5HARB2']) writeFileSync(cell(name), 'a cell');
  const failing = refreshCells(work!, [produced!], async () => {
    rmSync(cell('XX5HARB2'));
    throw new Error('The producer is unavailable.');
  });
  await expect(failing).rejects.toThrow('unavailable');
  const again = () => refreshCells(work!, [produced!], async () => undefined);
  expect([...(await again())]).toEqual(['XX5HARB2']);
  endRefresh(work!);
  expect([...(await again())]).toEqual([]);
});

test('without folders of producers, no cell counts as withdrawn', async () => {
  const work = mkdtempSync(join(scratch, 'work-'));
  expect([...(await refreshCells(work, [], async () => undefined))]).toEqual([]);
});
