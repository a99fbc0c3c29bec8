// Files of one edition and update with different contents: which is used, and what is reported.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeFile, type FileContents } from '../../../shared/s57/write/encode-file.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { writeFiles } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { BUOY, change, featureOf, NAME, smallCell, update } from './small-cell.ts';

const BASE = encodeFile(smallCell());
const FIRST = encodeFile(update(1, {}));
const SECOND = encodeFile(update(2, {}));

const OBJNAM_CODE = 116;

const folder = scratchFolder();

type Files = Readonly<Record<string, Uint8Array>>;

const found = (files: Files) => {
  const root = mkdtempSync(join(folder, 'files-'));
  return findCells([writeFiles(root, new Map(Object.entries(files)))]);
};

const base = (issueDate: string, dataSet: Partial<FileContents['dataSet']> = {}) => {
  const contents = smallCell();
  const features = contents.features.map((feature) =>
    feature.number === BUOY
      ? { ...feature, attributes: [{ code: OBJNAM_CODE, value: 'New' }] }
      : feature,
  );
  return encodeFile({
    ...{ ...contents, features },
    dataSet: { ...contents.dataSet, issueDate, ...dataSet },
  });
};

const cutOff = (file: Uint8Array) => file.subarray(0, file.length - 20);
const counts = smallCell().dataSet.counts.map((count) => count + 1);
const first = (issueDate: string) => {
  const buoy = change(featureOf(smallCell(), BUOY), {
    attributes: [{ code: OBJNAM_CODE, value: 'New' }],
  });
  return encodeFile(update(1, { features: [buoy] }, { issueDate }));
};

/** The name of the buoy, the update of the cell, and the problems of its files. */
const named = async (files: Files) => {
  const { cells, problems } = await found(files);
  const { cell } = readCell(await loadCell(cells[0]!));
  const buoy = cell!.features.find(({ id }) => id.number === BUOY);
  return [
    ...[buoy!.attributes['OBJNAM'], cell!.header.update],
    ...problems.map((one) => `${one.code} ${one.severity}`),
  ];
};

const ORDERS = [
  ['a', 'b'],
  ['b', 'a'],
] as const;

test.each(ORDERS)(
  'findCells uses the base and the update that were issued last, in the order %s, %s',
  async (one, two) => {
    const bases = { [`${one}/${NAME}.000`]: BASE, [`${two}/${NAME}.000`]: base('20260601') };
    expect(await named(bases)).toEqual(['New', 0, 'other-content warning']);
    const updates = { [`${one}/${NAME}.001`]: FIRST, [`${two}/${NAME}.001`]: first('20260601') };
    const cell = { [`${NAME}.000`]: BASE, ...updates };
    expect(await named(cell)).toEqual(['New', 1, 'other-content warning']);
  },
);

test.each(ORDERS)(
  'findCells uses a complete file instead of an incomplete one that was issued later, in the order %s, %s',
  async (one, two) => {
    const files = { [`${one}/${NAME}.000`]: BASE };
    for (const other of [base('20260601', { counts }), cutOff(base('20260601'))]) {
      const bases = { ...files, [`${two}/${NAME}.000`]: other };
      expect(await named(bases)).toEqual(['Café', 0, 'damaged-file error']);
    }
    const updates = {
      [`${one}/${NAME}.001`]: first('20260201'),
      [`${two}/${NAME}.001`]: cutOff(first('20260601')),
      [`${NAME}.002`]: SECOND,
    };
    expect(await named({ ...files, ...updates })).toEqual(['New', 2, 'damaged-file error']);
  },
);

test('findCells keeps an incomplete file that was issued later, so that an upload of it is refused', async () => {
  const bases = { [`a/${NAME}.000`]: BASE, [`b/${NAME}.000`]: base('20260601', { counts }) };
  const { cells } = await found(bases);
  const origin = expect.stringContaining(join('b', NAME));
  expect(cells[0]!.others).toMatchObject([{ file: { origin }, edition: 3, update: 0 }]);
});

test('findCells uses the file that was issued last if all have wrong record counts', async () => {
  const bases = {
    [`a/${NAME}.000`]: base('20260301', { counts }),
    [`b/${NAME}.000`]: base('20260601', { counts }),
  };
  expect(await named(bases)).toEqual(['New', 0, 'other-content warning']);
});

test('findCells only warns of different updates that a re-issue contains', async () => {
  const { cells, problems } = await found({
    [`${NAME}.000`]: base('20260301', { update: '2' }),
    ...{ [`a/${NAME}.001`]: FIRST, [`b/${NAME}.001`]: first('20260201') },
  });
  expect(cells[0]!.others).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'other-content', severity: 'warning' }]);
});

test('findCells does not compare updates of a replaced edition', async () => {
  const [one, other] = [1, 2].map((day) =>
    encodeFile(update(1, {}, { edition: '2', issueDate: `2025010${day}` })),
  );
  const updates = { [`a/${NAME}.001`]: one!, [`b/${NAME}.001`]: other! };
  const { cells } = await found({ [`${NAME}.000`]: BASE, ...updates });
  expect(cells[0]!.others).toBeUndefined();
});

test('findCells reports an error if both files were issued on one day', async () => {
  const bases = { [`a/${NAME}.000`]: BASE, [`b/${NAME}.000`]: base('20260101') };
  expect(await named(bases)).toEqual(['Café', 0, 'other-content error']);
});
