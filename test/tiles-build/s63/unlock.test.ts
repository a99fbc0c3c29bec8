// Encrypted deliveries of a generated data server: which files are used, and why others are refused.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { openBuildCache } from '../../../tiles-build/pipeline/build-cache.ts';
import { joinPermits, readPermitFile } from '../../../tiles-build/s63/permits.ts';
import { problemsAsRead } from '../../../tiles-build/s63/problems-as-read.ts';
import { sealedStore } from '../../../tiles-build/s63/sealed-store.ts';
import { readTrustedKey } from '../../../tiles-build/s63/trusted-key.ts';
import {
  refuseEncrypted,
  type UnlockSettings,
  unlockWith,
} from '../../../tiles-build/s63/unlock.ts';
import { DataServer, HARDWARE_ID, SigningKey, writeFiles } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../fetch/support/store-zip.ts';
import { cellFiles } from '../sync/support/producer-cells.ts';

const scratch = scratchFolder();
const scheme = new SigningKey();
const server = new DataServer('AA', scheme);
const CELL = 'US5AA01M';
/** A cell of edition 1 with two updates, issued in 2026. */
const FILES = cellFiles(CELL, 1, 2);
const PATH = `ENC_ROOT/US/${CELL}/1`;
const PRODUCT = `${CELL}.000,20260101,1,20260201,2,,0,0,1,1,${','.repeat(19)},1,1,0,0,B1,`;

const settingsOf = (
  records: readonly string[] = [server.permit(CELL)],
  more: Partial<UnlockSettings> = {},
): UnlockSettings => ({
  permits: joinPermits([readPermitFile(server.permitFile(records), 'PERMIT.TXT', HARDWARE_ID)]),
  trusted: [readTrustedKey(scheme.publicFile, 'IHO.PUB', '20260601').key!],
  problems: [],
  today: '20260601',
  ...more,
});

let runs = 0;
const newFolder = () => join(scratch, `run-${runs++}`);

/** Loads deliveries. @returns general codes, then each cell with its state and codes */
async function load(paths: readonly string[], settings = settingsOf(), acceptBadChecksums = false) {
  const unlock = unlockWith({ ...settings, acceptBadChecksums });
  const { cells, problems } = await findCells(paths, { unlock, acceptBadChecksums });
  const lines: string[] = problems.map(({ code }) => code);
  for (const source of cells) {
    const { name, base, updates, encrypted } = source;
    const isEmpty = base === undefined && updates.length === 0;
    const read = isEmpty
      ? { name, cancelled: false, problems: [] }
      : readCell(await loadCell(source));
    const found = 'cell' in read && read.cell ? { header: read.cell.header } : undefined;
    const codes = problemsAsRead(encrypted, {
      name,
      problems: read.problems,
      ...(found && { found }),
    }).map(({ code }) => code);
    const state = found ? `${found.header.edition}.${found.header.update}` : 'refused';
    lines.push([name, state, ...new Set(codes)].join(' '));
  }
  return lines;
}

const delivered = (
  change: (files: Map<string, Buffer>) => void = () => undefined,
  products: string[] = [],
) => {
  const files = server.delivery(FILES, products);
  change(files);
  return writeFiles(newFolder(), files);
};

