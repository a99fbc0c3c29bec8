// CATALOG.031: which files an exchange set has, and their checksums (S-57 Part 3, clause 7.2.2; ENC
// Product Specification 3.1, clause 5.4).

import { readIso8211 } from './iso8211.ts';

export interface CatalogFile {
  /** Path within the exchange set, with slashes. */
  readonly path: string;
  /** CRC-32 of its bytes; undefined where the catalogue has none. */
  readonly crc32: number | undefined;
}

const UNIT_TERMINATOR = 0x1f;
/** RCNM, two letters, and RCID, ten digits, before the first text. */
const FIXED_BYTES = 12;
/** Texts of a record by their place: FILE, LFIL, VOLM; then IMPL, of fixed length, leads SLAT. */
const FILE = 0;
/** SLAT (with IMPL before it), WLON, NLAT, ELON come between VOLM and CRCS. */
const CRCS = 7;

/**
 * The files that a catalogue lists. Never throws: of a catalogue that cannot be read, what comes
 * before the damage.
 */
export function readCatalog(bytes: Uint8Array): readonly CatalogFile[] {
  const files: CatalogFile[] = [];
  for (const record of readIso8211(bytes, 'CATALOG.031').records) {
    const span = record.find(({ tag }) => tag === 'CATD');
    if (span === undefined) continue;
    const texts = textsOf(bytes.subarray(span.start + FIXED_BYTES, span.end));
    const path = texts[FILE]?.replaceAll('\\', '/') ?? '';
    const sum = texts[CRCS]?.trim() ?? '';
    if (path === '') continue;
    const crc32 = /^[0-9a-f]{1,8}$/i.test(sum) ? Number.parseInt(sum, 16) : undefined;
    files.push({ path, crc32 });
  }
  return files;
}

/** Texts that end with a unit terminator, ASCII alone. */
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
