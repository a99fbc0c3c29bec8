// Whatever the bytes, reading ends, throws nothing, and says what was wrong.

import { describe, expect, test } from 'vitest';
import { type CellFiles, readCell } from '../../../shared/s57/read/read-cell.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_121;
const ROUNDS = 1500;

const demo = DEMO_CELLS.find(({ name }) => name === 'ZL5WICKE')!;
const [base, ...updates] = demoFiles(demo);
const sound: CellFiles = { name: demo.name, base: base!, updates };

/** A small real cell beside the generated one: other producers, other habits. */
const REAL = 'US5AK5QF';
const real: CellFiles | undefined = hasEncData
  ? await findCells([encData('ENC_ROOT', REAL)]).then(({ cells }) => loadCell(cells[0]!))
  : undefined;

type Harm = (bytes: Uint8Array, random: () => number) => Uint8Array;
const place = (bytes: Uint8Array, random: () => number) => Math.floor(random() * bytes.length);

const HARMS: Readonly<Record<string, Harm>> = {
  'flipped bits': (bytes, random) => {
    const harmed = bytes.slice();
    for (let i = 0; i < 1 + random() * 8; i++) {
      harmed[place(bytes, random)]! ^= 1 << Math.floor(random() * 8);
    }
    return harmed;
  },
  'a cut end': (bytes, random) => bytes.slice(0, place(bytes, random)),
  'a missing middle': (bytes, random) => {
    const from = place(bytes, random);
    const to = from + Math.floor(random() * 400);
    return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)]);
  },
  'a repeated piece': (bytes, random) => {
    const from = place(bytes, random);
    const piece = bytes.subarray(from, from + Math.floor(random() * 400));
    const at = place(bytes, random);
    return Uint8Array.from([...bytes.subarray(0, at), ...piece, ...bytes.subarray(at)]);
  },
  'digits for digits': (bytes, random) => {
    // Lengths and positions are digits: these are the harms that mislead rather than stop.
    const harmed = bytes.slice();
    for (let tries = 0, done = 0; tries < 5000 && done < 3; tries++) {
      const at = place(bytes, random);
      if (harmed[at]! < 0x30 || harmed[at]! > 0x39) continue;
      harmed[at] = 0x30 + Math.floor(random() * 10);
      done++;
    }
    return harmed;
  },
  noise: (bytes, random) => bytes.map(() => Math.floor(random() * 256)),
};

describe(`reading harmed files (seed ${SEED})`, () => {
  test('a small file cannot say more than memory holds, by naming the same bytes again and again', () => {
    // A record whose 6,000 fields are all the same 50 kB would be 300 MB of pointers.
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

  test('the sound cell has nothing to say', () => {
    expect(readCell(sound).problems).toEqual([]);
  });

  for (const [name, harm] of Object.entries(HARMS)) {
    test(`${name}: a cell or a named problem, every time`, () => {
      const random = seededRandom(SEED);
      for (let round = 0; round < ROUNDS / Object.keys(HARMS).length; round++) {
        const bytes = harm(base!.bytes, random);
        const result = readCell({ ...sound, base: { ...base!, bytes } });
        expect(result.cell !== undefined || result.problems.length > 0, `round ${round}`).toBe(
          true,
        );
      }
    });

    test.runIf(real !== undefined)(`${name} in a real cell: a cell or a named problem`, () => {
      const random = seededRandom(SEED + 2);
      for (let round = 0; round < 60; round++) {
        const bytes = harm(real!.base!.bytes, random);
        const { cell, problems } = readCell({ ...real!, base: { ...real!.base!, bytes } });
        expect(cell !== undefined || problems.length > 0, `round ${round}`).toBe(true);
      }
    });

    test(`${name} in an update: the cell stands where it was, or at the update`, () => {
      const random = seededRandom(SEED + 1);
      for (let round = 0; round < ROUNDS / Object.keys(HARMS).length; round++) {
        const [first] = updates;
        const bytes = harm(first!.bytes, random);
        const result = readCell({ ...sound, updates: [{ ...first!, bytes }] });
        if (result.cancelled) continue;
        const { update } = result.cell!.header;
        expect([0, 1], `round ${round}`).toContain(update);
        if (update === 0) expect(result.problems.length, `round ${round}`).toBeGreaterThan(0);
      }
    });
  }
});
