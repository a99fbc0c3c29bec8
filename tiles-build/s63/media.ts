// The texts of a delivery next to its charts: SERIAL.ENC, PRODUCTS.TXT, STATUS.LST and MEDIA.TXT (S-63
// edition 1.2.1, clauses 6.2, 6.3 and 6.5, and appendix 2). They are not signed, so they only give
// names and notices, and never decide that a file is used.

import { isDay } from './days.ts';

const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const MAX_LINES = 100_000;

/** The lines of a text in any encoding of line ends; none if it is too large. */
export function linesOf(bytes: Uint8Array): readonly string[] {
  if (bytes.length > MAX_TEXT_BYTES) return [];
  // Vertical tabs end the record of SERIAL.ENC; other control characters are damage.
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e\r\n]/g, '');
  const lines = text.split(/[\r\n]+/, MAX_LINES).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** Which delivery an exchange set or a medium is. */
export interface Serial {
  readonly dataServer: string;
  /** Day of publication, yyyymmdd. */
  readonly issued: string;
  /** `B2` for the second base set, `U1` for an update, `M1` for a medium; empty if it is not stated. */
  readonly place: string;
}

/** The first line of SERIAL.ENC or MEDIA.TXT; undefined if it has another form. */
export function readSerial([line = '']: readonly string[]): Serial | undefined {
  const [, server = '', issued = '', rest = ''] =
    /^([A-Z0-9]{2}).{0,12}?(\d{8})(.*)$/i.exec(line) ?? [];
  if (!isDay(issued)) return undefined;
  const [, kind = '', number = ''] = /([BUM])(\d\d)X\d\d\s*$/i.exec(rest) ?? [];
  const place = kind === '' ? '' : kind.toUpperCase() + Number(number);
  return { dataServer: server.toUpperCase(), issued, place };
}

/** The latest state of a cell in the service of a data server. */
export interface Product {
  readonly cell: string;
  /** 0 if the cell is cancelled. */
  readonly edition: number;
  readonly update: number;
  /** Places of the base file: `['B2']` or `['M1', 'B2']`. */
  readonly places: readonly string[];
  /** Names of the cells that replace a cancelled cell. */
  readonly replacedBy: readonly string[];
}

/** Indexes of fields in a record of PRODUCTS.TXT. */
const FIELD = { name: 0, edition: 2, update: 4, place: 34, replacedBy: 35 } as const;

export interface Products {
  /** Text after `:DATE`, which orders lists. */
  readonly date: string;
  readonly products: ReadonlyMap<string, Product>;
}

/** Read PRODUCTS.TXT. Records of another form are skipped. */
export function readProducts(lines: readonly string[]): Products {
  const products = new Map<string, Product>();
  let date = '';
  for (const line of lines) {
    if (/^:DATE/i.test(line)) date = line.slice(5).trim();
    const fields = line.split(',').map((field) => field.trim().toUpperCase());
    const cell = /^([A-Z0-9_]{8})\.000$/.exec(fields[FIELD.name] ?? '')?.[1];
    const edition = fields[FIELD.edition] ?? '';
    if (cell === undefined || !/^\d{1,4}$/.test(edition)) continue;
    products.set(cell, {
      cell,
      edition: Number(edition),
      update: /^\d{1,4}$/.test(fields[FIELD.update] ?? '') ? Number(fields[FIELD.update]) : 0,
      places: (fields[FIELD.place] ?? '').split(';').filter((one) => /^[BUM]\d{1,2}$/.test(one)),
      replacedBy: (fields[FIELD.replacedBy] ?? '')
        .split(';')
        .filter((one) => /^[A-Z0-9_]{8}$/.test(one)),
    });
  }
  return { date, products };
}

/** A base delivery that an update delivery builds on. */
export interface BaseStatus {
  readonly place: string;
  readonly dataServer: string;
  /** What the supplier calls it, for messages. */
  readonly title: string;
  readonly issued: string;
}

/** Read the records of STATUS.LST. */
export function readStatus(lines: readonly string[]): readonly BaseStatus[] {
  return lines.flatMap((line) => {
    const [, place, server, title, issued = ''] =
      /^([BM]\d{1,2}),([A-Z0-9]{2}),[^,]*,'(.{1,100})',(\d{8})/i.exec(line) ?? [];
    if (place === undefined || !isDay(issued)) return [];
    return [
      { place: place.toUpperCase(), dataServer: server!.toUpperCase(), title: title!, issued },
    ];
  });
}
