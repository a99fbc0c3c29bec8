// The tests of IHO S-64 (edition 3.0.2, encrypted sets) on its data, which belong to the IHO and are not part of
// the project. Tests without data are skipped, and listed.

import { describe, expect, it } from 'vitest';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { hasRow, loadRow } from './load-row.ts';
import { S64_INPUTS, type S64Result, s64Results } from './s64-inputs.ts';

const ROOT = encData('S64', 'encrypted');
const isThere = ({ test }: S64Result) => hasRow(ROOT, S64_INPUTS[test]!);
const there = s64Results().filter(isThere);
const absent = s64Results().filter((row) => !isThere(row));
if (hasEncData && absent.length > 0) {
  const names = absent.map(({ test }) => test).join('; ');
  process.stderr.write(`Skipped: S-64 tests ${names}, as ${ROOT} lacks their data.\n`);
}

describe.skipIf(there.length === 0)('S-64, encrypted charts', () => {
  it.each(there)('$test: $standard', async ({ test, ours }) => {
    expect(await loadRow(ROOT, S64_INPUTS[test]!)).toBe(ours);
  });
});
