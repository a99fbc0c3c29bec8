// Updates and records that damage has turned into other readable records: they are rejected or reported,
// so that no light, attribute or chart is lost silently.

import { describe, expect, it, test } from 'vitest';
import { chainsOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import type { CellFile } from '../../../shared/s57/read/cell-files.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import type { RawFeature, RawVector } from '../../../shared/s57/records/records.ts';
import { attributeByAcronym } from '../../../shared/s57/vocabulary/attributes.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { recordCounts } from '../../../shared/s57/write/record-counts.ts';
import { readContents } from '../../support/harbour-plan.ts';
import {
  BUOY,
  CABLE,
  change,
  featureOf,
  NAME,
  readSmall,
  SOUNDINGS,
  smallCell,
  update,
  vectorOf,
  WATER,
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

/** Expects that the update is rejected; returns the codes of the problems. */
function refused(changes: Changes): string[] {
  const result = readSmall(update(1, changes));
  expect(result.cell!.header.update).toBe(0);
  expect(result.cell!.features).toEqual(readSmall().cell!.features);
  return codes(result);
}

describe('an update', () => {
  it('is rejected if it deletes a feature and states its attributes', () => {
    const attributes = [{ code: codeOf('BOYSHP'), value: '4' }];
    expect(refused({ features: [change(buoy, { instruction: 2, attributes })] })).toContain(
      'strange-record',
    );
  });

  it('is rejected if it deletes a node that a feature refers to', () => {
    expect(refused({ vectors: [change(place, { instruction: 2 })] })).toEqual([
      'update-leaves-pointers',
    ]);
    const both = {
      vectors: [change(place, { instruction: 2 })],
      features: [change(buoy, { instruction: 2 })],
    };
    expect(readSmall(update(1, both)).cell!.header.update).toBe(1);
  });

  it('is rejected if a feature or an edge gets a pointer to a missing record', () => {
    const replaced = { instruction: 3, index: 1, count: 1 } as const;
    const water = featureOf(base, WATER);
    const spatial = [{ ...water.spatial[0]!, id: 4711 }];
    const lost = change(water, { spatial, spatialControl: replaced });
    expect(refused({ features: [lost] })).toEqual(['update-dangling']);
    const edge = vectorOf(base, CABLE);
    const pointers = [{ ...edge.pointers[0]!, id: 4711 }];
    const loose = change(edge, { pointers, pointerControl: replaced });
    expect(refused({ vectors: [loose] })).toEqual(['update-dangling']);
  });

  it('is applied if a feature has a pointer to a missing record already', () => {
    const spatial = [{ ...buoy.spatial[0]!, id: 4711 }];
    const features = base.features.map((one) => (one === buoy ? { ...buoy, spatial } : one));
    const attributes = [{ code: codeOf('BOYSHP'), value: '4' }];
    const twice = change(buoy, {
      ...{ attributes, spatial },
      spatialControl: { instruction: 1, index: 2, count: 1 },
    });
    const result = readContents({ ...base, features }, update(1, { features: [twice] }));
    expect(result.cell!.header.update).toBe(1);
  });

  it('that leaves a gap in the skin is applied with an error', () => {
    const gone = change(featureOf(base, WATER), { instruction: 2 });
    const mismatch = { code: 'skin-mismatch', severity: 'error' };
    const result = readSmall(update(1, { features: [gone] }));
    expect([result.cell!.header.update, result.problems]).toMatchObject([1, [mismatch]]);
    // A gap in the base is a warning.
    const features = base.features.filter(({ number }) => number !== WATER);
    const counts = recordCounts(base.vectors, features);
    const bare = { ...base, features, dataSet: { ...base.dataSet, counts } };
    for (const updates of [[], [update(1, {})]]) {
      expect(readContents(bare, ...updates).problems).toMatchObject([
        { ...mismatch, severity: 'warning' },
      ]);
    }
  });

  it('is rejected if it deletes a node and states its position', () => {
    const moved = change(place, { instruction: 2, coordinates: Int32Array.of(600, 600) });
    expect(refused({ vectors: [moved] })).toContain('strange-record');
  });

  it('is rejected if it changes a record under the identity of another object', () => {
    for (const other of [
      { number: 999 },
      { agency: 1 },
      { subdivision: 7 },
      { classCode: 19 },
      { primitive: 3 },
    ]) {
      const changed = change(buoy, {
        ...other,
        attributes: [{ code: codeOf('BOYSHP'), value: '4' }],
      });
      expect(refused({ features: [changed] })).toEqual(['update-identity-mismatch']);
    }
  });

  it('is rejected if it deletes the record of another object', () => {
    const { agency, number, subdivision } = featureOf(base, CABLE);
    const deleted = change(buoy, { instruction: 2, agency, number, subdivision });
    expect(refused({ features: [deleted] })).toEqual(['update-identity-mismatch']);
  });

  it('is rejected if it deletes an unknown attribute that the object does not have', () => {
    const changed = change(buoy, { attributes: [{ code: UNKNOWN, value: undefined }] });
    expect(refused({ features: [changed] })).toEqual(['update-attribute-missing']);
  });

  it('is rejected if a node has several positions, or those of another kind of node', () => {
    const several = change(place, { coordinates: Int32Array.of(1, 1, 2, 2), dimensions: 2 });
    expect(refused({ vectors: [several] })).toContain('strange-record');
    const limit = base.vectors.find(({ name }) => name === 120)!;
    const deep = change(limit, { coordinates: Int32Array.of(1, 1, 30), dimensions: 3 });
    expect(refused({ vectors: [deep] })).toContain('strange-record');
    const flat = change(soundings, { coordinates: Int32Array.of(1, 1, 3, 3, 4, 4), dimensions: 2 });
    expect(refused({ vectors: [flat] })).toContain('strange-record');
  });

  it('is rejected if it adds soundings to a position, or a second position', () => {
    const control = (index: number, count: number) =>
      ({ instruction: 1, index, count }) as const satisfies RawVector['coordinateControl'];
    const deep = change(place, {
      coordinates: Int32Array.of(5, 5, 6, 100, 100, 6),
      coordinateControl: control(1, 3),
      dimensions: 3,
    });
    expect(refused({ vectors: [deep] })).toEqual(['update-conflict']);
    const second = change(place, {
      coordinates: Int32Array.of(900, 900),
      coordinateControl: control(1, 1),
      dimensions: 2,
    });
    expect(refused({ vectors: [second] })).toEqual(['update-conflict']);
  });

  it('is applied if it deletes with or without the identity of the object', () => {
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

  it('is applied if it deletes a known attribute that the object does not have', () => {
    const attributes = [{ code: codeOf('HEIGHT'), value: undefined }];
    const result = readSmall(update(1, { features: [change(buoy, { attributes })] }));
    expect([result.cell!.header.update, codes(result)]).toEqual([1, []]);
  });
});

describe('a damaged update', () => {
  const reissue = encodeFile({ ...base, dataSet: { ...base.dataSet, update: '5' } });
  const fileOf = (number: number, bytes = encodeFile(update(number, {}))) => ({
    name: `${NAME}.00${number}`,
    bytes,
  });
  const truncated = (number: number, edition = '3') => {
    const bytes = encodeFile(update(number, { features: [change(buoy, {})] }, { edition }));
    return bytes.subarray(0, bytes.length - 20);
  };
  const empty = fileOf(3, new Uint8Array(0));
  const outcome = (damaged: CellFile, ...others: readonly CellFile[]) => {
    const file = fileOf(0, reissue);
    const { cell, problems } = readCell({ name: NAME, base: file, updates: [damaged, ...others] });
    return [cell!.header.update, problems.map(({ code, severity }) => `${code} ${severity}`)];
  };

  test.each<[string, CellFile]>([
    ['truncated', fileOf(3, truncated(3))],
    ['unreadable', { ...empty, unreadable: 'the entry of the zip is damaged' }],
    ['empty', empty],
  ])('that a re-issue contains is ignored with a warning: %s', (_, damaged) => {
    expect(outcome(damaged, fileOf(6))).toEqual([6, ['update-duplicate warning']]);
  });

  test.each<[string, CellFile]>([
    ['its name', fileOf(6, new Uint8Array(0))],
    ['its content', fileOf(3, truncated(6))],
    ['its edition', fileOf(3, truncated(3, '4'))],
  ])('that the cell may lack ends the sequence, by %s', (_, damaged) => {
    const [number, found] = outcome(damaged, fileOf(7));
    expect(number).toBe(5);
    expect(found).toContainEqual(expect.stringMatching(/^update-(unreadable|truncated) error$/));
  });
});

describe('an update of an edge', () => {
  const edge = vectorOf(base, CABLE);
  const path = (result: ReturnType<typeof readSmall>) => {
    const cable = result.cell!.features.find(({ id }) => id.number === CABLE)!;
    return chainsOf(result.cell!, cable).map((chain) =>
      Array.from(positionsOf(chain), (degrees) => Math.round(degrees * 1e7)),
    );
  };

  it('that deletes the begin leaves the edge without one', () => {
    const headless = change(edge, { pointerControl: { instruction: 2, index: 1, count: 1 } });
    const result = readSmall(update(1, { vectors: [headless] }));
    expect(codes(result)).toEqual(['dangling-node']);
    expect(path(result)).toEqual([[200, 150, 300, 100]]);
  });

  it('is applied in little time if the edge has many positions and many changes', () => {
    const long = { ...edge, coordinates: new Int32Array(400_000).fill(150) };
    const vectors = base.vectors.map((vector) => (vector === edge ? long : vector));
    const changes = Array.from({ length: 100 }, (_, i) => ({
      ...change(edge, {
        coordinateControl: { instruction: 3, index: 1, count: 1 },
        coordinates: Int32Array.of(120, 150 + i),
        dimensions: 2,
      }),
      version: edge.version + 1 + i,
    }));
    const start = performance.now();
    const result = readContents({ ...base, vectors }, update(1, { vectors: changes }));
    expect(performance.now() - start).toBeLessThan(5000);
    expect(path(result)[0]!.slice(0, 6)).toEqual([100, 100, 249, 120, 150, 150]);
  });
});

test('an update of edition 0 with records does not cancel the cell', () => {
  const attributes = [{ code: codeOf('BOYSHP'), value: '4' }];
  const changes = { features: [change(buoy, { attributes })] };
  const result = readSmall(update(1, changes, { edition: '0' }));
  expect([result.cancelled, result.cell!.header.update]).toEqual([false, 0]);
  expect(codes(result)).toEqual(['update-edition-mismatch']);
});

test('an update of edition 0 without records cancels the cell', () => {
  expect(readSmall(update(1, {}, { edition: '0' })).cancelled).toBe(true);
});

describe('a text', () => {
  const withText = (value: string) => ({
    ...base,
    features: base.features.map((feature) =>
      feature === buoy
        ? { ...buoy, attributes: [{ code: codeOf('OBJNAM'), value }, ...buoy.attributes.slice(1)] }
        : feature,
    ),
  });

  test.each(['North\x01\x00' + '2', '\0\0\0\0', 'a\x06b', '\x07'])(
    'with the characters of another attribute is rejected with its record: %j',
    (value) => {
      const result = readContents(withText(value.replace(/\0+$/, '\0x')));
      expect(result.cell).toBeUndefined();
      expect(codes(result)).toEqual(expect.arrayContaining(['strange-record', 'base-incomplete']));
    },
  );

  test.each(['Line one\r\nLine two', 'A\ttab', 'Ends with NUL\0\0', 'Caf\xe9', ''])(
    'is accepted: %j',
    (value) => {
      const result = readContents(withText(value));
      expect(result.cell!.features.find(({ id }) => id.number === BUOY)!.attributes).toMatchObject({
        OBJNAM: value.replace(/\0+$/, ''),
      });
      expect(codes(result)).toEqual([]);
    },
  );
});
