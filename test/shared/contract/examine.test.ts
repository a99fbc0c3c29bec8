// Values whose length is nothing to compare are refused, at the field that they stand in.

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { examine } from '../../../shared/contract/examine.ts';
import { readNewReport, readVote } from '../../../shared/contract/user-report.ts';

const ODD_LENGTHS = [
  { length: { toString: 1, valueOf: 1 } },
  { length: [{ toString: ['x'] }] },
  { length: [[{ toString: 1, valueOf: null }]] },
];
const schema = z.object({ name: z.string().max(5), any: z.json(), list: z.array(z.int()).max(3) });
const GOOD = { name: 'a', any: 1, list: [] };

describe.each(ODD_LENGTHS)('%j', (odd) => {
  test.each(['name', 'list'])(
    'a value with an odd length or text, as %s, is of the wrong type',
    (name) => {
      const { error } = examine(schema, { ...GOOD, [name]: odd });
      expect(error!.issues.map(({ path }) => path.join('.'))).toEqual([name]);
    },
  );

  test('a value with an odd length or text goes where anything goes', () => {
    expect(examine(schema, { ...GOOD, any: odd }).data).toEqual({ ...GOOD, any: odd });
  });

  test('a value with an odd length or text is refused beside something that is nested beyond all measure', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown;
    expect(examine(z.object({ name: z.string().max(5) }), { name: odd, deep }).success).toBe(false);
  });

  test('a value with an odd length or text is a fault of reports and votes', () => {
    const report = { reportType: 'hazard', position: { latitude: 1, longitude: 2 } };
    const refused = readNewReport({ ...report, externalUserId: odd }, 1000);
    expect(refused).toMatchObject({ faults: [{ path: 'externalUserId' }] });
    const vote = readVote({ vote: 'valid', externalUserId: odd });
    expect(vote).toMatchObject({ faults: [{ path: 'externalUserId' }] });
  });
});

test('other faults of the schema itself are not hidden', () => {
  const broken = z.string().refine(() => {
    throw new RangeError('broken');
  });
  expect(() => examine(broken, 'x')).toThrow('broken');
});
