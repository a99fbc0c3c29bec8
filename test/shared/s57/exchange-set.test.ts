// Finds cells in single files, folders, exchange sets and zips.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { Problem } from '../../../shared/s57/cell/cell.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { chooseFiles } from '../../../tiles-build/exchange-set/choose-files.ts';
import {
  findCells,
  loadCell,
  TooManyFiles,
} from '../../../tiles-build/exchange-set/exchange-set.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../../tiles-build/fetch/support/store-zip.ts';
import { BUOY, change, featureOf, NAME, smallCell, update } from './small-cell.ts';

const BASE = encodeFile(smallCell());
const FIRST = encodeFile(update(1, {}));
const SECOND = encodeFile(update(2, {}));

const OBJNAM_CODE = 116;

const folder = scratchFolder();

/** Write files below a folder for one test; returns its path. */
function lay(name: string, files: Readonly<Record<string, Uint8Array | string>>): string {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Edition and update of each cell below the paths, and the codes of all problems. */
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

test('findCells accepts a single base file', async () => {
  const root = lay('single', { [`${NAME}.000`]: BASE });
  expect(await outcome(join(root, `${NAME}.000`))).toEqual({
    cells: [`${NAME} 3.0`],
    problems: [],
  });
});

test('findCells reports a file whose name is that of a copy', async () => {
  const copy = { [`${NAME} (1).000`]: BASE };
  expect(await outcome(lay('copy', copy))).toEqual({ cells: [], problems: ['unknown-name'] });
  const strange = lay('strange', { 'ZL-5SMALL.000': BASE });
  expect((await findCells([strange])).problems).toMatchObject([
    {
      code: 'unknown-name',
      message: expect.stringContaining(
        'Rename it to the name of its cell, which has only letters, digits and `_`, if the cell',
      ),
    },
  ]);
  // Zips made on a Mac contain such files.
  const other = { [`._${NAME}.000`]: BASE };
  expect(await outcome(lay('other', other))).toEqual({ cells: [], problems: [] });
});

test('findCells returns the cells of an exchange set with their updates and ignores other files', async () => {
  expect(await outcome(lay('set', EXCHANGE_SET))).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('findCells finds updates in separate folders, as some producers deliver them', async () => {
  const root = lay('scattered', {
    [`3/0/${NAME}.000`]: BASE,
    [`3/1/${NAME}.001`]: FIRST,
    [`3/2/${NAME}.002`]: SECOND,
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('findCells reads a zip of an exchange set', async () => {
  const root = lay('zipped', { 'delivery.zip': storeZip(EXCHANGE_SET) });
  expect(await outcome(join(root, 'delivery.zip'))).toEqual({
    cells: [`${NAME} 3.2`],
    problems: [],
  });
});

test('findCells finds at most the maximum number of files, in folders and in zips', async () => {
  const set = lay('maximum', EXCHANGE_SET);
  const zipped = lay('maximum-zipped', { 'delivery.zip': storeZip(EXCHANGE_SET) });
  const copies = lay('maximum-copies', {
    'delivery.zip': storeZip(
      Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${NAME} (${n}).000`, BASE])),
    ),
  });
  for (const root of [set, zipped, copies]) {
    await expect(findCells([root], { maxFiles: 3 })).rejects.toThrow(TooManyFiles);
  }
  expect((await findCells([set], { maxFiles: 4 })).cells).toHaveLength(1);
  // In zips, other files count too.
  await expect(findCells([zipped], { maxFiles: 5 })).rejects.toThrow(TooManyFiles);
  expect((await findCells([zipped], { maxFiles: 6 })).cells).toHaveLength(1);
});

test('findCells adds updates of a later delivery to the base of an earlier one', async () => {
  const root = lay('deliveries', {
    'week-1.zip': storeZip({ [`ENC_ROOT/${NAME}/${NAME}.000`]: BASE }),
    'week-2.zip': storeZip({ [`ENC_ROOT/${NAME}/${NAME}.001`]: FIRST }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.1`], problems: [] });
});

test('findCells uses a repeated file once and reports the second', async () => {
  const once = lay('once', { [`${NAME}.000`]: BASE });
  const again = lay('again', { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST });
  expect(await outcome(once, again)).toEqual({
    cells: [`${NAME} 3.1`],
    problems: ['repeated-file'],
  });
});

test('findCells ignores the case of file names', async () => {
  const small = NAME.toLowerCase();
  const root = lay('small', {
    [`enc_root/catalog.031`]: encodeCatalog([]),
    [`enc_root/${NAME}.000`]: BASE,
    [`enc_root/${small}.001`]: FIRST,
    'more/updates.zip': storeZip({ [`${small}.002`]: SECOND }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.2`], problems: [] });
});

test('findCells uses the newer of two editions with its own updates, in any order', async () => {
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

describe('a repeated update number', () => {
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

  it('reports a file of a later edition than the base, and uses the updates of the base', async () => {
    const later = encodeFile(update(1, {}, { edition: '4' }));
    for (const pair of [
      [FIRST, later],
      [later, FIRST],
    ] as const) {
      const root = laid('later', ...pair);
      writeFileSync(join(root, `${NAME}.002`), SECOND);
      expect(await outcome(root)).toEqual({
        cells: [`${NAME} 3.2`],
        problems: ['other-edition', 'update-edition-mismatch'],
      });
    }
  });

  it('uses the file whose content has the number of its file name', async () => {
    const other = encodeFile(update(2, {}, { name: `${NAME}.001` }));
    const { cells } = await outcome(laid('numbers', other, FIRST));
    expect(cells).toEqual([`${NAME} 3.1`]);
  });
});

test('findCells does not replace an intact base by a damaged one', async () => {
  const root = lay('damaged', { [`a/${NAME}.000`]: 'damaged', [`b/${NAME}.000`]: BASE });
  expect((await outcome(root)).cells).toEqual([`${NAME} 3.0`]);
});

test('findCells does not replace an intact file by a truncated one of the same edition and update', async () => {
  const cutOff = (file: Uint8Array) => file.subarray(0, file.length - 20);
  const buoy = change(featureOf(smallCell(), BUOY), {
    attributes: [{ code: OBJNAM_CODE, value: 'New' }],
  });
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

test('findCells uses the newest intact edition if a newer one is damaged, with an error', async () => {
  const edition = (number: string) => {
    const contents = smallCell();
    return encodeFile({ ...contents, dataSet: { ...contents.dataSet, edition: number } });
  };
  const cutOff = (file: Uint8Array) => file.subarray(0, file.length - 20);
  const files = [cutOff(edition('4')), edition('2'), cutOff(edition('5')), BASE];
  const root = lay(
    'newer-damaged',
    Object.fromEntries(files.map((file, i) => [`${i}/${NAME}.000`, file])),
  );
  const { problems } = await findCells([root]);
  expect((await outcome(root)).cells).toEqual([`${NAME} 3.0`]);
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'warning', 'error']);
  expect(problems[0]!.message).toMatch(/edition 4 is damaged, so .* of edition 3 is used$/);
});

test('chooseFiles reads each of many damaged copies of a base twice', async () => {
  let reads = 0;
  const read = async () => {
    reads++;
    return BASE.subarray(0, BASE.length - 20);
  };
  const name = `${NAME}.000`;
  const bases = Array.from({ length: 20 }, (_, i) => ({ name, origin: `${i}/${name}`, read }));
  const problems: Problem[] = [];
  const cell = await chooseFiles(NAME, { bases, updates: new Map() }, problems, false);
  expect(cell.base?.origin).toBe(`0/${name}`);
  expect(problems.map(({ code }) => code)).toEqual(Array(19).fill('repeated-file'));
  expect(reads).toBe(40);
});

test('findCells reports an unused file of an unknown edition as an error', async () => {
  const root = lay('unknown', { [`a/${NAME}.000`]: 'damaged', [`b/${NAME}.000`]: BASE });
  const { problems } = await findCells([root]);
  expect(problems).toMatchObject([{ code: 'other-edition', severity: 'error' }]);
});

test('findCells reports a broken link and reads the other cells', async () => {
  const root = lay('links', { [`${NAME}.000`]: BASE, 'more/readme.txt': '' });
  symlinkSync('/nowhere/at/all', join(root, 'more', 'gone'));
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['unreadable-path'] });
});

test('findCells does not follow a link to a parent folder', async () => {
  const root = lay('round', { [`${NAME}.000`]: BASE, [`more/${NAME}.001`]: FIRST });
  symlinkSync('..', join(root, 'more', 'up'));
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.1`], problems: [] });
});

test('findCells reports a zip in a zip, because its cells are not read', async () => {
  const root = lay('nested', {
    'all.zip': storeZip({ [`${NAME}.000`]: BASE, 'more/inner.zip': storeZip(EXCHANGE_SET) }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['nested-zip'] });
});

test('findCells ignores what a Mac adds next to a zip', async () => {
  const root = lay('mac', {
    '._all.zip': 'of a Mac',
    'all.zip': storeZip({ [`${NAME}.000`]: BASE, '__MACOSX/._inner.zip': 'of a Mac' }),
  });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: [] });
});

test('findCells asks for a zip with relative paths', async () => {
  const root = lay('absolute', { 'all.zip': storeZip({ [`/ENC_ROOT/${NAME}.000`]: BASE }) });
  const [problem] = (await findCells([root])).problems;
  expect(problem?.message).toMatch(/Make it again with relative paths \(absolute path: /);
});

test('readCell reports a zip with a password', async () => {
  const zip = storeZip({ [`${NAME}.000`]: Buffer.concat([Buffer.alloc(12), BASE]) });
  const directory = zip.lastIndexOf('PK\x01\x02');
  zip.writeUInt16LE(1, directory + 8);
  zip.writeUInt32LE(BASE.length, directory + 24);
  const { cells } = await findCells([lay('password', { 'all.zip': zip })]);
  expect(readCell(await loadCell(cells[0]!)).problems[0]?.message).toMatch(/make one without/);
});

test('readCell reports updates without their base and returns no cell', async () => {
  const root = lay('updates-alone', { 'updates.zip': storeZip({ [`${NAME}.001`]: FIRST }) });
  const { cells, problems } = await outcome(root);
  expect(cells).toEqual([`${NAME} undefined.undefined`]);
  expect(problems).toEqual(['base-missing']);
});

test('findCells reports a broken zip and reads the other cells', async () => {
  const root = lay('broken', { 'broken.zip': 'no zip at all', [`${NAME}.000`]: BASE });
  expect(await outcome(root)).toEqual({ cells: [`${NAME} 3.0`], problems: ['unreadable-zip'] });
});

test('findCells reports a truncated zip', async () => {
  const whole = storeZip(EXCHANGE_SET);
  const root = lay('cut', { 'cut.zip': whole.subarray(0, whole.length / 2) });
  expect(await outcome(root)).toEqual({ cells: [], problems: ['unreadable-zip'] });
});

/** A zip whose last file unpacks to more bytes than it declares. */
function zipBomb(files: Readonly<Record<string, Uint8Array>>, last: string): Buffer {
  const packed = deflateRawSync(Buffer.alloc(2_000_000));
  const zip = storeZip({ ...files, [last]: packed });
  const DEFLATE = 8;
  zip.writeUInt16LE(DEFLATE, zip.lastIndexOf('PK\x03\x04') + 8);
  zip.writeUInt16LE(DEFLATE, zip.lastIndexOf('PK\x01\x02') + 10);
  return zip;
}

test('readCell rejects an entry that unpacks to more bytes than it declares, with the reason', async () => {
  const root = lay('bomb', { 'bomb.zip': zipBomb({}, `${NAME}.000`) });
  const { cells } = await findCells([root]);
  const { cell, problems } = readCell(await loadCell(cells[0]!));
  expect(cell).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'base-unreadable' }]);
  expect(problems[0]!.message).toMatch(/too many bytes|not enough|larger/);
});

test('readCell omits an unreadable update and those after it', async () => {
  const sound = { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST };
  const root = lay('half', { 'half.zip': zipBomb(sound, `${NAME}.002`) });
  expect(await outcome(root)).toEqual({
    cells: [`${NAME} 3.1`],
    problems: ['update-unreadable'],
  });
});

test('findCells throws if the path does not exist', async () => {
  await expect(findCells([join(folder, 'nowhere')])).rejects.toThrow(/nowhere/);
});
