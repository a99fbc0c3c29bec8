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

test('soundings that are read as places are no soundings: the cell is not used', () => {
  const { cell, problems } = readCell({
    name: NAME,
    base: changed(base!, 'SG3D', 'SG2D'),
    updates: [],
  });
  expect(cell).toBeUndefined();
  expect(problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['strange-record', 'base-incomplete']),
  );
});

test('bytes that belong to no field were a field’s: the cell is not used', () => {
  // A length within the directory of the last edge: fewer of its places would be read.
  const bytes = Buffer.from(base!.bytes);
  const at = bytes.lastIndexOf(Buffer.from('SG2D', 'latin1'));
  const whole = Number(bytes.toString('latin1', at + 4, at + 6));
  expect(whole).toBeGreaterThan(8);
  bytes.write(String(whole - 8).padStart(2, '0'), at + 4, 'latin1');
  const file = { ...base!, bytes: new Uint8Array(bytes) };
  const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
  expect(cell).toBeUndefined();
  expect(problems.map(({ code }) => code)).toContain('broken-directory');
});

test('a pointer whose comment has lost its end, and holds the next pointer, is refused', () => {
  const bytes = Buffer.from(base!.bytes);
  const found: number[] = [];
  // Two pointers of nine bytes, each with an empty comment, which is its terminator alone.
  for (let at = 2000; at + 20 < bytes.length; at++) {
    const [first, second] = [bytes.subarray(at, at + 10), bytes.subarray(at + 10, at + 20)];
    const isPointer = (of: Buffer) =>
      of[8] === 2 && of[9] === 0x1f && of.readUInt16LE(0) === 65_534;
    if (isPointer(first) && isPointer(second)) found.push(at + 9);
  }
  expect(found.length).toBeGreaterThan(0);
  bytes[found[0]!] = 'w'.charCodeAt(0);
  const file = { ...base!, bytes: new Uint8Array(bytes) };
  const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
  expect(cell).toBeUndefined();
  expect(problems.map(({ code }) => code)).toContain('strange-record');
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
