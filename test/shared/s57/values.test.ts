// Texts at the three lexical levels, and the units of coordinates, depths and heights.

import { describe, expect, test } from 'vitest';
import { nodesOf, pointOf } from '../../../shared/s57/cell/geometry.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { objectClassByAcronym } from '../../../shared/s57/vocabulary/object-classes.ts';
import { listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { rawAttributes } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile, type FileContents } from '../../../shared/s57/write/encode-file.ts';
import { readContents } from '../../support/harbour-plan.ts';
import { BUOY, CABLE, NAME, SOUNDINGS, smallCell, vectorOf, WATER } from './small-cell.ts';

const DRVAL1 = 87;
const base = smallCell();
const read = (contents: FileContents) => {
  const { cell, problems } = readContents(contents);
  expect(problems).toEqual([]);
  const named = (number: number) => cell!.features.find(({ id }) => id.number === number)!;
  return { cell: cell!, named };
};
const withParameters = (parameters: Partial<FileContents['parameters']>) =>
  read({ ...base, parameters: { ...base.parameters!, ...parameters } });

test('readCell decodes texts of level 1 with accents', () => {
  expect(read(base).named(BUOY).attributes['OBJNAM']).toBe('Café');
});

test('readCell decodes texts of level 2 in NATF', () => {
  expect(read(base).named(CABLE).attributes['NOBJNM']).toBe('Кабель');
});

test('readCell decodes texts of level 2 in ATTF whose bytes look like terminators', () => {
  const name = '灯台 ☼ ā\u0e1f\u0e1e';
  const features = base.features.map((feature) =>
    feature.number === BUOY ? { ...feature, attributes: rawAttributes({ OBJNAM: name }) } : feature,
  );
  const dataSet = { ...base.dataSet, attributeLevel: 2 } as const;
  expect(read({ ...base, dataSet, features }).named(BUOY).attributes['OBJNAM']).toBe(name);
});

describe('texts of level 2 in big-endian order', () => {
  const name = '\ufeffŁódź';
  const swapped = (text: string) =>
    Array.from(text, (character) => {
      const unit = character.charCodeAt(0);
      return String.fromCharCode(((unit & 0xff) << 8) | (unit >> 8));
    }).join('');

  test.each([
    ['little-endian', ''],
    ['big-endian', '\u1f00'],
  ])('are decoded if their terminators are %s', (_, terminator) => {
    const values = rawAttributes({ OBJNAM: swapped(name), INFORM: 'Next' });
    const file = Buffer.from(
      encodeFile({
        ...base,
        dataSet: { ...base.dataSet, attributeLevel: 2 },
        features: base.features.map((feature) =>
          feature.number === BUOY ? { ...feature, attributes: values } : feature,
        ),
      }),
    );
    const written = Buffer.from(`${swapped(name)}\x1f`, 'utf16le');
    const at = file.indexOf(written);
    expect(at).toBeGreaterThan(0);
    if (terminator !== '') file.write(terminator, at + written.length - 2, 'utf16le');
    const bytes = new Uint8Array(file);
    const { cell, problems } = readCell({
      name: NAME,
      base: { name: `${NAME}.000`, bytes },
      updates: [],
    });
    expect(problems).toEqual([]);
    expect(cell!.features.find(({ id }) => id.number === BUOY)!.attributes).toEqual({
      OBJNAM: 'Łódź',
      INFORM: 'Next',
    });
  });
});

test('readCell returns numbers, lists and texts according to the attribute', () => {
  expect(read(base).named(BUOY).attributes).toEqual({
    OBJNAM: 'Café',
    COLOUR: [3, 4],
    BOYSHP: 2,
  });
});

test('readCell keeps values of unknown attributes under their code', () => {
  const features = base.features.map((feature) =>
    feature.number === BUOY ? { ...feature, attributes: [{ code: 54_321, value: 'x' }] } : feature,
  );
  const { cell, problems } = readContents({ ...base, features });
  expect(cell!.features.find(({ id }) => id.number === BUOY)!.attributes).toEqual({ $54321: 'x' });
  expect(problems.map(({ code }) => code)).toEqual(['unknown-attribute']);
});

test('readCell reads a number before NUL, and reports a number that cannot be read', () => {
  const withDepth = (value: string) => {
    const features = base.features.map((feature) =>
      feature.number === WATER
        ? { ...feature, attributes: [{ code: DRVAL1, value }, ...rawAttributes({ DRVAL2: 9 })] }
        : feature,
    );
    const { cell, problems } = readContents({ ...base, features });
    const { attributes } = cell!.features.find(({ id }) => id.number === WATER)!;
    return [attributes['DRVAL1'], problems.map(({ code, severity }) => `${code} ${severity}`)];
  };
  expect(withDepth('5.5\0\0')).toEqual([5.5, []]);
  expect(withDepth('5,5')).toEqual(['5,5', ['malformed-number warning']]);
});

