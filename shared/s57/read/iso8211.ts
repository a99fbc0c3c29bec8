// Reads ISO/IEC 8211 records: leader, directory and field areas. Reading stops at damaged bytes with a
// problem; earlier records are kept.

import type { Problem } from '../cell/cell.ts';

const FIELD_TERMINATOR = 0x1e;
const LEADER_BYTES = 24;

/** The tag and byte range of a field, without its terminator. */
export interface FieldSpan {
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

interface Iso8211File {
  /** The data descriptive record's fields. */
  readonly description: readonly FieldSpan[];
  readonly records: readonly (readonly FieldSpan[])[];
  readonly problems: readonly Problem[];
}

/** The number in `count` decimal digits; −1 if another character occurs. */
function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = (bytes[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const tags = new Map<number, string>();

function tagAt(bytes: Uint8Array, at: number, size: number): string {
  if (size !== 4) return String.fromCharCode(...bytes.subarray(at, at + size));
  const key =
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  let tag = tags.get(key);
  if (tag === undefined) {
    tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (tags.size < 256) tags.set(key, tag);
  }
  return tag;
}

/** NUL, ^Z, space, tab and line ends. */
const PADDING = new Set([0, 0x1a, 0x20, 0x09, 0x0a, 0x0d]);

/** Whether only padding follows, which is valid after the last record. */
function isPadding(bytes: Uint8Array, from: number): boolean {
  for (let i = from; i < bytes.length; i++) if (!PADDING.has(bytes[i]!)) return false;
  return true;
}

/**
 * Split a file into records (ISO/IEC 8211:1994, clauses 5.1 to 5.3). A record length of 00000 means that
 * the length has more than five digits; the end then follows from the directory.
 */
export function readIso8211(bytes: Uint8Array, file: string): Iso8211File {
  const records: (readonly FieldSpan[])[] = [];
  const problems: Problem[] = [];
  const stop = (code: string, message: string) =>
    problems.push({ code, message, file, severity: 'error' });
  let at = 0;
  while (at < bytes.length && !isPadding(bytes, at)) {
    const record = readRecord(bytes, at);
    if (typeof record === 'string') {
      stop(record, `record ${records.length} at byte ${at} cannot be read: ${REASONS[record]}`);
      break;
    }
    records.push(record.fields);
    at = record.next;
  }
  const [description, ...data] = records;
  if (description === undefined && problems.length === 0) {
    stop('empty-file', 'the file contains no record');
  }
  return { description: description ?? [], records: data, problems };
}

type BrokenRecord = keyof typeof REASONS;

const REASONS = {
  'broken-leader': 'its leader is not an ISO 8211 leader',
  'truncated-record': 'the file ends before the record does',
  'broken-directory':
    'its directory refers to bytes outside the record, refers to bytes twice or omits bytes',
} as const;

function readRecord(
  bytes: Uint8Array,
  at: number,
): { fields: readonly FieldSpan[]; next: number } | BrokenRecord {
  if (at + LEADER_BYTES > bytes.length) return 'truncated-record';
  const stated = digits(bytes, at, 5);
  const base = digits(bytes, at + 12, 5);
  const lengthSize = (bytes[at + 20] ?? 0) - 48;
  const positionSize = (bytes[at + 21] ?? 0) - 48;
  const tagSize = (bytes[at + 23] ?? 0) - 48;
  const sizes = [lengthSize, positionSize, tagSize];
  if (stated < 0 || base < LEADER_BYTES || sizes.some((size) => size < 1 || size > 9)) {
    return 'broken-leader';
  }
  if (stated !== 0 && at + stated > bytes.length) return 'truncated-record';
  const areaStart = at + base;
  const limit = stated === 0 ? bytes.length : at + stated;
  if (areaStart > limit) return 'broken-directory';
  const entry = tagSize + lengthSize + positionSize;
  const fields: FieldSpan[] = [];
  let end = areaStart;
  let total = 0;
  for (let q = at + LEADER_BYTES; bytes[q] !== FIELD_TERMINATOR; q += entry) {
    if (q + entry > areaStart) return 'broken-directory';
    const length = digits(bytes, q + tagSize, lengthSize);
    const position = digits(bytes, q + tagSize + lengthSize, positionSize);
    if (length < 1 || position < 0) return 'broken-directory';
    const start = areaStart + position;
    if (start + length > limit) return stated === 0 ? 'truncated-record' : 'broken-directory';
    const closed = bytes[start + length - 1] === FIELD_TERMINATOR;
    fields.push({ tag: tagAt(bytes, q, tagSize), start, end: start + length - (closed ? 1 : 0) });
    end = Math.max(end, start + length);
    total += length;
  }
  // Fields that share bytes could expand a small file beyond the available memory. Bytes outside all
  // fields mean that a field length is damaged.
  if (total !== end - areaStart || (stated !== 0 && end !== limit)) return 'broken-directory';
  return { fields, next: stated === 0 ? end : at + stated };
}
