// Zips with damaged entries, whose checksums the zip library does not check, and lists of exchange sets.

import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yauzl';
import { readCatalog } from '../../../shared/s57/read/read-catalog.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { readFilesOf } from '../../../tiles-build/exchange-set/exchange-set.ts';
import {
  listZip,
  readCellFile,
  readEveryEntry,
  readZipEntry,
} from '../../../tiles-build/exchange-set/zip.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../fetch/support/store-zip.ts';

const scratch = scratchFolder();

describe('a zip', () => {
  const whole = storeZip({
    'ENC_ROOT/US5AA01M.000': 'the base cell',
    'ENC_ROOT/NOTES.TXT': 'notes',
  });

  it('returns its entries', async () => {
    const path = join(scratch, 'whole.zip');
    writeFileSync(path, whole);
    const found = new Map<string, string>();
    await readEveryEntry(path, (name, bytes) => found.set(name, Buffer.from(bytes).toString()));
    expect([...found]).toEqual([
      ['ENC_ROOT/US5AA01M.000', 'the base cell'],
      ['ENC_ROOT/NOTES.TXT', 'notes'],
    ]);
  });

  it('is rejected with a changed byte in an entry, whether one or all entries are read', async () => {
    const path = join(scratch, 'damaged.zip');
    const bytes = Buffer.from(whole);
    bytes[bytes.indexOf('the base cell')] = 'T'.charCodeAt(0);
    writeFileSync(path, bytes);
    const name = 'ENC_ROOT/US5AA01M.000';
    await expect(readZipEntry(path, name)).rejects.toThrow('its CRC-32 is wrong');
    await expect(readEveryEntry(path, () => undefined)).rejects.toThrow('its CRC-32 is wrong');
    expect(Buffer.from(await readZipEntry(path, 'ENC_ROOT/NOTES.TXT')).toString()).toBe('notes');
  });
});

describe('a zip that unpacks to far more than it has', () => {
  const cell = Buffer.from('the base cell');
  const declaring = (bytes: number, names: readonly string[]) => {
    const zip = storeZip(Object.fromEntries(names.map((name) => [name, cell])));
    for (
      let at = zip.indexOf('PK\u0001\u0002');
      at >= 0;
      at = zip.indexOf('PK\u0001\u0002', at + 1)
    ) {
      zip.writeUInt16LE(8, at + 10);
      zip.writeUInt32LE(bytes, at + 24);
    }
    const path = join(scratch, 'large.zip');
    writeFileSync(path, zip);
    return path;
  };
  const name = 'US5AA01M.000';

  it('is rejected as a whole', async () => {
    const path = declaring(60_000_000, [name, 'US5AA02M.000']);
    await expect(listZip(path)).rejects.toThrow('it unpacks to more than');
  });

  it.each([67_108_865, 4_294_967_280])('has no cell file of %d bytes', async (bytes) => {
    const path = declaring(bytes, [name]);
    await expect(readZipEntry(path, name)).rejects.toThrow('the maximum of a cell file is');
    await expect(readEveryEntry(path, () => undefined)).rejects.toThrow('the maximum of a cell');
  });

  it('lists entries of equal names once', async () => {
    const zip = storeZip({ 'US5AA01M.000': 'first', 'US5AA02M.000': 'second' });
    const path = join(scratch, 'equal.zip');
    writeFileSync(path, zip.toString('latin1').replaceAll('AA02M', 'AA01M'), 'latin1');
    expect(await listZip(path)).toEqual([name]);
    expect(Buffer.from(await readZipEntry(path, name)).toString()).toBe('first');
  });

  it('counts entries of equal names', async () => {
    const path = join(scratch, 'equal.zip');
    const zip = storeZip({ 'US5AA01M.000': 'first', 'US5AA02M.000': 'second' });
    writeFileSync(path, zip.toString('latin1').replaceAll('AA02M', 'AA01M'), 'latin1');
    let count = 0;
    expect(await listZip(path, () => void count++)).toEqual([name]);
    expect(count).toBe(2);
  });
});