describe('unlockWith', () => {
  it('decrypts a cell with its updates', async () => {
    expect(await load([delivered()])).toEqual([`${CELL} 1.2`]);
  });

  it('reads a delivery in a zip', async () => {
    const folder = writeFiles(
      newFolder(),
      new Map([['set.zip', storeZip(Object.fromEntries(server.delivery(FILES)))]]),
    );
    expect(await load([folder])).toEqual([`${CELL} 1.2`]);
    expect(await load([join(folder, 'set.zip')])).toEqual([`${CELL} 1.2`]);
  });

  it('reads a delivery with names in small letters', async () => {
    const files = new Map(
      [...server.delivery(FILES)].map(([path, bytes]) => [path.toLowerCase(), bytes]),
    );
    expect(await load([writeFiles(newFolder(), files)])).toEqual([`${CELL} 1.2`]);
  });

  it('uses the second key of a permit', async () => {
    const keys = [Buffer.from('aaaaa'), server.keyOf(CELL)] as const;
    expect(await load([delivered()], settingsOf([server.permit(CELL, { keys })]))).toEqual([
      `${CELL} 1.2`,
    ]);
  });

  it('leaves plain cells next to a delivery unchanged', async () => {
    const folder = newFolder();
    writeFiles(join(folder, 'V01X01'), server.delivery(FILES));
    writeFiles(folder, cellFiles('US5AA09M', 3, 0));
    expect(await load([folder])).toEqual([`${CELL} 1.2`, 'US5AA09M 3.0']);
  });

  const base = `${PATH}/0/${CELL}.000`;
  const first = `${PATH}/1/${CELL}.001`;
  const sign = (files: Map<string, Buffer>, path: string, bytes: Buffer) => {
    files.set(path, bytes);
    files.set(path.replace('US5AA01M.', 'USMAA01M.'), server.signatureFile(bytes));
  };
  const flip = (bytes: Buffer) => {
    const other = Buffer.from(bytes);
    other[40]! ^= 1;
    return other;
  };
  const zipOf = (files: Record<string, Uint8Array>) => {
    const key = server.keyOf(CELL);
    return Buffer.from(server.encryptBytes(storeZip(files), key));
  };
  /** A zip whose only entry claims 4 GiB of content. */
  const bomb = () => {
    const zip = storeZip({ x: FILES.get(`${CELL}.000`)! });
    zip.writeUInt32LE(0xffff_fff0, zip.lastIndexOf('PK\x01\x02', 'latin1') + 24);
    return Buffer.from(server.encryptBytes(zip, server.keyOf(CELL)));
  };
  it.each<[string, (files: Map<string, Buffer>) => void, string]>([
    ['a changed base', (files) => files.set(base, flip(files.get(base)!)), 'refused sse-09 sse-23'],
    ['a changed update', (files) => files.set(first, flip(files.get(first)!)), '1.0 sse-09 sse-23'],
    ['an empty base', (files) => files.set(base, Buffer.alloc(0)), 'refused sse-09 sse-23'],
    [
      'no signature of an update',
      (files) => files.delete(first.replace('US5AA01M.', 'USMAA01M.')),
      '1.0 sse-24 sse-23',
    ],
    [
      'no update',
      (files) => [first, first.replace('US5AA01M.', 'USMAA01M.')].map((path) => files.delete(path)),
      '1.0 sse-23',
    ],
    ['a signed empty base', (files) => sign(files, base, Buffer.alloc(0)), 'refused sse-21 sse-23'],
    [
      'a signed base of nine bytes',
      (files) => sign(files, base, Buffer.alloc(9)),
      'refused sse-21 sse-23',
    ],
    [
      'a base of another key',
      (files) =>
        sign(files, base, server.encrypted('x', FILES.get(`${CELL}.000`)!, Buffer.from('other'))),
      'refused sse-21 sse-23',
    ],
    [
      'a damaged zip',
      (files) => sign(files, base, flip(files.get(base)!)),
      'refused sse-16 sse-23',
    ],
    [
      'a truncated zip',
      (files) => sign(files, base, files.get(base)!.subarray(0, 800)),
      'refused sse-16 sse-23',
    ],
    ['a zip bomb', (files) => sign(files, base, bomb()), 'refused sse-16 sse-23'],
    ['an empty zip', (files) => sign(files, base, zipOf({})), 'refused sse-21 sse-23'],
    [
      'a zip of two files',
      (files) => sign(files, base, zipOf({ a: Buffer.of(1), b: Buffer.of(2) })),
      'refused sse-16 sse-23',
    ],
    [
      'a zip with a path',
      (files) => sign(files, base, zipOf({ '../../etc/passwd': Buffer.of(1) })),
      'refused sse-16 sse-23',
    ],
    [
      'another cell under this name',
      (files) => sign(files, base, zipOf({ x: Buffer.from('00026 not a cell') })),
      'refused sse-16 sse-23',
    ],
  ])('refuses %s', async (_, change, expected) => {
    const lines = await load([delivered(change)]);
    expect(lines.at(-1)).toBe(`${CELL} ${expected}`);
  });

  it('reports a refused file as a warning if a good copy completes the cell', async () => {
    const severities = async (path: string, list = PRODUCT) => {
      const bad = delivered((files) => files.set(path, flip(files.get(path)!)));
      const folders = [bad, delivered(undefined, [list])];
      const { cells } = await findCells(folders, { unlock: unlockWith(settingsOf()) });
      return cells[0]!.encrypted?.problems.map(({ severity }) => severity);
    };
    expect(await severities(first)).toEqual(['warning']);
    expect(await severities(base)).toEqual(['error']);
    const newer = PRODUCT.replace(',20260201,2,', ',20260301,3,');
    expect(await severities(first, newer)).toEqual(['error']);
  });

  it('refuses a file whose CRC-32 is not that of CATALOG.031, unless bad checksums are accepted', async () => {
    const box = { south: 0, west: 0, north: 1, east: 1 };
    const listed = {
      path: base.slice('ENC_ROOT/'.length).replaceAll('/', '\\'),
      title: '',
      crc32: 1,
      box,
    };
    const folder = delivered((files) =>
      files.set('ENC_ROOT/CATALOG.031', Buffer.from(encodeCatalog([listed]))),
    );
    expect((await load([folder])).at(-1)).toBe(`${CELL} refused sse-16 sse-23`);
    expect((await load([folder], settingsOf(), true)).at(-1)).toBe(`${CELL} 1.2 checksum-differs`);
  });

  it('refuses a plain file that replaces an encrypted one without a signature', async () => {
    const plain = Buffer.from(FILES.get(`${CELL}.000`)!);
    const replaced = (files: Map<string, Buffer>) => {
      files.set(base, plain);
      files.delete(base.replace('US5AA01M.', 'USMAA01M.'));
    };
    expect((await load([delivered(replaced)])).at(-1)).toBe(`${CELL} refused sse-24 sse-23`);
    expect((await load([delivered((files) => sign(files, base, plain))])).at(-1)).toBe(
      `${CELL} 1.2`,
    );
  });

  it('names the missing permit', async () => {
    const other = settingsOf([server.permit('US5AA02M')]);
    const { cells } = await findCells([delivered()], { unlock: unlockWith(other) });
    expect(cells).toHaveLength(1);
    expect(cells[0]!.encrypted?.problems).toMatchObject([
      {
        code: 'sse-11',
        severity: 'error',
        message: expect.stringContaining(`A permit of data server AA for ${CELL} is missing`),
      },
    ]);
  });

  it('refuses all cells without an installed key', async () => {
    expect(await load([delivered()], settingsOf(undefined, { trusted: [] }))).toEqual([
      `${CELL} refused sse-05`,
    ]);
  });

  it('uses permits of each data server for its own delivery', async () => {
    const second = new DataServer('BB', scheme);
    const folder = writeFiles(newFolder(), second.delivery(cellFiles(CELL, 2, 1)));
    const both = [delivered(), folder];
    const lines = (records: string[]) => load(both, settingsOf(records));
    expect((await lines([server.permit(CELL), second.permit(CELL)])).at(-1)).toMatch(
      /^US5AA01M 2\.1/,
    );
    expect((await lines([server.permit(CELL)])).at(-1)).toBe(`${CELL} 1.2 sse-10`);
  });

  it('uses the permit whose key fits if the delivery states no data server', async () => {
    const folder = delivered((files) => files.delete('SERIAL.ENC'));
    const ended = server.permit(CELL, { expires: '20260131' });
    const second = new DataServer('BB', scheme);
    const records = [second.permit(CELL), ended];
    for (const order of [records, [records[1]!, records[0]!]])
      expect(await load([folder], settingsOf(order))).toEqual([`${CELL} 1.0 sse-15 sse-25`]);
  });

  it('uses the permit of another data server if its key fits, with a warning', async () => {
    const second = new DataServer('BB', scheme);
    const permit = second.permit(CELL, { keys: [server.keyOf(CELL), server.keyOf(CELL)] });
    expect(await load([delivered()], settingsOf([permit]))).toEqual([
      `${CELL} 1.2 s63-other-server`,
    ]);
  });

  it('applies updates up to the end of a subscription', async () => {
    const until = (expires: string) => settingsOf([server.permit(CELL, { expires })]);
    expect(await load([delivered()], until('20260131'))).toEqual([`${CELL} 1.0 sse-15 sse-25`]);
    expect(await load([delivered()], until('20260201'))).toEqual([`${CELL} 1.2 sse-15 sse-25`]);
    expect(await load([delivered()], until('20260615'))).toEqual([`${CELL} 1.2 sse-20`]);
    expect(await load([delivered()], until('20251231'))).toEqual([`${CELL} refused sse-15 sse-25`]);
  });

  it('reports a cell that is older than the product list says, and a cancelled cell', async () => {
    const newer = PRODUCT.replace(',20260201,2,', ',20260301,3,');
    expect(await load([delivered(undefined, [newer])])).toEqual([`${CELL} 1.2 sse-27`]);
    expect(await load([delivered(undefined, [PRODUCT])])).toEqual([`${CELL} 1.2`]);
    const both = [delivered(undefined, [PRODUCT]), delivered(undefined, [newer])];
    for (let i = 0; i < 2; i++)
      expect((await load(both.reverse())).at(-1)).toBe(`${CELL} 1.2 sse-27`);
    const cancelled = PRODUCT.replace(',20260101,1,', ',20260101,0,').replace(
      /B1,$/,
      'B1,US5AA02M;US5AA03M',
    );
    const { cells } = await findCells([delivered(undefined, [cancelled])], {
      unlock: unlockWith(settingsOf()),
    });
    expect(cells[0]!.encrypted?.problems[0]?.message).toContain('replaced by US5AA02M; US5AA03M');
  });

  it.each([
    ['the base', `${PATH}/0/${CELL}.000`, 1],
    ['an update before the latest', `${PATH}/1/${CELL}.001`, 1],
    ['nothing', '', 0],
  ])('asks for newer base media if %s is missing', async (_, missing, notices) => {
    const status =
      "AAWK01-26   UPDATE    20260105\r\nB1,AA,WK02-26,'BASE 1 of January',20260112\r\n";
    const folder = delivered(
      (files) => {
        files.set('INFO/STATUS.LST', Buffer.from(status));
        expect(files.delete(missing)).toBe(missing !== '');
      },
      [PRODUCT],
    );
    const { problems } = await findCells([folder], { unlock: unlockWith(settingsOf()) });
    const notice = expect.stringMatching(/^Load "BASE 1 of January" first: .* US5AA01M/);
    const asked = problems.filter(({ code }) => code === 's63-base-media');
    expect(asked.map(({ message }) => message)).toEqual(Array(notices).fill(notice));
  });

  it('warns about a date before that of a delivery', async () => {
    expect(await load([delivered()], settingsOf(undefined, { today: '20251231' }))).toContain(
      'sse-14',
    );
  });

  it.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['random', Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 89 + 3) % 256))],
    ['of endless lines', Buffer.alloc(3_000_000, '\n')],
    ['of one long line', Buffer.alloc(3_000_000, 'A')],
    ['of numbers beyond 2^31', Buffer.from(PRODUCT.replace(',1,', ',99999999999,'))],
  ])('reads a delivery whose texts are %s', async (_, text) => {
    const folder = delivered((files) => {
      for (const path of ['INFO/PRODUCTS.TXT', 'INFO/STATUS.LST', 'MEDIA.TXT', 'SERIAL.ENC'])
        files.set(path, text);
    });
    expect((await load([folder])).at(-1)).toMatch(/^US5AA01M 1\.2/);
  });

  it('reports one line for each decrypted cell', async () => {
    const notes: string[] = [];
    const note = (line: string) => notes.push(line);
    await findCells([delivered()], { unlock: unlockWith(settingsOf(undefined, { note })) });
    expect(notes).toEqual([
      `${CELL}: 3 files of data server AA decrypted, permit until 2030-12-31`,
    ]);
  });
});

