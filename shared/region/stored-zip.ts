// Writes and reads zips with stored files (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
// Times are constant, so that equal files give equal bytes.

import { crc32 } from '../bytes/crc32.ts';
import { joinBytes } from '../bytes/join-bytes.ts';
import { utf8Bytes } from '../bytes/utf8.ts';

/** A file in a zip; `offset` is the offset of its local header. */
export interface ZipMember {
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
  readonly offset: number;
}

/** Consecutive files with their offsets: a zip without its directory. */
export interface ZipFiles {
  readonly bytes: Uint8Array;
  readonly members: readonly ZipMember[];
}

/** Version 2.0, which supports folders. */
const VERSION = 20;
/** Flag for UTF-8 names. */
const FLAGS = 0x0800;
/** 1 January 1980, the earliest date of the format. */
const DATE = 0x0021;

/** @param files content by name, with `/` as folder separator */
export function zipFiles(files: Iterable<readonly [name: string, bytes: Uint8Array]>): ZipFiles {
  const parts: Uint8Array[] = [];
  const members: ZipMember[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const member = { name, bytes: bytes.length, crc32: crc32(bytes), offset };
    const header = localHeader(member);
    parts.push(header, bytes);
    members.push(member);
    offset += header.length + bytes.length;
  }
  return { bytes: joinBytes(parts), members };
}

/** Offset of the file's content. */
export const startOfFile = ({ name, offset }: ZipMember): number =>
  offset + 30 + utf8Bytes(name).length;

/**
 * The central directory of a zip.
 * @param members files with offsets from the start of the whole file
 * @param at offset of the directory
 * @throws RangeError above 4 GiB, which would require Zip64
 */
export function zipDirectory(members: readonly ZipMember[], at: number): Uint8Array {
  const parts = members.map((member) => {
    const name = utf8Bytes(member.name);
    const entry = new Uint8Array(46 + name.length);
    const view = new DataView(entry.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(4, VERSION, true);
    describe(view, 6, member, name.length);
    view.setUint32(42, member.offset, true);
    entry.set(name, 46);
    return entry;
  });
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (at + bytes > 0xffffffff) throw new RangeError('a region must not exceed 4 GiB');
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, members.length, true);
  view.setUint16(10, members.length, true);
  view.setUint32(12, bytes, true);
  view.setUint32(16, at, true);
  return joinBytes([...parts, end]);
}

function localHeader(member: ZipMember): Uint8Array {
  const name = utf8Bytes(member.name);
  const header = new Uint8Array(30 + name.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x04034b50, true);
  describe(view, 4, member, name.length);
  header.set(name, 30);
  return header;
}

/** The fields common to both headers, starting with the version. */
function describe(view: DataView, at: number, member: ZipMember, nameBytes: number): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, FLAGS, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, member.crc32, true);
  view.setUint32(at + 14, member.bytes, true);
  view.setUint32(at + 18, member.bytes, true);
  view.setUint16(at + 22, nameBytes, true);
}

/**
 * Read the directory of a zip with ASCII names from its last bytes.
 * @param tail end of the file @param fileBytes size of the whole file
 * @returns `undefined` if this is not the end of such a zip, or if its directory starts before
 * `tail`
 */
export function readZipDirectory(tail: Uint8Array, fileBytes: number): ZipMember[] | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = tail.length - 22;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return undefined;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true) - (fileBytes - tail.length);
  const members: ZipMember[] = [];
  for (let i = 0; i < count; i++) {
    if (at < 0 || at + 46 > end || view.getUint32(at, true) !== 0x02014b50) return undefined;
    const nameBytes = view.getUint16(at + 28, true);
    members.push({
      name: String.fromCharCode(...tail.subarray(at + 46, at + 46 + nameBytes)),
      bytes: view.getUint32(at + 24, true),
      crc32: view.getUint32(at + 16, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return members;
}