describe('a cell file', () => {
  it('is not read if it is too large', async () => {
    const path = join(scratch, 'US5AA01M.000');
    writeFileSync(path, '');
    truncateSync(path, 30_000_000_000);
    await expect(readCellFile(path)).rejects.toThrow('the maximum of a cell file is');
  });

  it('is left out if the files of its cell would fill the memory', async () => {
    const read = async () => new Uint8Array(40 * 1024 * 1024);
    const file = (name: string) => ({ name, read });
    const files = { base: file('US5AA01M.000'), updates: [file('US5AA01M.001')] };
    const { base, updates } = await readFilesOf(files);
    expect(base?.unreadable).toBeUndefined();
    expect(updates[0]?.unreadable).toContain('the files of the cell have more than');
  });
});

it('a list of entries has no comments, which can be 64 kB each', async () => {
  const zip = storeZip({ 'US5AA01M.000': 'the base cell' });
  const [entry, end] = [zip.indexOf('PK\u0001\u0002'), zip.indexOf('PK\u0005\u0006')];
  const comment = Buffer.from('a comment');
  zip.writeUInt16LE(comment.length, entry + 32);
  zip.writeUInt32LE(zip.readUInt32LE(end + 12) + comment.length, end + 12);
  const path = join(scratch, 'comment.zip');
  writeFileSync(path, Buffer.concat([zip.subarray(0, end), comment, zip.subarray(end)]));
  const opened = vi.spyOn(ZipFile.prototype, 'openReadStream');
  await readZipEntry(path, 'US5AA01M.000');
  expect(opened.mock.calls[0]![0]).toMatchObject({
    ...{ fileCommentLength: comment.length, fileComment: '', comment: '' },
  });
  opened.mockRestore();
});

describe('a zip of many cells', () => {
  const names = Array.from({ length: 100 }, (_, i) => `ENC_ROOT/ZZ5${i + 10_000}.000`);
  const path = () => join(scratch, 'many.zip');

  it('reads its directory once for all cells', async () => {
    writeFileSync(path(), storeZip(Object.fromEntries(names.map((name) => [name, name]))));
    const looks = vi.spyOn(ZipFile.prototype, 'readEntry');
    const texts = await Promise.all(names.map((name) => readZipEntry(path(), name)));
    expect(texts.map((bytes) => Buffer.from(bytes).toString())).toEqual(names);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(names.length + 1);
    looks.mockRestore();
  });

  it('reads the directory of each of several zips once, whatever their order', async () => {
    const paths = ['first', 'second', 'third'].map((week) => join(scratch, `${week}.zip`));
    for (const one of paths) {
      writeFileSync(one, storeZip(Object.fromEntries(names.map((name) => [name, one]))));
    }
    const looks = vi.spyOn(ZipFile.prototype, 'readEntry');
    for (const name of names) {
      for (const one of paths) {
        expect(Buffer.from(await readZipEntry(one, name)).toString()).toBe(one);
      }
    }
    expect(looks.mock.calls.length).toBe(paths.length * (names.length + 1));
    looks.mockRestore();
  });

  it('reads its directory again after it was replaced', async () => {
    writeFileSync(path(), storeZip({ [names[0]!]: 'a later and longer one' }));
    const first = await readZipEntry(path(), names[0]!);
    expect(Buffer.from(first).toString()).toBe('a later and longer one');
    await expect(readZipEntry(path(), names[1]!)).rejects.toThrow('is not in');
  });
});

describe('readCatalog', () => {
  const box = { south: -1, west: -1, north: 1, east: 1 };
  const list = encodeCatalog([
    { path: 'US5AA01M\\US5AA01M.000', title: 'Some waters', crc32: 0xfedc_ba98, box },
    { path: 'US5AA01M\\US5AA01M.001', title: '', crc32: 0x12, box },
  ]);

  it('returns each file with its checksum, and the list itself without one', () => {
    const bounds = [-1, -1, 1, 1];
    expect(readCatalog(list)).toEqual({
      files: [
        { path: 'CATALOG.031', crc32: undefined, bounds: undefined },
        { path: 'US5AA01M/US5AA01M.000', crc32: 0xfedc_ba98, bounds },
        { path: 'US5AA01M/US5AA01M.001', crc32: 0x12, bounds },
      ],
      problems: [],
    });
  });

  it('does not throw for a truncated list', () => {
    for (let length = 0; length < list.length; length++) {
      expect(readCatalog(list.subarray(0, length)).files.length).toBeLessThanOrEqual(3);
    }
  });
});
