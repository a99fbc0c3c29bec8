// Damaged files: reading ends, throws nothing, and reports every loss.

import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import type { CellFiles } from '../../../shared/s57/read/cell-files.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { isLong } from '../../support/long-run.ts';
import { BYTE_HARMS, mutant, RECORD_HARMS } from '../../support/mutants.ts';

const HARMS = { ...BYTE_HARMS, ...RECORD_HARMS };
const MUTANTS = isLong ? 20_000 : 200;
const MUTANTS_OF_REAL = isLong ? 2000 : 30;
const PATIENCE_MS = isLong ? 7_200_000 : 900_000;

const filesOf = (name: string): CellFiles => {
  const [base, ...updates] = demoFiles(DEMO_CELLS.find((cell) => cell.name === name)!);
  return { name, base: base!, updates };
};

/** A cell with updates, one without, and one of another band. */
const SOUND = ['ZL5WICKE', 'ZL4WICKB', 'ZL1LAMPS'].map(filesOf);

/** A small real cell, as other producers write files in other ways. */
const REAL = 'US5AK5QF';
const real: CellFiles | undefined = hasEncData
  ? await findCells([encData('ENC_ROOT', REAL)]).then(({ cells }) => loadCell(cells[0]!))
  : undefined;

/** Amounts that damaged values do not change, and missing or additional records do. */
function amountsOf({ header, features, isolatedNodes, connectedNodes, edges }: Cell): object {
  const amounts: Record<string, number> = { update: header.update, features: features.length };
  const add = (name: string, more: number) => {
    amounts[name] = (amounts[name] ?? 0) + more;
  };
  for (const { primitive, spatial, relations } of features) {
    add(primitive, 1);
    add('uses', spatial.length);
    add('relations', relations.length);
  }
  for (const one of [...isolatedNodes.values(), ...connectedNodes.values()]) {
    add('nodes', 1);
    add('soundings', one.depths?.length ?? 0);
  }
  for (const { positions } of edges.values()) add('positions', positions.length);
  return amounts;
}

/** The files with a damaged base or a damaged update. */
function damaged(files: CellFiles, number: number) {
  const all = [files.base!, ...files.updates];
  const which = Math.floor(number / Object.keys(HARMS).length) % all.length;
  const { harm, bytes } = mutant(all[which]!.bytes, HARMS, number);
  const [base, ...updates] = all.map((file, i) => (i === which ? { ...file, bytes } : file));
  return { harm, files: { ...files, base: base!, updates } };
}

function expectNoSilentLoss(files: CellFiles, number: number, whole: object): void {
  const { harm, files: mutated } = damaged(files, number);
  const title = `${files.name}, ${harm}, mutant ${number}`;
  const { cell, problems, cancelled } = readCell(mutated);
  expect(cell !== undefined || problems.length > 0, title).toBe(true);
  expect(cancelled, title).toBe(false);
  if (cell !== undefined && problems.length === 0) expect(amountsOf(cell), title).toEqual(whole);
}

describe('readCell', () => {
  test('rejects a small file whose directory repeats the same bytes to fill the memory', () => {
    // A record with 6,000 fields of the same 50 kB would become 300 MB of pointers.
    const entries = 6000;
    const size = 50_000;
    const header = 24 + entries * 16 + 1;
    const leader = `00000 D     ${String(header).padStart(5, '0')}   6604`.padEnd(24);
    expect(leader).toHaveLength(24);
    const directory = `FSPT${String(size).padStart(6, '0')}000000`.repeat(entries);
    const bytes = Buffer.from(`${leader}${directory}\x1e${'\x01'.repeat(size - 1)}\x1e`, 'latin1');
    const file = { name: 'ZL5HUGE.000', bytes: new Uint8Array(bytes) };
    const { problems } = readCell({ name: 'ZL5HUGE', base: file, updates: [] });
    expect(problems.map(({ code }) => code)).toEqual(['broken-directory', 'no-data-set']);
  });

  test.each(SOUND.map((files) => [files.name, files] as const))(
    'reports nothing for the undamaged cell %s',
    (_, files) => {
      expect(readCell(files).problems).toEqual([]);
    },
  );

  test(
    `reads each of ${MUTANTS} damaged cells completely or reports a problem`,
    () => {
      const wholes = SOUND.map((files) => amountsOf(readCell(files).cell!));
      for (let number = 0; number < MUTANTS; number++) {
        // Most are of the smallest two cells, which contain the same kinds of records.
        const at = number % 7 === 0 ? 1 : number % 3 === 0 ? 2 : 0;
        expectNoSilentLoss(SOUND[at]!, number, wholes[at]!);
      }
    },
    PATIENCE_MS,
  );

  // Damaged cells that were once read without a report, although soundings, attributes of an edge, a
  // feature or lights of an update were missing.
  test.each([
    ...[101, 131, 209, 28, 85, 145, 149, 181, 221].map((n) => 13 * n + 12),
    2314,
    4797,
    5408,
    5694,
    8178,
    8242,
    9477,
    9738,
    100_452,
    101_666,
    101_757,
    113_085,
    227_968,
    235_727,
  ])('reads the damaged cell %i completely or reports a problem', (number) => {
    for (const files of SOUND) {
      expectNoSilentLoss(files, number, amountsOf(readCell(files).cell!));
    }
  });

  test.runIf(real !== undefined)(
    `reads each of ${MUTANTS_OF_REAL} damaged copies of a real cell completely or reports a problem`,
    () => {
      const { cell, problems } = readCell(real!);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      const whole = amountsOf(cell!);
      for (let number = 0; number < MUTANTS_OF_REAL; number++)
        expectNoSilentLoss(real!, number, whole);
    },
    PATIENCE_MS,
  );
});
