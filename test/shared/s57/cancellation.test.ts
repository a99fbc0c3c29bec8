// Updates of edition 0, which cancel a cell (S-57 Appendix B.1, clause 5.7).

import { describe, expect, it, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { readContents } from '../../support/harbour-plan.ts';
import { BUOY, change, featureOf, NAME, readSmall, smallCell, update } from './small-cell.ts';

const base = smallCell();
const codes = (result: ReturnType<typeof readSmall>) => result.problems.map(({ code }) => code);
const nothing = (number: number, dataSet = {}) => update(number, {}, dataSet);

test('a cell is cancelled, even if an earlier update is absent or rejected', () => {
  const stranger = change({ ...featureOf(base, BUOY), id: 4711 }, {});
  const refused = update(1, { features: [stranger] });
  const cancellation = (number: number) => nothing(number, { edition: '0' });
  for (const chain of [
    [cancellation(1)],
    [refused, cancellation(2)],
    [cancellation(5)],
    [refused, nothing(2), cancellation(9)],
  ]) {
    const result = readSmall(...chain);
    expect(result.cancelled, chain.map(({ dataSet }) => dataSet.name).join()).toBe(true);
    expect(result.cell).toBeUndefined();
  }
});

test('a cell is cancelled by a file with a line end after its last record', () => {
  const bytes = Buffer.concat([encodeFile(nothing(1, { edition: '0' })), Buffer.from('\r\n')]);
  const files = {
    name: NAME,
    base: { name: `${NAME}.000`, bytes: encodeFile(base) },
    updates: [{ name: `${NAME}.001`, bytes: new Uint8Array(bytes) }],
  };
  expect(readCell(files)).toMatchObject({ cancelled: true, problems: [] });
});

test.each([` ${NAME}.001`, `ENC_ROOT\\${NAME}.001`, `ENC_ROOT/${NAME}/${NAME}.001`])(
  'a cell is cancelled by an update whose name has a path or blanks: %j',
  (name) => {
    expect(readSmall(nothing(1, { edition: '0', name })).cancelled).toBe(true);
  },
);

test('a cell is not cancelled by an update of another cell', () => {
  const result = readSmall(nothing(1, { edition: '0', name: 'ZL5OTHER.001' }));
  expect(result.cancelled).toBe(false);
  expect(result.cell).toBeDefined();
});

test('a cell is not cancelled by an update issued before its base', () => {
  const issued = base.dataSet!.issueDate;
  expect(issued).toMatch(/^\d{8}$/);
  const leftover = (day: string) => nothing(7, { edition: '0', issueDate: day });
  const before = `${Number(issued.slice(0, 4)) - 1}${issued.slice(4)}`;
  const result = readSmall(nothing(1), leftover(before));
  expect([result.cancelled, codes(result)]).toEqual([false, ['cancellation-outdated']]);
  expect(result.cell?.header.update).toBe(1);
  expect(readSmall(nothing(1), leftover(issued)).cancelled).toBe(true);
  expect(readSmall(nothing(1), leftover('00000000')).cancelled).toBe(true);
});

describe('a cancellation that was issued before the base', () => {
  const old = (number: number) => nothing(number, { edition: '0', issueDate: '20060104' });
  const stranger = change({ ...featureOf(base, BUOY), id: 4711 }, {});

  it('withdraws the cell with a warning if it is the next update', () => {
    const result = readSmall(old(1));
    expect(result.cancelled).toBe(true);
    expect(result.problems).toMatchObject([
      { code: 'cancellation-predates-base', severity: 'warning' },
    ]);
  });

  it('leaves the cell in force if it was issued before the last update', () => {
    for (const chain of [
      [nothing(1), old(2)],
      [nothing(2), nothing(1), old(3)],
    ]) {
      const result = readSmall(...chain);
      expect([result.cancelled, codes(result)]).toEqual([false, ['cancellation-outdated']]);
    }
    const undated = nothing(1, { issueDate: '00000000' });
    expect(readSmall(undated, old(2)).cancelled).toBe(true);
  });

  it('withdraws the cell if it follows a rejected update', () => {
    const result = readSmall(update(1, { features: [stranger] }), nothing(2), old(3));
    expect(result.cancelled).toBe(true);
    expect(codes(result)).toEqual(['update-target-missing', 'cancellation-predates-base']);
  });

  it('leaves the cell in force if updates before it are absent, or the base contains its number', () => {
    expect(readSmall(nothing(1), old(3)).cancelled).toBe(false);
    const reissue = { ...base, dataSet: { ...base.dataSet!, update: '4' } };
    const result = readContents(reissue, old(3));
    expect([result.cancelled, codes(result)]).toEqual([false, ['cancellation-outdated']]);
    expect(readContents(reissue, old(5)).cancelled).toBe(true);
  });
});
