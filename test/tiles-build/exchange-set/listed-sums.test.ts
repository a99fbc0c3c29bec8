// Checks files of cells against the list of their exchange set: damaged and missing files are reported.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeCatalog } from '../../../shared/s57/write/catalog.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import {
  digestOfFiles,
  locationOf,
  readLocation,
} from '../../../tiles-build/pipeline/cell-location.ts';
import { NAME, smallCell, update } from '../../shared/s57/small-cell.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { storeZip } from '../fetch/support/store-zip.ts';

const BASE = encodeFile(smallCell());
const FIRST = encodeFile(update(1, {}));
const SECOND = encodeFile(update(2, {}));

const scratch = scratchFolder();

type Files = Readonly<Record<string, Uint8Array>>;

function lay(name: string, files: Files): string {
  const root = join(scratch, name);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return root;
}

/** The list of some files, each in the folder of its cell. */
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

/** The bytes with a flipped bit in the last coordinate. */
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

/** Cells below a path, and the problems; workers must read the same files as this process. */
async function outcome(path: string, options = {}) {
  const { cells, problems } = await findCells([path], options);
  const here = await Promise.all(cells.map(loadCell));
  const there = await Promise.all(cells.map((cell) => readLocation(locationOf(cell))));
  expect(there).toEqual(here);
  const read = here.map((files) => readCell(files));
  return {
    cells: read.map(({ cell }) => `${cell?.header.edition}.${cell?.header.update}`),
    problems: [...problems, ...read.flatMap((result) => result.problems)],
  };
}

const under = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [folder + path, bytes]));

const codesOf = ({ problems }: Awaited<ReturnType<typeof outcome>>) =>
  problems.map(({ code }) => code);

test('an exchange set that matches its list is read without problems', async () => {
  expect(await outcome(lay('whole', SET))).toEqual({ cells: ['3.2'], problems: [] });
});

const ACCEPT = { acceptBadChecksums: true };
const BAD_BASE = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.000`]: changed(BASE) };
const BAD_FIRST = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.001`]: changed(FIRST) };
const BAD_SECOND = { ...SET, [`ENC_ROOT/${NAME}/${NAME}.002`]: changed(SECOND) };

describe('a file whose CRC-32 differs from CATALOG.031', () => {
  it('rejects the cell if it is the base, and states both sums', async () => {
    const found = await outcome(lay('base', BAD_BASE));
    expect(found.cells).toEqual(['undefined.undefined']);
    expect(found.problems).toMatchObject([
      { code: 'checksum-differs', severity: 'error', file: `${NAME}.000` },
    ]);
    expect(found.problems[0]!.message).toMatch(
      /its CRC-32 is [0-9A-F]{8}, and CATALOG\.031 lists [0-9A-F]{8}.*the cell is refused/,
    );
  });

  it.each([
    ['the first', BAD_FIRST, '3.0', `${NAME}.001`],
    ['the last', BAD_SECOND, '3.1', `${NAME}.002`],
  ] as const)(
    'rejects the update and later ones if it is %s update',
    async (label, set, version, file) => {
      const found = await outcome(lay(`update-${label}`, set));
      expect(found.cells).toEqual([version]);
      expect(found.problems).toMatchObject([{ code: 'checksum-differs', severity: 'error', file }]);
    },
  );

  it('is detected in a zip by the list in the zip', async () => {
    const found = await outcome(lay('zipped', { 'set.zip': storeZip(BAD_BASE) }));
    expect([found.cells, codesOf(found)]).toEqual([['undefined.undefined'], ['checksum-differs']]);
  });

  it('is used with a warning if bad checksums are accepted', async () => {
    for (const [label, set] of Object.entries({ BAD_BASE, BAD_FIRST, BAD_SECOND })) {
      const found = await outcome(lay(`accepted-${label}`, set), ACCEPT);
      expect(found.cells).toEqual(['3.2']);
      expect(found.problems[0]).toMatchObject({ code: 'checksum-differs', severity: 'warning' });
    }
  });

  it('has another digest if bad checksums are accepted, so that no cache mixes the two', async () => {
    const path = lay('digest', BAD_BASE);
    const digest = async (options: object) => {
      const { cells } = await findCells([path], options);
      return digestOfFiles(await readLocation(locationOf(cells[0]!)));
    };
    expect(await digest({})).not.toBe(await digest(ACCEPT));
  });

  it('does not stop later updates if the base contains it already', async () => {
    const contents = smallCell();
    const reissue = encodeFile({ ...contents, dataSet: { ...contents.dataSet, update: '1' } });
    const bad = { [`${NAME}.001`]: changed(FIRST), [`${NAME}.002`]: SECOND };
    const list = listOf({ [`${NAME}.001`]: FIRST, [`${NAME}.002`]: SECOND });
    const found = await outcome(
      lay('reissue', { [`${NAME}.000`]: reissue, 'CATALOG.031': list, ...bad }),
    );
    expect(found.cells).toEqual(['3.2']);
    expect(found.problems).toMatchObject([{ code: 'checksum-differs', severity: 'warning' }]);
  });

  it('does not replace an intact file of another delivery, even if its edition is newer', async () => {
    const contents = smallCell();
    const fourth = encodeFile({ ...contents, dataSet: { ...contents.dataSet, edition: '4' } });
    const files = {
      [`old/${NAME}.000`]: BASE,
      'new/CATALOG.031': listOf({ [`${NAME}.000`]: fourth }),
      [`new/${NAME}.000`]: changed(fourth),
    };
    const found = await outcome(lay('newer', files));
    expect(found.cells).toEqual(['3.0']);
    expect(found.problems).toMatchObject([{ code: 'checksum-differs', severity: 'error' }]);
    expect((await outcome(join(scratch, 'newer'), ACCEPT)).cells).toEqual(['4.0']);
  });

  it('does not cancel a cell', async () => {
    const cancellation = encodeFile(update(1, {}, { edition: '0' }));
    const list = listOf({ [`${NAME}.001`]: FIRST });
    const files = { [`${NAME}.000`]: BASE, 'CATALOG.031': list, [`${NAME}.001`]: cancellation };
    const found = await outcome(lay('cancellation', files));
    expect([found.cells, codesOf(found)]).toEqual([['3.0'], ['checksum-differs']]);
  });

  it('is accepted if another list has its sum, as an old list may remain', async () => {
    const files = {
      'CATALOG.031': listOf({ [`${NAME}.000`]: changed(BASE) }),
      'week-2/CATALOG.031': listOf({ [`${NAME}.000`]: BASE }),
      [`week-2/${NAME}.000`]: BASE,
    };
    expect(await outcome(lay('two-lists', files))).toEqual({ cells: ['3.0'], problems: [] });
  });
});

