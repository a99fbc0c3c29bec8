// Compares the zip at the end of a region with an independent library and zlib's checksums.

import { promisify } from 'node:util';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { fromBuffer, type ZipFile } from 'yauzl';
import { crc32 } from '../../../shared/bytes/crc32.ts';
import { utf8Bytes } from '../../../shared/bytes/utf8.ts';
import {
  readZipDirectory,
  startOfFile,
  zipDirectory,
  zipFiles,
} from '../../../shared/region/stored-zip.ts';

const FILES = [
  ['region.json', utf8Bytes('{"a":"ä · 🛟"}')],
  ['glyphs/Noto Sans Regular/0-255.pbf', Uint8Array.from({ length: 5000 }, (_, i) => i)],
  ['empty', new Uint8Array(0)],
] as const;

const BEFORE = 1000;

/** A file with other bytes before a zip. */
function written(): Buffer {
  const { bytes, members } = zipFiles(FILES);
  const placed = members.map((member) => ({ ...member, offset: member.offset + BEFORE }));
  const directory = zipDirectory(placed, BEFORE + bytes.length);
  return Buffer.concat([Buffer.alloc(BEFORE, 'x'), bytes, directory]);
}

async function readByOthers(file: Buffer): Promise<Record<string, Buffer>> {
  const open = promisify(fromBuffer) as (buffer: Buffer, options: object) => Promise<ZipFile>;
  const zip = await open(file, { lazyEntries: false, validateEntrySizes: true, autoClose: false });
  const read: Record<string, Buffer> = {};
  await new Promise<void>((done, fail) => {
    const pending: Promise<void>[] = [];
    zip.on('error', fail);
    zip.on('entry', (entry) => {
      pending.push(
        new Promise((next, wrong) => {
          zip.openReadStream(entry, async (error, stream) => {
            if (error) return wrong(error);
            const chunks: Buffer[] = [];
            for await (const chunk of stream) chunks.push(chunk as Buffer);
            read[entry.fileName] = Buffer.concat(chunks);
            expect(zlibCrc32(read[entry.fileName]!)).toBe(entry.crc32);
            next();
          });
        }),
      );
    });
    zip.on('end', () => void Promise.all(pending).then(() => done(), fail));
  });
  return read;
}

test('an independent library reads a zip after other bytes', async () => {
  const read = await readByOthers(written());
  expect(Object.keys(read)).toEqual(FILES.map(([name]) => name));
  for (const [name, bytes] of FILES) expect(read[name]!.equals(bytes)).toBe(true);
});

test('readZipDirectory finds each file from the end of the file', () => {
  const file = written();
  const members = readZipDirectory(file.subarray(BEFORE + 4000), file.length)!;
  expect(members.map(({ name }) => name)).toEqual(FILES.map(([name]) => name));
  for (const [i, member] of members.entries()) {
    const start = startOfFile(member);
    expect(file.subarray(start, start + member.bytes).equals(FILES[i]![1])).toBe(true);
  }
});

test('readZipDirectory returns undefined for a truncated file', () => {
  const file = written();
  for (let end = 0; end < file.length; end += 7) {
    expect(readZipDirectory(file.subarray(0, end), end)).toBeUndefined();
  }
});

test('utf8Bytes and crc32 equal the platform functions', () => {
  const texts = ['', 'abc', 'Übung · ö', '海図', '🛟 a 🛟', '\ud800x', 'x\udc00'];
  for (const text of texts) expect(utf8Bytes(text)).toEqual(new TextEncoder().encode(text));
  for (const [, bytes] of FILES) expect(crc32(bytes)).toBe(zlibCrc32(bytes));
});
