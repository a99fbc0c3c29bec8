// Writes ISO/IEC 8211 files as S-57 Part 3 uses them: a data descriptive record with the formats of the
// fields, then the data records.

import type { FieldDescription } from '../records/field-descriptions.ts';

/** One field of a data record, without the field terminator. */
export interface FieldBytes {
  readonly tag: string;
  readonly bytes: Uint8Array;
  /** Whether the texts are UCS-2, so that the terminator has two bytes. */
  readonly wide?: boolean;
}

const FIELD_TERMINATOR = 0x1e;
const UNIT_TERMINATOR = '\x1f';
const LEADER_BYTES = 24;
const DESCRIPTIVE_LEADER = '3LE1 09';

/** Encode a file. The first field of each record is its number, encoded by `numberOf`. */
export function writeIso8211(
  descriptions: readonly FieldDescription[],
  records: readonly (readonly FieldBytes[])[],
  numberOf: (index: number) => Uint8Array,
): Uint8Array {
  const parts = [descriptiveRecord(descriptions)];
  records.forEach((fields, index) => {
    const numbered = [{ tag: '0001', bytes: numberOf(index) }, ...fields];
    parts.push(record(numbered, ' D     ', '   '));
  });
  return concat(parts);
}

function descriptiveRecord(descriptions: readonly FieldDescription[]): Uint8Array {
  const pairs = descriptions
    .filter(({ parent }) => parent !== '')
    .map(({ tag, parent }) => `${parent}${tag}`)
    .join('');
  const tree: FieldBytes = { tag: '0000', bytes: latin1(`0000;&   ${UNIT_TERMINATOR}${pairs}`) };
  const fields = descriptions.map((field): FieldBytes => {
    const controls = `${field.codes}00;&${field.escape ?? '   '}`;
    const words = [`${controls}${field.name}`, field.labels, field.formats];
    return { tag: field.tag, bytes: latin1(words.join(UNIT_TERMINATOR)) };
  });
  return record([tree, ...fields], DESCRIPTIVE_LEADER, ' ! ');
}

/** Leader, directory and fields of one record (ISO/IEC 8211:1994, clause 6.2). */
function record(fields: readonly FieldBytes[], kind: string, charset: string): Uint8Array {
  const bodies = fields.map(({ bytes, wide }) => concat([bytes, terminator(wide)]));
  const positions: number[] = [];
  let size = 0;
  for (const body of bodies) {
    positions.push(size);
    size += body.length;
  }
  const lengthDigits = digitsOf(Math.max(...bodies.map((body) => body.length)));
  const positionDigits = digitsOf(positions.at(-1) ?? 0);
  const directory = fields
    .map(
      ({ tag }, i) =>
        tag + pad(bodies[i]!.length, lengthDigits) + pad(positions[i]!, positionDigits),
    )
    .join('');
  const base = LEADER_BYTES + directory.length + 1;
  const isDescriptive = kind === DESCRIPTIVE_LEADER;
  const controlLength = isDescriptive ? '' : '  ';
  // A length of more than five digits is written as 0; it follows from the directory.
  const total = base + size > 99_999 ? 0 : base + size;
  const leader =
    pad(total, 5) +
    kind.slice(0, isDescriptive ? 7 : 5) +
    controlLength +
    pad(base, 5) +
    charset +
    `${lengthDigits}${positionDigits}04`;
  return concat([latin1(leader + directory), Uint8Array.of(FIELD_TERMINATOR), ...bodies]);
}

const terminator = (wide = false) =>
  wide ? Uint8Array.of(FIELD_TERMINATOR, 0) : Uint8Array.of(FIELD_TERMINATOR);

const digitsOf = (value: number) => String(value).length;
const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

/** @throws RangeError on a character above 255 */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    if (code > 255) throw new RangeError(`"${character}" is not a Latin-1 character.`);
    return code;
  });
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
