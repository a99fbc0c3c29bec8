// CATALOG.031, the list of an exchange set's files (ENC Product Specification 3.1, clause 5.4).

import { CATALOG_FIELDS } from '../records/field-descriptions.ts';
import { FieldWriter } from './field-writer.ts';
import { latin1, writeIso8211 } from './iso8211-writer.ts';

export interface CatalogEntry {
  /** Path within ENC_ROOT, with backslashes as the standard requires. */
  readonly path: string;
  /** A title for the file. */
  readonly title: string;
  /** CRC-32 of the file (ANSI/IEEE 802.3). */
  readonly crc32: number;
  /** Degrees. */
  readonly box: { readonly south: number; readonly west: number; north: number; east: number };
}

/** Encode the catalogue. Its first entry is the catalogue itself. */
export function encodeCatalog(entries: readonly CatalogEntry[]): Uint8Array {
  const selfEntry = catalogRecord({
    id: 1,
    path: 'CATALOG.031',
    title: '',
    implementation: 'ASC',
    sides: ['', '', '', ''],
    sum: '',
  });
  const others = entries.map(({ path, title, crc32, box }, i) => {
    const sides = [box.south, box.west, box.north, box.east].map((side) => side.toFixed(7));
    const sum = crc32.toString(16).toUpperCase().padStart(8, '0');
    return catalogRecord({ id: i + 2, path, title, implementation: 'BIN', sides, sum });
  });
  // The function writes the identifier of each record (field 0001).
  return writeIso8211(CATALOG_FIELDS, [selfEntry, ...others], (index) =>
    latin1(String(index).padStart(5, '0')),
  );
}

/** The fields of one record as text. */
interface CatalogRecord {
  readonly id: number;
  readonly path: string;
  readonly title: string;
  readonly implementation: 'ASC' | 'BIN';
  /** South, west, north, east. */
  readonly sides: readonly string[];
  /** CRC-32 as eight hexadecimal digits. */
  readonly sum: string;
}

function catalogRecord({ id, path, title, implementation, sides, sum }: CatalogRecord) {
  const field = new FieldWriter()
    .fixed('CD')
    .fixed(String(id).padStart(10, '0'))
    .text(path)
    .text(title)
    .text('V01X01') // VOLM
    .fixed(implementation);
  for (const side of sides) field.text(side);
  return [{ tag: 'CATD', bytes: field.text(sum).text('').bytes() }];
}
