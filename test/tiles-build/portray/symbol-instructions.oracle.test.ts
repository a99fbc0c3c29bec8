// SYMINS in all available real cells: each instruction has a row in PORTRAYAL.md and is drawn accordingly.

import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { symbolInstructionsOf, unstatedInstructions } from './stated-instructions.ts';

/** Read separately, because some contain cells of the same name. */
const FOLDERS = [
  'ENC_ROOT',
  'ENC_BUSY',
  'synthetic',
  ...(existsSync(encData('edge'))
    ? readdirSync(encData('edge')).map((name) => `edge/${name}`)
    : []),
]
  .map((name) => encData(name))
  .filter(existsSync);

test.runIf(hasEncData)(
  'every SYMINS in the real cells is covered by PORTRAYAL.md and drawn accordingly',
  async () => {
    let cells = 0;
    const met = new Map<string, number>();
    const unstated: string[] = [];
    for (const folder of FOLDERS) {
      const { cells: found } = await findCells([folder]);
      for (const source of found) {
        const { cell } = readCell(await loadCell(source));
        if (cell === undefined) continue;
        cells++;
        for (const { cls, text } of symbolInstructionsOf(cell)) {
          met.set(`${cls} ${text}`, (met.get(`${cls} ${text}`) ?? 0) + 1);
        }
        unstated.push(...unstatedInstructions(cell));
      }
    }
    process.stdout.write(`SYMINS met in ${cells} cells: ${met.size}\n`);
    expect(cells).toBeGreaterThan(17);
    expect(unstated).toEqual([]);
  },
);