describe('refuseEncrypted', () => {
  it('lists each encrypted cell with the reason', async () => {
    const { cells } = await findCells([delivered()], {
      unlock: refuseEncrypted('code', 'Do this.'),
    });
    expect(
      cells.map(({ name, base, encrypted }) => [name, base, encrypted?.problems[0]?.message]),
    ).toEqual([[CELL, undefined, `${CELL} is encrypted (S-63) and is not used. Do this.`]]);
  });
});

describe('sealedStore', () => {
  beforeEach(() => {
    process.env['LEADLINE_S63_CACHE_KEY'] = 'ab'.repeat(32);
  });
  afterEach(() => {
    delete process.env['LEADLINE_S63_CACHE_KEY'];
  });
  const storeIn = (folder: string) => sealedStore(openBuildCache(folder));

  it('keeps what was installed when a new edition is issued after the permit ended', async () => {
    const folder = newFolder();
    const records = [server.permit(CELL, { expires: '20260215' })];
    const settings = () => settingsOf(records, { store: storeIn(folder) });
    expect(await load([delivered()], settings())).toEqual([`${CELL} 1.2 sse-15 sse-25`]);
    const later = server.delivery(cellFiles(CELL, 2, 0, '20260301'));
    expect(await load([writeFiles(newFolder(), later)], settings())).toEqual([
      `${CELL} 1.2 sse-15 sse-25`,
    ]);
    expect(await load([writeFiles(newFolder(), later)], settingsOf(records))).toEqual([
      `${CELL} refused sse-15 sse-25`,
    ]);
  });

  it('does not use what was kept with another key or without a permit', async () => {
    const folder = newFolder();
    const settings = (records?: string[]) => settingsOf(records, { store: storeIn(folder) });
    expect(await load([delivered()], settings())).toEqual([`${CELL} 1.2`]);
    process.env['LEADLINE_S63_CACHE_KEY'] = 'cd'.repeat(32);
    expect(await load([delivered()], settings())).toEqual([`${CELL} 1.2`]);
    expect(await load([delivered()], settings([server.permit('US5AA02M')]))).toEqual([
      `${CELL} refused sse-11`,
    ]);
    const wrong = server.permit(CELL, { keys: [Buffer.from('aaaaa'), Buffer.from('bbbbb')] });
    expect((await load([delivered()], settings([wrong]))).at(-1)).toBe(`${CELL} refused sse-21`);
  });
});
