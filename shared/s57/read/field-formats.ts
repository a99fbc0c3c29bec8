// Compares the formats in a file's data descriptive record with those that the decoder expects. A file in
// the ASCII form of S-57 or of another edition must be reported, not decoded as binary numbers.

import type { Problem } from '../cell/cell.ts';
import { CELL_FIELDS } from '../records/field-descriptions.ts';
import type { FieldSpan } from './iso8211.ts';

/** Longer than the longest description in S-57, that of DSID. */
const MAX_DESCRIPTION_BYTES = 400;
const MAX_REPEAT = 64;

/** Formats of the binary form with repetitions expanded, by tag. */
const FORMATS = new Map(
  CELL_FIELDS.filter(({ parent }) => parent !== '').map(({ tag, formats }) => [
    tag,
    spelledOut(formats),
  ]),
);

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
    const expected = FORMATS.get(tag);
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

/**
 * Expand repetitions: `(b11,2b12)` and `(b11,2(b12))` become `b11,b12,b12`. A text of fixed length has the
 * same bytes whether it is declared as characters (A), a real (R) or an integer (I), so all become A.
 */
function spelledOut(controls: string): string {
  return controls
    .replace(/^\(|\)$/g, '')
    .replace(/(\d+)\((b\d\d|[ARI])\)/g, '$1$2')
    .split(',')
    .map((control) => {
      const [, count = '1', format = ''] = /^(\d{0,3})(.*)$/.exec(control.trim()) ?? [];
      const times = Math.min(Number(count || '1'), MAX_REPEAT);
      return Array.from({ length: times }, () => format.replace(/^[RI](?=\(\d+\)$)/, 'A')).join();
    })
    .join();
}
