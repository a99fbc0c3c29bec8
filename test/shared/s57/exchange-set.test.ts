// Finding cells: single files, folders, exchange sets and zips of them.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { storeZip } from '../../tiles-build/fetch/support/store-zip.ts';
import { BUOY, change, featureOf, NAME, smallCell, update } from './small-cell.ts';

const BASE = encodeFile(smallCell());
const FIRST = encodeFile(update(1, {}));
const SECOND = encodeFile(update(2, {}));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-exchange-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Write files below a folder of the test's own; answers its path. */
function lay(name: string, files: Readonly<Record<string, Uint8Array | string>>): string {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Edition and update of each cell found below the paths, and the codes of what was wrong. */
async function outcome(...paths: string[]) {
  const { cells, problems } = await findCells(paths);
  const read = await Promise.all(cells.map(async (cell) => readCell(await loadCell(cell))));
  return {
    cells: read.map(({ name, cell }) => `${name} ${cell?.header.edition}.${cell?.header.update}`),
    problems: [...problems, ...read.flatMap((result) => result.problems)].map(({ code }) => code),
  };
}

const EXCHANGE_SET = {
  'ENC_ROOT/CATALOG.031': encodeCatalog([]),
  'ENC_ROOT/README.TXT': 'not a cell',
  [`ENC_ROOT/${NAME}/${NAME}.000`]: BASE,
  [`ENC_ROOT/${NAME}/${NAME}.001`]: FIRST,
  [`ENC_ROOT/${NAME}/${NAME}.002`]: SECOND,
  [`ENC_ROOT/${NAME}/US348A.TXT`]: 'not a cell',
};

test('a single base file is a cell', async () => {
  const root = lay('single', { [`${NAME}.000`]: BASE });
  expect(await outcome(join(root, `${NAME}.000`))).toEqual({
    cells: [`${NAME} 3.0`],
    problems: [],
  });
});

test('an exchange set gives its cells with their updates, and its other files are left alone', async () => {
  expect(await outcome(lay('set', EXCHANGE_SET))).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('updates are found in folders of their own, as some producers deliver them', async () => {
  const root = lay('scattered', {
    [`3/0/${NAME}.000`]: BASE,
    [`3/1/${NAME}.001`]: FIRST,
    [`3/2/${NAME}.002`]: SECOND,
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('a zip of an exchange set is read like the set itself', async () => {
  const root = lay('zipped', { 'delivery.zip': storeZip(EXCHANGE_SET) });
  expect(await outcome(join(root, 'delivery.zip'))).toEqual({
    cells: [`${NAME} 3.2`],
    problems: [],
  });
});

test('updates in a later delivery join the base of an earlier one', async () => {
  const root = lay('deliveries', {
    'week-1.zip': storeZip({ [`ENC_ROOT/${NAME}/${NAME}.000`]: BASE }),
    'week-2.zip': storeZip({ [`ENC_ROOT/${NAME}/${NAME}.001`]: FIRST }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.1`], problems: [] });
});

test('a file that comes twice is used once, and the second is named', async () => {
  const once = lay('once', { [`${NAME}.000`]: BASE });
  const again = lay('again', { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST });
  expect(await outcome(once, again)).toEqual({
    cells: [`${NAME} 3.1`],
    problems: ['repeated-file'],
  });
});

test('files in small letters are those of the cell that is named in capitals', async () => {
  const small = NAME.toLowerCase();
  const root = lay('small', {
    [`enc_root/catalog.031`]: encodeCatalog([]),
    [`enc_root/${NAME}.000`]: BASE,
    [`enc_root/${small}.001`]: FIRST,
    'more/updates.zip': storeZip({ [`${small}.002`]: SECOND }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('deliveries of two editions give the newer one with its own updates, whichever is found first', async () => {
  const edition = (number: string) => {
    const contents = smallCell();
    return encodeFile({ ...contents, dataSet: { ...contents.dataSet, edition: number } });
  };
  const newUpdate = update(1, {});
  const fourth = {
    [`${NAME}.000`]: edition('4'),
    [`${NAME}.001`]: encodeFile({ ...newUpdate, dataSet: { ...newUpdate.dataSet, edition: '4' } }),
  };
  const third = { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST, [`${NAME}.002`]: SECOND };
  const before = lay('editions', { 'a/readme.txt': '' });
  for (const [one, other] of [
    [third, fourth],
    [fourth, third],
  ] as const) {
    rmSync(before, { recursive: true });
    lay('editions', Object.fromEntries(Object.entries(one).map(([k, v]) => [`a/${k}`, v])));
    lay('editions', Object.fromEntries(Object.entries(other).map(([k, v]) => [`b/${k}`, v])));
    const { cells, problems } = await outcome(before);
    expect(cells).toEqual([`${NAME} 4.1`]);
    expect(problems.slice(0, 2)).toEqual(['other-edition', 'other-edition']);
  }
});

describe('an update number that comes twice', () => {
  const cancellation = (issueDate: string) =>
    encodeFile(update(1, {}, { edition: '0', issueDate }));
  const laid = (name: string, one: Uint8Array, other: Uint8Array) =>
    lay(name, { [`${NAME}.000`]: BASE, [`a/${NAME}.001`]: one, [`b/${NAME}.001`]: other });

  it('withdraws the cell if one of the files cancels it and the other is not newer', async () => {
    for (const day of ['20260201', '20260301', '00000000']) {
      for (const pair of [
        [FIRST, cancellation(day)],
        [cancellation(day), FIRST],
      ] as const) {
        const { cells } = await findCells([laid(`cancelled-${day}`, ...pair)]);
        expect(readCell(await loadCell(cells[0]!)).cancelled).toBe(true);
      }
    }
  });

  it('keeps the cell if the cancellation is older than the other file', async () => {
    const { cells } = await outcome(laid('stale', cancellation('20260131'), FIRST));
    expect(cells).toEqual([`${NAME} 3.1`]);
  });

  it('uses the file whose own number is that of its ending', async () => {
    const other = encodeFile(update(2, {}, { name: `${NAME}.001` }));
    const { cells } = await outcome(laid('numbers', other, FIRST));
    expect(cells).toEqual([`${NAME} 3.1`]);
  });
});

test('a damaged base does not take the place of a whole one', async () => {
  const root = lay('damaged', { [`a/${NAME}.000`]: 'damaged', [`b/${NAME}.000`]: BASE });
  expect((await outcome(root)).cells).toEqual([`${NAME} 3.0`]);
});

test('a file that was cut off does not take the place of a whole one of the same edition and update', async () => {
  const cutOff = (file: Uint8Array) => file.subarray(0, file.length - 20);
  const buoy = change(featureOf(smallCell(), BUOY), { attributes: [{ code: 116, value: 'New' }] });
  const first = encodeFile(update(1, { features: [buoy] }));
  for (const [one, other] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const root = lay(`cut-off-${one}`, {
      [`${one}/${NAME}.000`]: cutOff(BASE),
      [`${other}/${NAME}.000`]: BASE,
      [`${other}/${NAME}.001`]: cutOff(first),
      [`${one}/${NAME}.001`]: first,
    });
    expect(await outcome(root)).toEqual({
      cells: [`${NAME} 3.1`],
      problems: ['repeated-file', 'repeated-file'],
    });
  }
});

test('a link to nowhere is named, and the cells beside it are read', async () => {
  const root = lay('links', { [`${NAME}.000`]: BASE, 'more/readme.txt': '' });
  symlinkSync('/nowhere/at/all', join(root, 'more', 'gone'));
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['unreadable-path'] });
});

test('a link to the folder that it lies in is not followed', async () => {
  const root = lay('round', { [`${NAME}.000`]: BASE, [`more/${NAME}.001`]: FIRST });
  symlinkSync('..', join(root, 'more', 'up'));
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.1`], problems: [] });
});

test('a zip within a zip is named, as its cells would be missed', async () => {
  const root = lay('nested', {
    'all.zip': storeZip({ [`${NAME}.000`]: BASE, 'more/inner.zip': storeZip(EXCHANGE_SET) }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['nested-zip'] });
});

test('updates without their base are named, and no cell is made of them', async () => {
  const root = lay('updates-alone', { 'updates.zip': storeZip({ [`${NAME}.001`]: FIRST }) });
  const { cells, problems } = await outcome(root);
  expect(cells).toEqual([`${NAME} undefined.undefined`]);
  expect(problems).toEqual(['base-missing']);
});

test('a broken zip is a named problem, and the cells beside it are read', async () => {
  const root = lay('broken', { 'broken.zip': 'no zip at all', [`${NAME}.000`]: BASE });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['unreadable-zip'] });
});

test('a zip cut off in transport is a named problem', async () => {
  const whole = storeZip(EXCHANGE_SET);
  const root = lay('cut', { 'cut.zip': whole.subarray(0, whole.length / 2) });
  expect(await outcome(root)).toEqual({ cells: [], problems: ['unreadable-zip'] });
});

/** A zip whose last file says it is packed to less than it unpacks to. */
function zipBomb(files: Readonly<Record<string, Uint8Array>>, last: string): Buffer {
  const packed = deflateRawSync(Buffer.alloc(2_000_000));
  const zip = storeZip({ ...files, [last]: packed });
  const DEFLATE = 8;
  zip.writeUInt16LE(DEFLATE, zip.lastIndexOf('PK\x03\x04') + 8);
  zip.writeUInt16LE(DEFLATE, zip.lastIndexOf('PK\x01\x02') + 10);
  return zip;
}

test('an entry that unpacks to more than it says is refused, with the reason', async () => {
  const root = lay('bomb', { 'bomb.zip': zipBomb({}, `${NAME}.000`) });
  const { cells } = await findCells([root]);
  const { cell, problems } = readCell(await loadCell(cells[0]!));
  expect(cell).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'base-unreadable' }]);
  expect(problems[0]!.message).toMatch(/too many bytes|not enough|larger/);
});

test('an update that cannot be read costs only itself and those after it', async () => {
  const sound = { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST };
  const root = lay('half', { 'half.zip': zipBomb(sound, `${NAME}.002`) });
  expect(await outcome(root)).toEqual({
    cells: [`${NAME} 3.1`],
    problems: ['update-unreadable'],
  });
});

test('a path that is not there is an error, not an empty chart', async () => {
  await expect(findCells([join(folder, 'nowhere')])).rejects.toThrow(/nowhere/);
});
