// Compares the formats in a file's data descriptive record with those that the decoder expects. A file in
// the ASCII form of S-57 or of another edition must be reported, not decoded as binary numbers.

import type { Problem } from '../cell/cell.ts';
import type { FieldSpan } from './iso8211.ts';

/** Formats of the binary form with repetitions expanded (S-57 Part 3, clause 7). */
const FORMATS: Readonly<Record<string, string>> = {
  DSID: 'b11,b14,b11,b11,A,A,A,A(8),A(8),R(4),b11,A,A,b11,b12,A',
  DSSI: 'b11,b11,b11,b14,b14,b14,b14,b14,b14,b14,b14',
  DSPM: 'b11,b14,b11,b11,b11,b14,b11,b11,b11,b11,b14,b14,A',
  FRID: 'b11,b14,b11,b11,b12,b12,b11',
  FOID: 'b12,b14,b12',
  ATTF: 'b12,A',
  NATF: 'b12,A',
  FFPC: 'b11,b12,b12',
  FFPT: 'B(64),b11,A',
  FSPC: 'b11,b12,b12',
  FSPT: 'B(40),b11,b11,b11',
  VRID: 'b11,b14,b12,b11',
  ATTV: 'b12,A',
  VRPC: 'b11,b12,b12',
  VRPT: 'B(40),b11,b11,b11,b11',
  SGCC: 'b11,b12,b12',
  SG2D: 'b24,b24',
  SG3D: 'b24,b24,b24',
};

/** Longer than the longest description in S-57, that of DSID. */
const MAX_DESCRIPTION_BYTES = 400;
const MAX_REPEAT = 64;

/**
 * Report all fields with an unexpected format as one problem. Structure and type codes are not compared:
 * producers use different codes for the same format.
 */
export function formatProblems(
  bytes: Uint8Array,
  description: readonly FieldSpan[],
  file: string,
): Problem[] {
  const wrong: string[] = [];
  for (const { tag, start, end } of description) {
    const expected = FORMATS[tag];
    if (expected === undefined) continue;
    const stop = Math.min(end, start + MAX_DESCRIPTION_BYTES);
    const text = String.fromCharCode(...bytes.subarray(start, stop));
    const found = text.slice(text.lastIndexOf('\x1f') + 1);
    if (spelledOut(found) !== expected) wrong.push(tag);
  }
  if (wrong.length === 0) return [];
  return [
    {
      code: 'unexpected-format',
      message: `the format of ${wrong.join(', ')} is not that of the binary form of S-57`,
      file,
      severity: 'error',
    },
  ];
}

/** Expand repetitions: `(b11,2b12)` becomes `b11,b12,b12`. */
function spelledOut(controls: string): string {
  return controls
    .replace(/^\(|\)$/g, '')
    .split(',')
    .map((control) => {
      const [, count = '1', format = ''] = /^(\d{0,3})(.*)$/.exec(control.trim()) ?? [];
      const times = Math.min(Number(count || '1'), MAX_REPEAT);
      return Array.from({ length: times }, () => format).join();
    })
    .join();
}