test('readCell reads blank values as unknown, and removes NUL after a text', () => {
  const attributes = rawAttributes({ OBJNAM: 'Foo\0', INFORM: '\0', ORIENT: '   ', COLOUR: ' ' });
  const features = base.features.map((feature) =>
    feature.number === BUOY ? { ...feature, attributes } : feature,
  );
  const read = readContents({ ...base, features }).cell!.features;
  expect(read.find(({ id }) => id.number === BUOY)!.attributes).toEqual({
    OBJNAM: 'Foo',
    INFORM: '',
    ORIENT: '',
    COLOUR: '',
  });
});

test('readCell removes control characters from texts, and reads those of Windows-1252', () => {
  const attributes = rawAttributes({
    OBJNAM: 'Pier\x101\x1d\x08\x81x\x7f',
    INFORM: 'a\tb\r\nc \x93d\x94',
  });
  const features = base.features.map((feature) =>
    feature.number === BUOY ? { ...feature, attributes } : feature,
  );
  expect(read({ ...base, features }).named(BUOY).attributes).toEqual({
    OBJNAM: 'Pier 1   x ',
    INFORM: 'a\tb\r\nc “d”',
  });
});

test('a blank value is no number, and a blank part of a list is no code', () => {
  expect(
    ['', '  ', ['  '], [' ', 4]].map((value) => numberOf({ VALSOU: value }, 'VALSOU')),
  ).toEqual(Array(4).fill(undefined));
  expect([' ', '3,', ['3', ' ', 4]].map((value) => listOf({ COLOUR: value }, 'COLOUR'))).toEqual([
    [],
    [3],
    [3, 4],
  ]);
});

test('readCell refuses a feature that uses an edge again and again', () => {
  const features = base.features.map((feature) => {
    const [pointer] = feature.spatial ?? [];
    if (feature.number !== WATER || pointer === undefined) return feature;
    return { ...feature, spatial: Array.from({ length: 2000 }, () => pointer) };
  });
  const { cell, problems } = readContents({ ...base, features });
  expect(cell).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'repeated-edges', severity: 'error' }]);
});

