// Permit files (PERMIT.TXT, ENC.PMT and others of the same form): their records, checks, and the permit
// of a cell (S-63 edition 1.2.1, clauses 4.3 and 10.5).

import { crc32 } from 'node:zlib';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { decrypt, encrypt } from './cipher.ts';
import { isDay } from './days.ts';
import { permitKey } from './identity.ts';
import { sse } from './sse.ts';

/** A permit whose checksum is right. */
export interface CellPermit {
  readonly cell: string;
  /** Last day of the licence, yyyymmdd. */
  readonly expires: string;
  /** The keys of the cell's files, five bytes each: CK1, CK2, and those of replaced permits. */
  readonly keys: readonly Uint8Array[];
  /** A subscription has updates until it expires. A single purchase does not expire. */
  readonly isSubscription: boolean;
  /** Two characters; empty if the record names no data server. */
  readonly dataServer: string;
  /** `:ECS` lists permits of charts that are not official. */
  readonly section: 'ENC' | 'ECS';
  /** Of several data servers, if the delivery states none: the one whose key fits is used. */
  readonly oneOf?: readonly CellPermit[];
  /** For the permit of another data server: the problem if its keys do not fit (SSE 10 or 11). */
  readonly otherwise?: Problem;
}

export interface PermitFile {
  /** Text after `:DATE`, yyyymmdd and a time; empty if it is absent. */
  readonly date: string;
  readonly permits: readonly CellPermit[];
  /** Refused records by the first eight characters, or problems of the file under an empty name. */
  readonly refused: ReadonlyMap<string, Problem>;
}

/** A permit of every cell in the world takes 2 MB. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_LINES = 200_000;
const MAX_PROBLEMS = 1000;
/** Maximum number of keys of a cell: those of four permits. */
const MAX_KEYS = 8;
/** Editions of the standard have 1 and 2. A file of another version may have other fields. */
const VERSION = /^0?[12](?:\.0)?$/;
/** Cell name, expiry, two encrypted keys, encrypted checksum. */
const PERMIT =
  /^([A-Z0-9]{2}[1-9A-Z][A-Z0-9_]{5})(\d{8})([0-9A-F]{16})([0-9A-F]{16})([0-9A-F]{16})$/;
const CHECKSUM_DIGITS = 16;

/**
 * Read a permit file. Never throws: an invalid record is reported and the others are read. Line ends
 * may be CR, LF or both; a byte order mark and small letters are accepted. A repeated record is read once.
 * @param name for messages
 */
export function readPermitFile(
  bytes: Uint8Array,
  name: string,
  hardwareId: Uint8Array,
): PermitFile {
  if (bytes.length > MAX_FILE_BYTES) {
    return refusedFile(
      12,
      name,
      `${name} has ${bytes.length} bytes; the maximum is ${MAX_FILE_BYTES}`,
    );
  }
  // Some programs end a text with ^Z.
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = Buffer.from(bytes)
    .toString(isWide ? 'utf16le' : 'latin1')
    .replace(/^(?:\u00EF\u00BB\u00BF|\uFEFF)/, '')
    .replaceAll('\u001A', '\n');
  const lines = text.split(/[\r\n]+/, MAX_LINES).map((line) => line.trim());
  if (lines.length === MAX_LINES) return refusedFile(12, name, `${name} has too many lines`);
  let section: CellPermit['section'] = 'ENC';
  let date = '';
  const permits: CellPermit[] = [];
  const refused = new Map<string, Problem>();
  const known = new Set<string>();
  // Nothing in the text is part of a permit file: it is a document of another kind.
  if (!lines.some((line) => /^:(DATE|VERSION|ENC|ECS)\b/i.test(line) || isPermitLike(line))) {
    return refusedFile(11, name, `${name} is not a permit file`);
  }
  for (const line of lines) {
    const [, field, value = ''] = /^:([A-Z]+)\s*(.*)$/i.exec(line) ?? [];
    const header = field?.toUpperCase();
    if (header === 'VERSION' && !VERSION.test(value)) {
      return refusedFile(12, name, `${name} states an unknown version; 1 or 2 is expected`);
    }
    if (header === 'ENC' || header === 'ECS') section = header;
    else if (header === 'DATE')
      date = /^\d{8}(?: +\d{2}:\d{2}(?::\d{2})?)?$/.test(value) ? value.replace(/ +/, ' ') : '';
    if (line === '' || header !== undefined) continue;
    const fields = fieldsOf(line);
    const key = `${section},${fields}`;
    if (known.has(key)) continue;
    known.add(key);
    const record = readRecord(fields, section, hardwareId);
    if (!('code' in record)) permits.push(record);
    else if (refused.size < MAX_PROBLEMS) refused.set(startOf(line), { ...record, file: name });
  }
  if (permits.length + refused.size === 0) return refusedFile(11, name, `${name} lists no permits`);
  return { date, permits, refused };
}

/** A permit file that is not used. @param found what was found, in one sentence without a full stop */
export const refusedFile = (number: 11 | 12, name: string, found: string): PermitFile => ({
  date: '',
  permits: [],
  refused: new Map([['', sse(number, { found, file: name })]]),
});

/** The cell name in a record. Only it is repeated in messages: the rest is secret or garbage. */
const startOf = (line: string): string => line.slice(0, 8).replaceAll(/[^\w]/g, '?').toUpperCase();

