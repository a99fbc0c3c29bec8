// The fields that each kind of record in an ENC may have (S-57 Part 3, clause 7). The check finds damaged tags, which
// would otherwise lose the content of their fields without a report.

import type { FieldSpan } from './iso8211.ts';

/** The field with the record's number in the file (ISO/IEC 8211). */
const NUMBER = '0001';

/** The fields that each kind of record in a cell may have. */
const FIELDS = {
  DSID: new Set(['DSID', 'DSSI']),
  DSPM: new Set(['DSPM', 'DSPR', 'DSRC']),
  // ENCs have no arcs and curves (ARCC, AR2D, EL2D, CT2D). They would become straight lines.
  VRID: new Set(['VRID', 'ATTV', 'VRPC', 'VRPT', 'SGCC', 'SG2D', 'SG3D']),
  FRID: new Set(['FRID', 'FOID', 'ATTF', 'NATF', 'FFPC', 'FFPT', 'FSPC', 'FSPT']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;

export type RecordKind = keyof typeof FIELDS;

/** Kinds without chart content: history, accuracy, catalogues, dictionaries. */
const OTHER_RECORDS = new Set(['DSHT', 'DSAC', 'CATD', 'CATX', 'DDDF', 'DDDI', 'DDSI']);

/** Fields that producers may repeat instead of extending one. Other fields must occur once. */
const REPEATED = new Set(['ATTF', 'NATF', 'ATTV', 'FFPT', 'FSPT', 'VRPT', 'SG2D', 'SG3D']);

/** Element size in bytes of fields that contain only complete elements. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = { FSPT: 8, VRPT: 9, SG2D: 8, SG3D: 12 };

/**
 * The kind of a record, from the first field after its number. `other` means a record without chart
 * content, `strange` a record with invalid fields.
 */
export function kindOfRecord(fields: readonly FieldSpan[]): RecordKind | 'other' | 'strange' {
  const first = fields[0]?.tag === NUMBER ? 1 : 0;
  const head = fields[first]?.tag ?? '';
  if (OTHER_RECORDS.has(head)) return 'other';
  if (!Object.hasOwn(FIELDS, head)) return 'strange';
  const kind = head as RecordKind;
  const known: ReadonlySet<string> = FIELDS[kind];
  for (let i = first; i < fields.length; i++) {
    const { tag, start, end } = fields[i]!;
    if (!known.has(tag)) return 'strange';
    const size = ELEMENT_BYTES[tag];
    if (size !== undefined && (end - start) % size !== 0) return 'strange';
    if (!REPEATED.has(tag) && isThereBefore(fields, tag, i)) return 'strange';
  }
  return kind;
}

function isThereBefore(fields: readonly FieldSpan[], tag: string, index: number): boolean {
  for (let i = 0; i < index; i++) if (fields[i]!.tag === tag) return true;
  return false;
}

/** RCNM and RCID, with which the first field of a record begins after its number. */
export function recordName(bytes: Uint8Array, fields: readonly FieldSpan[]): string {
  const first = fields.find(({ tag }) => tag !== NUMBER);
  if (first === undefined || first.end - first.start < 5) return 'of unknown id';
  const view = new DataView(bytes.buffer, bytes.byteOffset + first.start, 5);
  return `${view.getUint8(0)}/${view.getUint32(1, true)}`;
}
