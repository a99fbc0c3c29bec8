// What a file's data descriptive record says of its fields, against what the decoder reads: a file
// in the ASCII form of S-57, or one made to another edition, must be named and not read as numbers.

import type { Problem } from '../cell/cell.ts';
import type { FieldSpan } from './iso8211.ts';

/** Formats of the binary form, each subfield spelled out: S-57 Part 3, clause 7. */
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

/** Longer descriptions are no cell's; the longest that S-57 knows is DSID's. */
const MAX_DESCRIPTION_BYTES = 400;
const MAX_REPEAT = 64;

/**
 * The fields whose described format is not the one that is read, as one problem. Structure and type
 * codes are not compared: producers differ in them and mean the same.
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
      message: `the file describes ${wrong.join(', ')} otherwise than S-57's binary form does`,
      file,
      severity: 'error',
    },
  ];
}

/** `(b11,2b12)` as `b11,b12,b12`. */
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