const isPermitLike = (line: string): boolean => /^[A-Z0-9_]{8,20}[0-9A-F]{40}/i.test(line);

/** Permit, service level and data server of a record, without its edition and comment (clause 4.3.3). */
function fieldsOf(line: string): readonly [permit: string, level: string, server: string] {
  const [permit = '', level = '', , server = ''] = line.split(',', 4).map((field) => field.trim());
  return [permit, level, server];
}

function readRecord(
  [permit, level, server]: ReturnType<typeof fieldsOf>,
  section: CellPermit['section'],
  hardwareId: Uint8Array,
): CellPermit | Problem {
  const [, cell, expires = '', first = '', second = '', sum = ''] =
    PERMIT.exec(permit.toUpperCase()) ?? [];
  if (cell === undefined || !isDay(expires)) {
    const length = `it has ${permit.length} characters`;
    return sse(12, {
      found: `The permit begins with "${startOf(permit)}"; ${length}, and 64 in a fixed form are expected`,
    });
  }
  if (!/^[01]?$/.test(level)) return sse(12, { found: `${cell} has an unknown service level` });
  if (!/^[A-Z0-9]{0,2}$/i.test(server))
    return sse(12, { found: `${cell} has a malformed data server id` });
  const key = permitKey(hardwareId);
  if (sum !== checksumOf(permit.toUpperCase().slice(0, -CHECKSUM_DIGITS), key)) {
    return sse(13, { found: `It is the permit of ${cell}` });
  }
  const keys = [first, second].map((hidden) => decrypt(Buffer.from(hidden, 'hex'), key));
  if (keys.some((one) => one?.length !== 5)) {
    return sse(13, { found: `The permit of ${cell} contains no cell keys` });
  }
  return {
    cell,
    expires,
    keys: keys as Uint8Array[],
    isSubscription: level !== '1',
    dataServer: server.toUpperCase(),
    section,
  };
}

/** The encrypted CRC-32 of the other parts of a permit. @param key HW_ID6 */
export function checksumOf(rest: string, key: Uint8Array): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(rest));
  return Buffer.from(encrypt(sum, key)).toString('hex').toUpperCase();
}

/** Permits of several files, by data server and cell. */
export interface Permits {
  /**
   * The permit of a cell in a delivery. A permit that names no data server is for any. The permit of
   * another data server is used if its keys fit.
   * @param dataServer of the delivery; undefined if it does not state one
   */
  of(cell: string, dataServer: string | undefined): CellPermit | Problem;
  readonly all: readonly CellPermit[];
}

/** The permit with the keys of several; undefined for none. */
const anyOf = (permits: readonly CellPermit[]): CellPermit | undefined =>
  permits[0] && { ...permits[0], keys: permits.flatMap(({ keys }) => keys), oneOf: permits };

/** A permit with its keys first, then those of the permit that it replaces. */
function withKeysOf(permit: CellPermit, older: CellPermit | undefined): CellPermit {
  const keys = [...permit.keys, ...(older?.keys ?? [])];
  const distinct = new Map(keys.map((key) => [Buffer.from(key).toString('hex'), key]));
  return { ...permit, keys: [...distinct.values()].slice(0, MAX_KEYS) };
}

/**
 * Join permit files. A permit replaces the permit of the same cell and data server in a file with an
 * older date, or in an earlier file of the same date. Permits of other cells and servers are kept, and
 * so are the keys of a replaced permit: a data server may change them with an edition, and files of the
 * edition before may still be in use.
 */
export function joinPermits(files: readonly PermitFile[]): Permits {
  const byKey = new Map<string, CellPermit>();
  const refused = new Map(files.flatMap((file) => [...file.refused]));
  const inOrder = [...files].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  for (const { permits } of inOrder) {
    for (const permit of permits) {
      const at = `${permit.dataServer} ${permit.cell}`;
      byKey.set(at, withKeysOf(permit, byKey.get(at)));
    }
  }
  const all = [...byKey.values()];
  const servers = new Set(all.map(({ dataServer }) => dataServer));
  return {
    all,
    of(cell, dataServer) {
      const found =
        dataServer === undefined
          ? anyOf(all.filter((permit) => permit.cell === cell))
          : (byKey.get(`${dataServer} ${cell}`) ?? byKey.get(` ${cell}`));
      const fault = found ?? refused.get(cell);
      if (fault !== undefined) return fault;
      const from = dataServer === undefined ? '' : ` of data server ${dataServer}`;
      const wanted = `A permit${from} for ${cell} is missing`;
      const isUnknown = dataServer !== undefined && !servers.has(dataServer) && !servers.has('');
      const missing = sse(all.length > 0 && isUnknown ? 10 : 11, { found: wanted });
      const other = anyOf(all.filter((permit) => permit.cell === cell));
      return other === undefined ? missing : { ...other, otherwise: missing };
    },
  };
}

/** The problems of invalid records, without those that a valid permit of the same or a later file replaces. */
export function refusedRecords(files: readonly PermitFile[]): readonly Problem[] {
  const latest = new Map<string, string>();
  for (const { date, permits } of files) {
    for (const { cell } of permits) if (date >= (latest.get(cell) ?? '')) latest.set(cell, date);
  }
  return files.flatMap(({ date, refused }) =>
    [...refused].flatMap(([cell, problem]) => {
      const valid = latest.get(cell);
      return valid !== undefined && valid >= date ? [] : [problem];
    }),
  );
}