describe('units', () => {
  test('of coordinates follow COMF', () => {
    const { cell, named } = withParameters({ coordinateFactor: 1_000_000 });
    expect(pointOf(cell, named(BUOY))).toMatchObject({ longitude: 500e-6, latitude: 500e-6 });
  });

  test('of soundings follow SOMF and the depth unit', () => {
    const { cell, named } = withParameters({ soundingFactor: 100, depthUnit: 3 });
    const [node] = nodesOf(cell, named(SOUNDINGS));
    expect(node!.depths![0]).toBeCloseTo(0.55 * 0.3048, 10);
  });

  test('of depths in attributes are converted to metres', () => {
    const { named } = withParameters({ depthUnit: 2 });
    expect(named(WATER).attributes['DRVAL1']).toBeCloseTo(5 * 1.8288, 10);
  });

  test('of attributes are converted without an error of floating-point numbers', () => {
    const features = base.features.map((feature) =>
      feature.number === WATER
        ? { ...feature, attributes: [{ code: DRVAL1, value: '11' }] }
        : feature,
    );
    const { named } = read({
      ...base,
      features,
      parameters: { ...base.parameters!, depthUnit: 3 },
    });
    expect(named(WATER).attributes['DRVAL1']).toBe(3.3528);
  });

  test.each([
    [0, 3],
    [1, 3],
    [2, 333_360],
    [3, 0.003],
    [4, 0.9144],
    [5, 555.6],
  ])('of accuracies of positions follow PUNI %d', (accuracyUnit, meters) => {
    const vectors = base.vectors.map((vector) =>
      vector === vectorOf(base, BUOY)
        ? { ...vector, attributes: rawAttributes({ POSACC: 3 }) }
        : vector,
    );
    const parameters = { ...base.parameters!, accuracyUnit };
    const { cell, named } = read({ ...base, vectors, parameters });
    expect(nodesOf(cell, named(BUOY))[0]!.attributes).toEqual({ POSACC: meters });
  });

  test.each(['HORCLR', 'HORACC', 'VERACC', 'horcll', 'horclw', 'eleva1', 'eleva2'])(
    'of heights apply to %s',
    (acronym) => {
      const attributes = rawAttributes({ [acronym]: 40 });
      const features = base.features.map((feature) =>
        feature.number === WATER ? { ...feature, attributes } : feature,
      );
      const { named } = read({
        ...base,
        features,
        parameters: { ...base.parameters!, heightUnit: 2 },
      });
      expect(named(WATER).attributes[acronym]).toBe(12.192);
    },
  );

  test.each([
    ['M_UNIT', { DUNITS: 3 }, false],
    ['M_UNIT', { HUNITS: 2 }, false],
    ['M_HDAT', { HORDAT: 3 }, false],
    ['M_UNIT', { DUNITS: 1, HUNITS: 1 }, true],
    ['M_UNIT', { DUNITS: '' }, true],
    ['M_HDAT', { HORDAT: 2 }, true],
  ])('and datum of a part of the cell: %s %j', (acronym, given, isUsed) => {
    const { code } = objectClassByAcronym(acronym)!;
    const part = { classCode: code, attributes: rawAttributes(given), number: 900, id: 900 };
    const water = base.features.find(({ number }) => number === WATER)!;
    const features = [...base.features, { ...water, group: 2, ...part }];
    const { cell, problems } = readContents({ ...base, features });
    expect(cell !== undefined).toBe(isUsed);
    const codes = problems.map((problem) => problem.code);
    expect(codes.includes('other-units')).toBe(!isUsed);
  });

  test.each([
    [{ coordinateFactor: 0 }, 'bad-coordinate-factor', false],
    [{ horizontalDatum: 3 }, 'bad-horizontal-datum', false],
    [{ depthUnit: 5 }, 'bad-unit', false],
    [{ heightUnit: 3 }, 'bad-unit', false],
    [{ accuracyUnit: 6 }, 'bad-accuracy-unit', true],
    [{ horizontalDatum: 0 }, 'no-horizontal-datum', true],
    [{ depthUnit: 0 }, 'no-depth-unit', true],
    [{ heightUnit: 0 }, 'no-height-unit', true],
  ])('and datum %j are reported as %s', (changed, code, isUsed) => {
    const { cell, problems } = readContents({
      ...base,
      parameters: { ...base.parameters!, ...changed },
    });
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(cell !== undefined).toBe(isUsed);
  });
});

test('readCell rejects a file with other field formats', () => {
  const bytes = Buffer.from(encodeFile(base));
  const described = bytes.indexOf('ATTL!ATVL\x1f(b12,A)');
  expect(described).toBeGreaterThan(0);
  bytes.write('(b14,A)', described + 'ATTL!ATVL\x1f'.length, 'latin1');
  const file = { name: `${NAME}.000`, bytes: new Uint8Array(bytes) };
  const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
  expect(problems.map(({ code }) => code)).toEqual(['unexpected-format', 'base-incomplete']);
  expect(cell).toBeUndefined();
});

test('readCell accepts a repeated format in brackets', () => {
  const bytes = Buffer.from(encodeFile(base));
  const at = bytes.indexOf('*YCOO!XCOO\x1f(2b24)');
  expect(at).toBeGreaterThan(0);
  // Of the same length.
  bytes.write('*YCOO!XC\x1f(2(b24))', at, 'latin1');
  const file = { name: `${NAME}.000`, bytes: new Uint8Array(bytes) };
  expect(readCell({ name: NAME, base: file, updates: [] }).problems).toEqual([]);
});

test.each(['A', 'I'])(
  'readCell accepts an edition number of S-57 (STED) in the format %s(4)',
  (type) => {
    const bytes = Buffer.from(encodeFile(base));
    const at = bytes.indexOf('R(4)');
    expect(at).toBeGreaterThan(0);
    bytes.write(type, at, 'latin1');
    const file = { name: `${NAME}.000`, bytes: new Uint8Array(bytes) };
    const { cell, problems } = readCell({ name: NAME, base: file, updates: [] });
    expect(problems).toEqual([]);
    expect(cell).toBeDefined();
  },
);

test('readCell reports a feature with positions but no primitive, and a point without a position', () => {
  const features = base.features.map((feature) =>
    feature.number === CABLE ? { ...feature, primitive: 255 } : feature,
  );
  const vectors = base.vectors.map((vector) =>
    vector.id === vectorOf(base, BUOY).id && vector.name === vectorOf(base, BUOY).name
      ? { ...vector, coordinates: new Int32Array(0) }
      : vector,
  );
  const { problems } = readContents({ ...base, features, vectors });
  expect(problems).toMatchObject([{ code: 'no-geometry', severity: 'error' }]);
  expect(problems[0]!.message).toContain('2 features');
});
