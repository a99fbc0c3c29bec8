// Records that were damaged into something else: a chart is not used, or an update not applied, rather
// than that a wreck or a field of soundings is missing without a word.

import { expect, test } from 'vitest';
import { type CellFile, readCell } from '../../../shared/s57/read/read-cell.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';

const NAME = 'ZL5WICKE';
const [base, ...updates] = demoFiles(DEMO_CELLS.find(({ name }) => name === NAME)!);

/** The file with the last occurrence of a text changed, which stands in a record's directory. */
function changed(file: CellFile, from: string, to: string): CellFile {
  const bytes = Buffer.from(file.bytes);
  // The first is the file's description of its fields.
  const at = bytes.lastIndexOf(Buffer.from(from, 'latin1'));
  expect(at).toBeGreaterThan(2000);
  bytes.write(to, at, 'latin1');
  return { ...file, bytes: new Uint8Array(bytes) };
}

test.each([
  ['a feature whose tag is damaged', 'FRID', 'FRIE'],
  ['a feature whose identity is damaged', 'FOID', 'FOI\x00'],
  ['attributes in a field that is none', 'ATTF', 'ATTG'],
  ['attributes in a field that is there already', 'ATTF', 'FOID'],
  ['coordinates in a field of features', 'SG2D', 'FSPT'],
  ['soundings in a field of attributes', 'SG3D', 'ATTF'],
  ['an edge whose tag is damaged', 'VRID', 'VRIT'],
])('%s in a base cell: the cell is not used, and why is said', (_, from, to) => {
  const { cell, problems } = readCell({ name: NAME, base: changed(base!, from, to), updates: [] });
  expect(cell).toBeUndefined();
  expect(problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['strange-record', 'base-incomplete']),
  );
});

test('soundings in a field of pointers are named as a point without a place', () => {
  const files = { name: NAME, base: changed(base!, 'SG3D', 'VRPT'), updates: [] };
  const codes = readCell(files).problems.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
});

test('soundings of an update in a field that is none: the update is not applied, and why is said', () => {
  const second = updates[1]!;
  const whole = readCell({ name: NAME, base: base!, updates });
  expect([whole.cell!.header.update, whole.problems]).toEqual([2, []]);
  const files = [updates[0]!, changed(second, 'SG3D', 'FSPT')];
  const { cell, problems } = readCell({ name: NAME, base: base!, updates: files });
  expect(cell!.header.update).toBe(1);
  expect(problems.map(({ code }) => code)).toContain('strange-record');
});

test('records of history, accuracy and dictionaries are no part of a chart and do no harm', () => {
  const whole = readCell({ name: NAME, base: base!, updates: [] });
  const before = whole.cell!.features.length;
  // A record of its own, made of the first: DSID as DDDF.
  const bytes = Buffer.from(base!.bytes);
  const length = (at: number) => Number(bytes.toString('latin1', at, at + 5));
  const second = length(0);
  const record = Buffer.from(bytes.subarray(second, second + length(second)));
  record.write('DDDF', record.indexOf('DSID'), 'latin1');
  const longer = Buffer.concat([bytes, record]);
  const file = { ...base!, bytes: new Uint8Array(longer) };
  const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
  expect([cell!.features.length, problems]).toEqual([before, []]);
});
