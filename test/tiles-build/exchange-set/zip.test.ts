// Zips with damaged entries, whose checksums the zip library does not check, and lists of exchange sets.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ZipFile } from 'yauzl';
import { readCatalog } from '../../../shared/s57/read/read-catalog.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { readEveryEntry, readZipEntry } from '../../../tiles-build/exchange-set/zip.ts';
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
