// Faults that leave a cell usable but hide some of its objects are reported, each once.

import { expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { CellBuilder, type Course } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile, type FileContents } from '../../../shared/s57/write/encode-file.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';

function problemsOf(
  add: (builder: CellBuilder) => void,
  change: (contents: FileContents) => FileContents = (contents) => contents,
) {
  const builder = new CellBuilder(harbourPlan('ZL5FAULT'));
  const limit = boxCourse(0, 0, 1000, 1000);
  builder.area(1, 'M_COVR', [[{ course: limit }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit }]], { DRVAL1: 5 });
  add(builder);
  const { cell, problems } = readContents(change(builder.contents()));
  expect(cell).toBeDefined();
  return problems.map(({ code, severity }) => `${code} ${severity}`);
}

const line = (...positions: [number, number][]): Course => ({ positions });

test('readCell reports a line without length, but not a short one', () => {
  const nowhere = line([500, 500], [500, 500], [500, 500]);
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', [{ course: nowhere }]))).toEqual([
    'no-geometry error',
  ]);
  const short = line([500, 500], [500, 501]);
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', [{ course: short }]))).toEqual([]);
  // A line without length, then a short one in both directions.
  const both = [{ course: nowhere }, { course: short }, { course: short, reversed: true }];
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', both))).toEqual([]);
});

test('readCell reports an area without extent', () => {
  const nowhere = line([500, 500], [500, 500], [500, 500]);
  const add = (cell: CellBuilder) => cell.area(3, 'OBSTRN', [[{ course: nowhere }]]);
  expect(problemsOf(add)).toEqual(['no-geometry error']);
});

test.each([
  ['ZL5OTHER.000', ['other-name warning']],
  ['', []],
  ['ENC_ROOT/ZL5FAULT.000', []],
])('readCell reports the name of another data set in a base: %j', (name, problems) => {
  const builder = new CellBuilder(harbourPlan('ZL5FAULT'));
  const ring = [[{ course: boxCourse(0, 0, 1000, 1000) }]];
  builder.area(1, 'M_COVR', ring, { CATCOV: 1 });
  builder.area(2, 'DEPARE', ring, { DRVAL1: 5 });
  const contents = builder.contents();
  const bytes = encodeFile({ ...contents, dataSet: { ...contents.dataSet, name } });
  const files = { name: 'ZL5FAULT', base: { name: 'ZL5FAULT.000', bytes }, updates: [] };
  const found = readCell(files).problems.map(({ code, severity }) => `${code} ${severity}`);
  expect(found).toEqual(problems);
});

test('readCell does not take the end of an edge for its lost begin', () => {
  const add = (cell: CellBuilder) =>
    cell.line(3, 'OBSTRN', [{ course: line([100, 100], [200, 150], [300, 100]) }]);
  // The last edge is that of the line.
  const headless = (contents: FileContents): FileContents => ({
    ...contents,
    vectors: contents.vectors.map((vector, i) =>
      i === contents.vectors.length - 1
        ? { ...vector, pointers: vector.pointers.slice(1) }
        : vector,
    ),
  });
  expect(problemsOf(add, headless)).toEqual(['dangling-node error']);
});

test('readCell reads the ends of an edge in order if TOPI is null', () => {
  const add = (cell: CellBuilder) =>
    cell.line(3, 'OBSTRN', [{ course: line([100, 100], [200, 150], [300, 100]) }]);
  const unnamed = (topology: number) => (contents: FileContents) => ({
    ...contents,
    vectors: contents.vectors.map((vector) => ({
      ...vector,
      pointers: vector.pointers.map((pointer) => ({ ...pointer, topology })),
    })),
  });
  for (const topology of [0, 255]) expect(problemsOf(add, unnamed(topology))).toEqual([]);
});

test('readCell reports a sounding without depth', () => {
  expect(problemsOf((cell) => cell.point(3, 'SOUNDG', [500, 500], { VALSOU: 3 }))).toEqual([
    'no-depth error',
  ]);
  const sounding = { position: [500, 500], depth: 3 } as const;
  expect(problemsOf((cell) => cell.soundings(3, [sounding]))).toEqual([]);
});

test('readCell reports objects with the identity of another, but not two objects at one place', () => {
  const add = (cell: CellBuilder) => {
    cell.point(3, 'LIGHTS', [500, 500], { SECTR1: 0, SECTR2: 90 });
    cell.point(4, 'LIGHTS', [500, 500], { SECTR1: 90, SECTR2: 180 });
  };
  expect(problemsOf(add)).toEqual([]);
  const buoy = (cell: CellBuilder) => {
    cell.point(3, 'LIGHTS', [500, 500]);
    cell.point(4, 'BOYLAT', [500, 500], { BOYSHP: 2 });
  };
  const twins = (contents: FileContents): FileContents => ({
    ...contents,
    features: contents.features.map((feature) =>
      feature.number === 4 ? { ...feature, number: 3 } : feature,
    ),
  });
  expect(problemsOf(add, twins)).toEqual(['repeated-identity warning']);
  expect(problemsOf(buoy, twins)).toEqual(['repeated-identity error']);
});

test.each([
  ['BOYLAT', { BOYSHP: 2, COLOUR: '3,4' }, []],
  ['BOYLAT', { BOYSHP: 555 }, ['unknown-value warning']],
  ['BOYLAT', { BOYSHP: 2, COLOUR: '3,99' }, ['unknown-value warning']],
  ['SBDARE', { NATSUR: '1,4', NATQUA: ',4' }, []],
  ['OBSTRN', { CATOBS: 10, WATLEV: 7 }, []],
  ['TS_FEB', { CAT_TS: 1 }, []],
  ['LNDMRK', { CATLMK: 21 }, []],
  ['BOYSPP', { CATSPM: '53,54,55,56' }, []],
  ['SMCFAC', { CATSCF: '32,33' }, []],
  ['RSCSTA', { CATRSC: '7,8' }, []],
  ['SEAARE', { CATSEA: 54 }, []],
  ['FORSTC', { CATFOR: 6 }, []],
  ['GATCON', { CATGAT: 6 }, []],
  ['LNDRGN', { CATLND: '20' }, []],
  ['MARCUL', { CATMFA: 5 }, []],
  ['PRDARE', { CATPRA: 10 }, []],
] as const)(
  'readCell reports attribute values that S-57 does not define: %s %o',
  (acronym, attributes, problems) => {
    expect(problemsOf((cell) => cell.point(3, acronym, [500, 500], attributes))).toEqual(problems);
  },
);