describe('a damaged or incomplete exchange set', () => {
  it('reports a list that cannot be read completely, because files are then used unchecked', async () => {
    const list = SET['ENC_ROOT/CATALOG.031']!;
    for (const [label, bytes] of [
      ['cut', list.subarray(0, list.length - 10)],
      ['text', new TextEncoder().encode('not a list')],
    ] as const) {
      const found = await outcome(lay(`list-${label}`, { ...SET, 'ENC_ROOT/CATALOG.031': bytes }));
      expect([found.cells, codesOf(found)]).toEqual([['3.2'], ['unreadable-list']]);
    }
  });

  it('reports a listed cell that is absent', async () => {
    const list = listOf({ ...FILES, 'ZL5OTHER.000': BASE, 'ZL5OTHER.001': FIRST });
    const found = await outcome(lay('absent', { ...SET, 'ENC_ROOT/CATALOG.031': list }));
    expect([found.cells, codesOf(found)]).toEqual([['3.2'], ['listed-cells-missing']]);
    expect(found.problems[0]!.message).toContain('ZL5OTHER');
  });

  it('is checked if its list is in the folder of the cell', async () => {
    const files = Object.fromEntries(Object.entries(FILES).map(([k, v]) => [`a/${NAME}/${k}`, v]));
    const list = { [`a/${NAME}/CATALOG.031`]: listOf(FILES) };
    expect(await outcome(lay('in-folder', { ...files, ...list }))).toEqual({
      cells: ['3.2'],
      problems: [],
    });
    const other = { ...files, ...list, [`a/${NAME}/${NAME}.000`]: changed(BASE) };
    expect(codesOf(await outcome(lay('in-folder-changed', other)))).toEqual(['checksum-differs']);
  });

  it('reports a listed update that is absent, because the cell looks complete without it', async () => {
    const { [`ENC_ROOT/${NAME}/${NAME}.002`]: _, ...rest } = SET;
    const found = await outcome(lay('missing', rest));
    expect(found.cells).toEqual(['3.1']);
    expect(codesOf(found)).toEqual(['listed-file-missing']);
    expect(found.problems[0]!.message).toContain(`lists ${NAME}.002`);
  });

  it.each([
    [
      'folders',
      ([one, other]: readonly Files[]) => ({
        ...under('V01X02/', one!),
        ...under('V02X02/', other!),
      }),
    ],
    [
      'zips',
      ([one, other]: readonly Files[]) => ({
        'V01X02.zip': storeZip(one!),
        'v02x02.zip': storeZip(other!),
      }),
    ],
  ])('is checked against the list of its first volume, in %s', async (kind, layOf) => {
    const { [`ENC_ROOT/${NAME}/${NAME}.002`]: last, ...first } = BAD_SECOND;
    const second = { [`ENC_ROOT/${NAME}/${NAME}.002`]: last! };
    const found = await outcome(lay(`volumes-${kind}`, layOf([first, second])));
    expect([found.cells, codesOf(found)]).toEqual([['3.1'], ['checksum-differs']]);
  });

  it('is not checked against the list of another volume if it has its own', async () => {
    const own = { 'ENC_ROOT/CATALOG.031': listOf({ [`${NAME}.002`]: SECOND }) };
    const { [`ENC_ROOT/${NAME}/${NAME}.002`]: last, ...first } = SET;
    const second = { ...own, [`ENC_ROOT/${NAME}/${NAME}.002`]: last! };
    const files = { ...under('V01X02/', first), ...under('V02X02/', second) };
    expect(codesOf(await outcome(lay('own-lists', files)))).toEqual(['listed-file-missing']);
  });

  it('is not checked against the list of another delivery', async () => {
    const found = await outcome(
      lay('two', {
        [`week-1/${NAME}.000`]: BASE,
        'week-2/CATALOG.031': listOf({ [`${NAME}.001`]: FIRST }),
        [`week-2/${NAME}.001`]: FIRST,
      }),
    );
    expect(found).toEqual({ cells: ['3.1'], problems: [] });
  });

  it('is checked only at the listed path if two files have the same name', async () => {
    const found = await outcome(
      lay('twice', {
        'CATALOG.031': listOf({ [`${NAME}.000`]: BASE }),
        [`${NAME}/${NAME}.000`]: BASE,
        [`old/${NAME}.000`]: changed(BASE),
      }),
    );
    expect(found.cells).toEqual(['3.0']);
    expect(codesOf(found)).toEqual(['other-content']);
  });
});
