// Records that damage has turned into others: the chart or the update is rejected, so that no wreck or
// sounding is lost silently.

import { describe, expect, test } from 'vitest';
import type { CellFile } from '../../../shared/s57/read/cell-files.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';
import { BUOY, featureOf, smallCell, vectorOf } from './small-cell.ts';

const NAME = 'ZL5WICKE';
const [base, ...updates] = demoFiles(DEMO_CELLS.find(({ name }) => name === NAME)!);

/** The file with a changed last occurrence of a tag, which is in the directory of a record. */
function changed(file: CellFile, from: string, to: string): CellFile {
  const bytes = Buffer.from(file.bytes);
  // Earlier occurrences describe the fields of the file.
  const at = bytes.lastIndexOf(Buffer.from(from, 'latin1'));
  expect(at).toBeGreaterThan(2000);
  bytes.write(to, at, 'latin1');
  return { ...file, bytes: new Uint8Array(bytes) };
}

test.each([
  ['a feature whose tag is damaged', 'FRID', 'FRIE'],
  ['a feature whose identity is damaged', 'FOID', 'FOI\x00'],
  ['attributes in an unknown field', 'ATTF', 'ATTG'],
  ['attributes in a repeated field', 'ATTF', 'FOID'],
  ['coordinates in a field of features', 'SG2D', 'FSPT'],
  ['soundings in a field of attributes', 'SG3D', 'ATTF'],
  ['soundings in a field of positions', 'SG3D', 'SG2D'],
  ['an edge whose tag is damaged', 'VRID', 'VRIT'],
])('readCell rejects a base with %s, with the reason', (_, from, to) => {
  const { cell, problems } = readCell({ name: NAME, base: changed(base!, from, to), updates: [] });
  expect(cell).toBeUndefined();
  expect(problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['strange-record', 'base-incomplete']),
  );
});

test('readCell names the first record that it cannot read', () => {
  const buoy = featureOf(smallCell(), BUOY);
  const features = smallCell().features.map((one) =>
    one.id === buoy.id ? { ...one, attributes: [{ code: 116, value: 'a\x01b' }] } : one,
  );
  const bytes = encodeFile({ ...smallCell(), features });
  const file = { name: 'ZL5SMALL.000', bytes };
  const { problems } = readCell({ name: 'ZL5SMALL', base: file, updates: [] });
  expect(problems[0]!.message).toContain(`(first: record 100/${buoy.id})`);
});

test('readCell rejects a base with bytes outside of all fields', () => {
  // A shorter length in the directory of the last edge, so that some positions would not be read.
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

test('readCell rejects a pointer whose comment lost its terminator and contains the next pointer', () => {
  const bytes = Buffer.from(base!.bytes);
  const found: number[] = [];
  // Two pointers of nine bytes, each with an empty comment, which is only a terminator.
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

test('readCell reports soundings in a field of pointers', () => {
  const files = { name: NAME, base: changed(base!, 'SG3D', 'VRPT'), updates: [] };
  const codes = readCell(files).problems.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(0);
});

test('readCell rejects an update with soundings in a wrong field, with the reason', () => {
  const second = updates[1]!;
  const whole = readCell({ name: NAME, base: base!, updates });
  expect([whole.cell!.header.update, whole.problems]).toEqual([2, []]);
  const files = [updates[0]!, changed(second, 'SG3D', 'FSPT')];
  const { cell, problems } = readCell({ name: NAME, base: base!, updates: files });
  expect(cell!.header.update).toBe(1);
  expect(problems.map(({ code }) => code)).toContain('strange-record');
});

describe('readCell rejects a base', () => {
  const small = smallCell();
  const codesOf = (bytes: Uint8Array) => {
    const file = { name: 'ZL5SMALL.000', bytes };
    const { cell, problems } = readCell({ name: 'ZL5SMALL', base: file, updates: [] });
    expect(cell).toBeUndefined();
    return problems.map(({ code }) => code);
  };

  test('in which an object has the record id of another', () => {
    const wreck = { ...featureOf(small, BUOY), number: 900 };
    const codes = codesOf(encodeFile({ ...small, features: [...small.features, wreck] }));
    expect(codes).toEqual(expect.arrayContaining(['repeated-record', 'base-incomplete']));
  });

  test('in which a node has the record id of another', () => {
    const other = { ...vectorOf(small, BUOY), coordinates: Int32Array.of(700, 700) };
    const codes = codesOf(encodeFile({ ...small, vectors: [other, ...small.vectors] }));
    expect(codes).toEqual(expect.arrayContaining(['repeated-record', 'base-incomplete']));
  });

  test.each(['DSID', 'DSPM'])('with a second %s record', (tag) => {
    const bytes = Buffer.from(encodeFile(small));
    const length = (at: number) => Number(bytes.toString('latin1', at, at + 5));
    let at = length(0);
    const has = () => bytes.subarray(at, at + length(at)).includes(tag);
    while (!has()) at += length(at);
    const record = bytes.subarray(at, at + length(at));
    expect(codesOf(new Uint8Array(Buffer.concat([bytes, record])))).toEqual([
      'strange-record',
      'base-incomplete',
    ]);
  });
});

test.each(['\n', '\r\n', '\t', '\x1a\r\n', '\0'])(
  'readCell ignores white space after the last record: %j',
  (padding) => {
    const bytes = new Uint8Array(Buffer.concat([base!.bytes, Buffer.from(padding)]));
    const { cell, problems } = readCell({ name: NAME, base: { ...base!, bytes }, updates: [] });
    expect([cell!.header.name, problems]).toEqual([NAME, []]);
  },
);

test.each(['CATX', 'DDDF', 'DDDI'])('readCell ignores a record that begins with %s', (tag) => {
  const whole = readCell({ name: NAME, base: base!, updates: [] });
  const before = whole.cell!.features.length;
  // A copy of the first record with another tag than DSID.
  const bytes = Buffer.from(base!.bytes);
  const length = (at: number) => Number(bytes.toString('latin1', at, at + 5));
  const second = length(0);
  const record = Buffer.from(bytes.subarray(second, second + length(second)));
  record.write(tag, record.indexOf('DSID'), 'latin1');
  const longer = Buffer.concat([bytes, record]);
  const file = { ...base!, bytes: new Uint8Array(longer) };
  const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
  expect([cell!.features.length, problems]).toEqual([before, []]);
});
