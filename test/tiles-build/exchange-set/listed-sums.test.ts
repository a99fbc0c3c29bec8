// Files of cells beside the list of their exchange set: what was damaged or left out on the way is told.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { NAME, smallCell, update } from '../../shared/s57/small-cell.ts';
import { storeZip } from '../fetch/support/store-zip.ts';

const BASE = encodeFile(smallCell());
const FIRST = encodeFile(update(1, {}));
const SECOND = encodeFile(update(2, {}));

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'leadline-listed-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Files = Readonly<Record<string, Uint8Array>>;

function lay(name: string, files: Files): string {
  const root = join(scratch, name);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return root;
}

/** The list of some files, each below the folder of its cell. */
function listOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const box = { south: 0, west: 0, north: 1, east: 1 };
  return encodeCatalog(
    Object.entries(files).map(([file, bytes]) => ({
      path: `${NAME}\\${file}`,
      title: '',
      crc32: crc32(bytes),
      box,
    })),
  );
}

/** A bit of the last coordinate, as it might be turned over on the way. */
function changed(bytes: Uint8Array): Uint8Array {
  const other = bytes.slice();
  other[other.length - 4]! ^= 1;
  return other;
}

const FILES = { [`${NAME}.000`]: BASE, [`${NAME}.001`]: FIRST, [`${NAME}.002`]: SECOND };
const SET = {
  'ENC_ROOT/CATALOG.031': listOf(FILES),
  [`ENC_ROOT/${NAME}/${NAME}.000`]: BASE,
  [`ENC_ROOT/${NAME}/${NAME}.001`]: FIRST,
  [`ENC_ROOT/${NAME}/${NAME}.002`]: SECOND,
};

/** Cells found below a path, and the problems, as the process that finds them and as workers read them. */
async function outcome(path: string) {
  const { cells, problems } = await findCells([path]);
  const here = await Promise.all(cells.map(loadCell));
  const there = await Promise.all(cells.map((cell) => readLocation(locationOf(cell))));
  expect(there).toEqual(here);
  const read = here.map(readCell);
  return {
    cells: read.map(({ cell }) => `${cell?.header.edition}.${cell?.header.update}`),
    problems: [...problems, ...read.flatMap((result) => result.problems)],
  };
}

const codesOf = ({ problems }: Awaited<ReturnType<typeof outcome>>) =>
  problems.map(({ code }) => code);

test('a set whose files are as its list says is used without a word', async () => {
  expect(await outcome(lay('whole', SET))).toEqual({ cells: ['3.2'], problems: [] });
});

test('a base cell that differs from the CRC-32 in CATALOG.031 is named with both sums, and used, as the list may be older', async () => {
  const set = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.000`]: changed(BASE) };
  const found = await outcome(lay('base', set));
  expect(found.cells).toEqual(['3.2']);
  expect(codesOf(found)).toEqual(['checksum-differs']);
  expect(found.problems[0]!.message).toMatch(
    /its CRC-32 is [0-9A-F]{8}, and CATALOG\.031 says [0-9A-F]{8}/,
  );
});

test('an update that differs from the CRC-32 in CATALOG.031 is named', async () => {
  const set = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.002`]: changed(SECOND) };
  const found = await outcome(lay('update', set));
  expect(codesOf(found)).toContain('checksum-differs');
  expect(found.problems[0]!.file).toBe(`${NAME}.002`);
});

test('a changed file in a zip of a set is found by the list in the zip', async () => {
  const set = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.000`]: changed(BASE) };
  const found = await outcome(lay('zipped', { 'set.zip': storeZip(set) }));
  expect(codesOf(found)).toEqual(['checksum-differs']);
});

test('a list that was put into the folder of its cell still counts', async () => {
  const files = Object.fromEntries(Object.entries(FILES).map(([k, v]) => [`a/${NAME}/${k}`, v]));
  const list = { [`a/${NAME}/CATALOG.031`]: listOf(FILES) };
  expect(await outcome(lay('beside', { ...files, ...list }))).toEqual({
    cells: ['3.2'],
    problems: [],
  });
  const other = { ...files, ...list, [`a/${NAME}/${NAME}.000`]: changed(BASE) };
  expect(codesOf(await outcome(lay('beside-changed', other)))).toEqual(['checksum-differs']);
});

test('an update that CATALOG.031 lists and that is not there is named, as the cell would look whole', async () => {
  const { [`ENC_ROOT/${NAME}/${NAME}.002`]: _, ...rest } = SET;
  const found = await outcome(lay('missing', rest));
  expect(found.cells).toEqual(['3.1']);
  expect(codesOf(found)).toEqual(['listed-file-missing']);
  expect(found.problems[0]!.message).toContain(`lists ${NAME}.002`);
});

test('the list of one delivery says nothing of the files of another beside it', async () => {
  const found = await outcome(
    lay('two', {
      [`week-1/${NAME}.000`]: BASE,
      'week-2/CATALOG.031': listOf({ [`${NAME}.001`]: FIRST }),
      [`week-2/${NAME}.001`]: FIRST,
    }),
  );
  expect(found).toEqual({ cells: ['3.1'], problems: [] });
});

test('CATALOG.031 counts for the file at the listed path alone where two have its name', async () => {
  const found = await outcome(
    lay('twice', {
      'CATALOG.031': listOf({ [`${NAME}.000`]: BASE }),
      [`${NAME}/${NAME}.000`]: BASE,
      [`old/${NAME}.000`]: changed(BASE),
    }),
  );
  expect(found.cells).toEqual(['3.0']);
  expect(codesOf(found)).toEqual(['repeated-file']);
});
