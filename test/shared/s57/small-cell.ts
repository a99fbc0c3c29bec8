// A small synthetic cell for tests of single rules: a square of water with a buoy, two soundings and a
// line, and updates with given records.

import type { RawFeature, RawVector } from '../../../shared/s57/records/records.ts';
import { CellBuilder, type Course } from '../../../shared/s57/write/cell-builder.ts';
import type { FileContents } from '../../../shared/s57/write/encode-file.ts';
import { recordCounts } from '../../../shared/s57/write/record-counts.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';

export const BUOY = 101;
export const WATER = 102;
export const SOUNDINGS = 103;
export const CABLE = 104;
export const NAME = 'ZL5SMALL';

const cable: Course = {
  positions: [
    [100, 100],
    [200, 150],
    [300, 100],
  ],
};
const limit = boxCourse(0, 0, 1000, 1000);

/** The contents of the base file. */
export function smallCell(): FileContents {
  const builder = new CellBuilder({ ...harbourPlan(NAME), edition: 3 });
  const ring = [[{ course: limit, atLimit: true }]];
  builder.area(WATER, 'DEPARE', ring, { DRVAL1: 5, DRVAL2: 10 });
  builder.area(105, 'M_COVR', ring, { CATCOV: 1 });
  builder.point(BUOY, 'BOYLAT', [500, 500], { OBJNAM: 'Café', COLOUR: '3,4', BOYSHP: 2 });
  builder.soundings(SOUNDINGS, [
    { position: [10, 10], depth: 5.5 },
    { position: [20, 20], depth: -0.5 },
  ]);
  builder.line(CABLE, 'CBLSUB', [{ course: cable }], { NOBJNM: 'Кабель', CATCBL: 4 });
  return builder.contents();
}

export const featureOf = (contents: FileContents, number: number): RawFeature =>
  contents.features.find((feature) => feature.number === number)!;

/** The vector record that a feature refers to at an index. */
export function vectorOf(contents: FileContents, number: number, index = 0): RawVector {
  const { name, id } = featureOf(contents, number).spatial[index]!;
  return contents.vectors.find((vector) => vector.name === name && vector.id === id)!;
}

/** An update file with the given records. */
export function update(
  number: number,
  records: { vectors?: readonly RawVector[]; features?: readonly RawFeature[] },
  dataSet: Partial<FileContents['dataSet']> = {},
): FileContents {
  const { vectors = [], features = [] } = records;
  return {
    dataSet: {
      ...smallCell().dataSet,
      purpose: 2,
      name: `${NAME}.${String(number).padStart(3, '0')}`,
      update: String(number),
      issueDate: `202602${String(number).padStart(2, '0')}`,
      counts: recordCounts(vectors, features),
      ...dataSet,
    },
    vectors,
    features,
  };
}

/** A record that modifies another: of the next version, with only the given values. */
export function change<R extends RawFeature | RawVector>(record: R, changes: Partial<R>): R {
  const empty = {
    attributes: [],
    nationalAttributes: [],
    relations: [],
    spatial: [],
    pointers: [],
  };
  const { coordinates: _, ...rest } = { coordinates: undefined, ...record };
  return {
    ...rest,
    ...empty,
    version: record.version + 1,
    instruction: 3,
    ...changes,
  } as unknown as R;
}

/** Read the small cell after updates. */
export function readSmall(...updates: readonly FileContents[]) {
  return readContents(smallCell(), ...updates);
}
