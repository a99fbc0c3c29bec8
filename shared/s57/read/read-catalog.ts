// CATALOG.031: the files of an exchange set and their checksums (S-57 Part 3, clause 7.2.2; ENC
// Product Specification 3.1, clause 5.4).

import type { Problem } from '../cell/cell.ts';
import { readIso8211 } from './iso8211.ts';

export interface CatalogFile {
  /** Path within the exchange set, with slashes. */
  readonly path: string;
  /** CRC-32 of the file; undefined if the catalogue states none. */
  readonly crc32: number | undefined;
  /** West, south, east, north in degrees; undefined if the catalogue states no valid box. */
  readonly bounds: readonly [number, number, number, number] | undefined;
}

export interface Catalog {
  readonly files: readonly CatalogFile[];
  /** Damage in the catalogue. Entries after the damage are not read. */
  readonly problems: readonly Problem[];
}

const UNIT_TERMINATOR = 0x1f;
/** RCNM, two letters, and RCID, ten digits, before the first text. */
const FIXED_BYTES = 12;
/** Indexes of the texts in a record: FILE, LFIL, VOLM, then IMPL (fixed length) with SLAT. */
const FILE = 0;
/** SLAT, after the three letters of IMPL; then WLON, NLAT, ELON. */
const SLAT = 3;
const IMPL_LETTERS = 3;
const CRCS = 7;

/** List the files in a catalogue. Never throws: for a damaged catalogue, returns the files before the damage. */
export function readCatalog(bytes: Uint8Array): Catalog {
  const files: CatalogFile[] = [];
  const { records, problems } = readIso8211(bytes, 'CATALOG.031');
  for (const record of records) {
    const span = record.find(({ tag }) => tag === 'CATD');
    if (span === undefined) continue;
    const texts = textsOf(bytes.subarray(span.start + FIXED_BYTES, span.end));
    const path = texts[FILE]?.replaceAll('\\', '/') ?? '';
    const sum = texts[CRCS]?.trim() ?? '';
    if (path === '') continue;
    const crc32 = /^[0-9a-f]{1,8}$/i.test(sum) ? Number.parseInt(sum, 16) : undefined;
    files.push({ path, crc32, bounds: boundsOf(texts.slice(SLAT, CRCS)) });
  }
  return { files, problems };
}

function boundsOf(sides: readonly string[]): CatalogFile['bounds'] {
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = sides.map(
    (text, i) => degrees(i === 0 ? text.slice(IMPL_LETTERS) : text),
  );
  const isBox = south <= north && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  return isBox && Math.abs(west) <= 360 && Math.abs(east) <= 360
    ? [west, south, east, north]
    : undefined;
}

const degrees = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Split ASCII texts at unit terminators. */
function textsOf(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  let begin = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== UNIT_TERMINATOR) continue;
    texts.push(String.fromCharCode(...bytes.subarray(begin, Math.min(at, begin + 1024))));
    begin = at + 1;
  }
  return texts;
}
