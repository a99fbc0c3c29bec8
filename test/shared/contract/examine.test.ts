// Values whose `length` cannot be compared with a limit: they are reported at their field.

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { examine } from '../../../shared/contract/examine.ts';
import { readNewReport, readVote } from '../../../shared/contract/user-report.ts';

const ODD_VALUES = [
  { length: { toString: 1, valueOf: 1 } },
  { length: [{ toString: ['x'] }] },
  { length: [[{ toString: 1, valueOf: null }]] },
];
const schema = z.object({ name: z.string().max(5), any: z.json(), list: z.array(z.int()).max(3) });
const GOOD = { name: 'a', any: 1, list: [] };

describe.each(ODD_VALUES)('examine of %j', (odd) => {
  test.each(['name', 'list'])('reports a wrong type for the field %s', (name) => {
    const { error } = examine(schema, { ...GOOD, [name]: odd });
    expect(error!.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });

  test('accepts it in a field for any JSON', () => {
    expect(examine(schema, { ...GOOD, any: odd }).data).toEqual({ ...GOOD, any: odd });
  });

  test('rejects it if another field is nested too deeply for a recursive check', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown;
    expect(examine(z.object({ name: z.string().max(5) }), { name: odd, deep }).success).toBe(false);
  });

  test('is used by reports and votes', () => {
    const report = { reportType: 'hazard', position: { latitude: 1, longitude: 2 } };
    const refused = readNewReport({ ...report, externalUserId: odd }, 1000);
    expect(refused).toMatchObject({ faults: [{ path: 'externalUserId' }] });
    const vote = readVote({ vote: 'valid', externalUserId: odd });
    expect(vote).toMatchObject({ faults: [{ path: 'externalUserId' }] });
  });
});

test('examine throws errors of the schema itself', () => {
  const broken = z.string().refine(() => {
    throw new RangeError('broken');
  });
  expect(() => examine(broken, 'x')).toThrow('broken');
});
