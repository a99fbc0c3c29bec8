// The meaning of PostgreSQL error codes (Appendix A) for the caller, and whether data may have changed.

import { NeonDbError } from '@neondatabase/serverless';
import { expect, test } from 'vitest';
import { faultKind, isWithoutEffect } from '../../../workers/service/db/faults.ts';

const errorOf = (code: string) => Object.assign(new NeonDbError('refused'), { code });

test.each([
  ['a disk that is full', '53100', 'busy', true],
  ['too many connections', '53300', 'busy', true],
  ['a server that is read-only', '25006', 'busy', true],
  ['a time limit of the statement', '57014', 'busy', true],
  ['a time limit of the transaction', '25P04', 'busy', true],
  ['an idle transaction', '25P03', 'busy', true],
  ['a server that shuts down', '57P01', 'away', false],
  ['a failing disk', '58030', 'away', false],
  ['a damaged page', 'XX001', 'away', false],
  ['a fault of the server itself', 'XX000', 'away', false],
  ['a missing table', '42P01', 'unprepared', true],
  ['a check that failed', '23514', 'answer', true],
])('%s (%s) is %s; certain that nothing changed: %s', (_what, code, kind, isCertain) => {
  expect(faultKind(errorOf(code))).toBe(kind);
  expect(isWithoutEffect(errorOf(code))).toBe(isCertain);
});
