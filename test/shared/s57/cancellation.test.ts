// What takes a cell out of force: an update of edition 0 (S-57 Appendix B.1, clause 5.7), and what does
// not.

import { expect, test } from 'vitest';
import { BUOY, change, featureOf, NAME, readSmall, smallCell, update } from './small-cell.ts';

const base = smallCell();
const codes = (result: ReturnType<typeof readSmall>) => result.problems.map(({ code }) => code);
const nothing = (number: number, dataSet = {}) => update(number, {}, dataSet);

test('a cell is cancelled though an update before the cancellation is refused', () => {
  const stranger = change({ ...featureOf(base, BUOY), id: 4711 }, {});
  const refused = update(1, { features: [stranger] });
  const cancellation = (number: number) => nothing(number, { edition: '0' });
  for (const chain of [
    [refused, cancellation(2)],
    [cancellation(5)],
    [refused, nothing(2), cancellation(9)],
  ]) {
    const result = readSmall(...chain);
    expect(result.cancelled, chain.map(({ dataSet }) => dataSet.name).join()).toBe(true);
    expect(result.cell).toBeUndefined();
  }
});

test('a cell is not cancelled by an update of another', () => {
  const result = readSmall(nothing(1, { edition: '0', name: 'ZL5OTHER.001' }));
  expect(result.cancelled).toBe(false);
  expect(result.cell).toBeDefined();
});

test('a cell is not cancelled by an update from before its base was issued', () => {
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

test('a cell ends where edition 0 cancels it', () => {
  const result = readSmall(nothing(1, { edition: '0' }));
  expect(result).toMatchObject({ name: NAME, cancelled: true });
  expect(result.cell).toBeUndefined();
});
