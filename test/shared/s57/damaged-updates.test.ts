// Updates and records that a few bytes of damage have turned into something else that can be read: they
// are refused or named, rather than that a light, its attributes or a whole chart go without a word.

import { describe, expect, test } from 'vitest';
import type { RawFeature, RawVector } from '../../../shared/s57/records/records.ts';
import { attributeByAcronym } from '../../../shared/s57/vocabulary/attributes.ts';
import {
  BUOY,
  CABLE,
  change,
  featureOf,
  readContents,
  readSmall,
  SOUNDINGS,
  smallCell,
  update,
  vectorOf,
} from './small-cell.ts';

const base = smallCell();
const buoy = featureOf(base, BUOY);
const place = vectorOf(base, BUOY);
const soundings = vectorOf(base, SOUNDINGS);
const codeOf = (acronym: string) => attributeByAcronym(acronym)!.code;
const codes = (result: ReturnType<typeof readSmall>) => result.problems.map(({ code }) => code);
const UNKNOWN = 434;

interface Changes {
  readonly features?: readonly RawFeature[];
  readonly vectors?: readonly RawVector[];
}

/** The cell without the update, and why. */
function refused(changes: Changes): string[] {
  const result = readSmall(update(1, changes));
  expect(result.cell!.header.update).toBe(0);
  expect(result.cell!.features).toEqual(readSmall().cell!.features);
  return codes(result);
}

test('an update is refused: where it deletes a feature and tells what the feature is', () => {
  const attributes = [{ code: codeOf('BOYSHP'), value: '4' }];
  expect(refused({ features: [change(buoy, { instruction: 2, attributes })] })).toContain(
    'strange-record',
  );
});

test('an update is refused: where it deletes a node that a feature still points to', () => {
  expect(refused({ vectors: [change(place, { instruction: 2 })] })).toEqual([
    'update-leaves-pointers',
  ]);
  const both = {
    vectors: [change(place, { instruction: 2 })],
    features: [change(buoy, { instruction: 2 })],
  };
  expect(readSmall(update(1, both)).cell!.header.update).toBe(1);
});

test('an update is refused: where it deletes a node and tells where the node is', () => {
  const moved = change(place, { instruction: 2, coordinates: Int32Array.of(600, 600) });
  expect(refused({ vectors: [moved] })).toContain('strange-record');
});

test('an update is refused: where it changes a record and calls it another object', () => {
  for (const other of [{ number: 999 }, { agency: 1 }, { subdivision: 7 }, { classCode: 19 }]) {
    const changed = change(buoy, {
      ...other,
      attributes: [{ code: codeOf('BOYSHP'), value: '4' }],
    });
    expect(refused({ features: [changed] })).toEqual(['update-identity-mismatch']);
  }
});

test('an update is refused: where it deletes the record of another object', () => {
  const { agency, number, subdivision } = featureOf(base, CABLE);
  const deleted = change(buoy, { instruction: 2, agency, number, subdivision });
  expect(refused({ features: [deleted] })).toEqual(['update-identity-mismatch']);
});

test('an update is refused: where it deletes an attribute that no table holds and the object has not', () => {
  const changed = change(buoy, { attributes: [{ code: UNKNOWN, value: undefined }] });
  expect(refused({ features: [changed] })).toEqual(['update-attribute-missing']);
});

test('an update is refused: where a node has several places, or a place and soundings of another kind of node', () => {
  const several = change(place, { coordinates: Int32Array.of(1, 1, 2, 2), dimensions: 2 });
  expect(refused({ vectors: [several] })).toContain('strange-record');
  const limit = base.vectors.find(({ name }) => name === 120)!;
  const deep = change(limit, { coordinates: Int32Array.of(1, 1, 30), dimensions: 3 });
  expect(refused({ vectors: [deep] })).toContain('strange-record');
  const flat = change(soundings, { coordinates: Int32Array.of(1, 1, 3, 3, 4, 4), dimensions: 2 });
  expect(refused({ vectors: [flat] })).toContain('strange-record');
});

test('an update is applied: where it deletes and names the object alone, or the record alone', () => {
  const nameless = { agency: 0, number: 0, subdivision: 0 };
  for (const named of [{}, nameless]) {
    const result = readSmall(
      update(1, {
        features: [change(buoy, { instruction: 2, ...named })],
        vectors: [change(place, { instruction: 2 })],
      }),
    );
    expect([result.cell!.header.update, codes(result)]).toEqual([1, []]);
    expect(result.cell!.features.some(({ id }) => id.number === BUOY)).toBe(false);
  }
});

test('an update is applied: where it deletes an attribute that is not there but might have been', () => {
  const attributes = [{ code: codeOf('HEIGHT'), value: undefined }];
  const result = readSmall(update(1, { features: [change(buoy, { attributes })] }));
  expect([result.cell!.header.update, codes(result)]).toEqual([1, []]);
});

test('edition 0: in an update that holds records of a chart takes no cell out of force', () => {
  const attributes = [{ code: codeOf('BOYSHP'), value: '4' }];
  const changes = { features: [change(buoy, { attributes })] };
  const result = readSmall(update(1, changes, { edition: '0' }));
  expect([result.cancelled, result.cell!.header.update]).toEqual([false, 0]);
  expect(codes(result)).toEqual(['update-edition-mismatch']);
});

test('edition 0: in an update that holds nothing else takes it out of force', () => {
  expect(readSmall(update(1, {}, { edition: '0' })).cancelled).toBe(true);
});

describe('texts', () => {
  const withText = (value: string) => ({
    ...base,
    features: base.features.map((feature) =>
      feature === buoy
        ? { ...buoy, attributes: [{ code: codeOf('OBJNAM'), value }, ...buoy.attributes.slice(1)] }
        : feature,
    ),
  });

  test.each(['North\x01\x00' + '2', '\0\0\0\0', 'a\x1db', '\x07'])(
    '%j is none, and the record is refused: another attribute is within it',
    (value) => {
      const result = readContents(withText(value.replace(/\0+$/, '\0x')));
      expect(result.cell).toBeUndefined();
      expect(codes(result)).toEqual(expect.arrayContaining(['strange-record', 'base-incomplete']));
    },
  );

  test.each(['Line one\r\nLine two', 'A\ttab', 'Ends with NUL\0\0', 'Caf\xe9', ''])(
    '%j is one',
    (value) => {
      const result = readContents(withText(value));
      expect(result.cell!.features.find(({ id }) => id.number === BUOY)!.attributes).toMatchObject({
        OBJNAM: value,
      });
      expect(codes(result)).toEqual([]);
    },
  );
});
