// The acceptance checks of a cell: what its files promised, and whether its skin fills its coverage.

import { doubleArea } from '../../geo/ring.ts';
import type { Cell, Problem } from '../cell/cell.ts';
import { areaOf, positionsOf } from '../cell/geometry.ts';
import type { RawFile } from '../records/records.ts';

/** The kinds of vector records in DSSI's order, after the four kinds of features. */
const VECTOR_COUNTS = [
  'isolated nodes (NOIN)',
  'connected nodes (NOCN)',
  'edges (NOED)',
  'faces (NOFA)',
] as const;

/** Object class codes by kind: S-57 Appendix A chapter 1 (geo below 300, meta, collection). */
function kindOf(classCode: number): 0 | 1 | 2 | 3 {
  if (classCode >= 300 && classCode < 400) return 0;
  if (classCode >= 400 && classCode < 500) return 3;
  if (classCode >= 500 && classCode < 600) return 1;
  return 2;
}

/** What a file's record counts say of it. */
interface CountCheck {
  /** A warning: producers miscount, in files that every other program reads whole. */
  readonly problem?: Problem;
  /** Some kind of record is there less often than promised: the file may have been cut off. */
  readonly holdsLess: boolean;
}

/** DSSI's record counts against what was read (Part 3, clause 7.3.1.2). */
export function checkCounts(raw: RawFile, file: string): CountCheck {
  const promised = raw.dataSet?.counts ?? [];
  if (promised.length < 8) return { holdsLess: false };
  const read = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const feature of raw.features) read[kindOf(feature.classCode)]!++;
  for (const vector of raw.vectors) {
    const place = { 110: 4, 120: 5, 130: 6, 140: 7 }[vector.name];
    if (place !== undefined) read[place]!++;
  }
  // Producers differ in which of the feature counts an unknown class falls into: compare their sum.
  const sum = (counts: readonly number[]) => counts.slice(0, 4).reduce((a, b) => a + b, 0);
  const compared = [
    { name: 'features', promised: sum(promised), read: sum(read) },
    ...VECTOR_COUNTS.map((name, i) => ({ name, promised: promised[4 + i]!, read: read[4 + i]! })),
  ];
  const differing = compared.filter((count) => count.promised !== count.read);
  if (differing.length === 0) return { holdsLess: false };
  const words = differing.map((count) => `${count.name}: ${count.promised}, not ${count.read}`);
  return {
    problem: {
      code: 'record-count-mismatch',
      message: `the file promises other record counts than it holds (${words.join('; ')})`,
      file,
      severity: 'warning',
    },
    holdsLess: differing.some((count) => count.read < count.promised),
  };
}

/** What of a cell does not fit together, in numbers that are 0 for a whole one. */
export interface Misfit {
  /** Pointers that lead to no record. */
  readonly dangling: number;
  /** As `skinDeviation`; 1 where nothing says what the cell covers. */
  readonly skinDeviation: number;
}

/** Beyond this much of its coverage the skin has a hole or a doubling worth naming. */
export const SKIN_TOLERANCE = 1e-6;

/** Whether a cell fits together less well than one before it did: then some of it was lost. */
export function fitsLess(now: Misfit, before: Misfit = { dangling: 0, skinDeviation: 0 }): boolean {
  return (
    now.dangling > before.dangling ||
    now.skinDeviation > Math.max(SKIN_TOLERANCE, before.skinDeviation)
  );
}

export function misfitOf(cell: Cell, dangling: number): Misfit {
  const isCovered = cell.features.some(
    ({ acronym, attributes }) => acronym === 'M_COVR' && attributes['CATCOV'] === 1,
  );
  return { dangling, skinDeviation: isCovered ? skinDeviation(cell) : 1 };
}

/**
 * Classes of Group 1, which together cover the cell once: S-57 Appendix B.1, clause 3.10.1. Those of
 * inland charts that extend them are named alike in small letters.
 */
export const SKIN_CLASSES: ReadonlySet<string> = new Set([
  'DEPARE',
  'DRGARE',
  'FLODOC',
  'HULKES',
  'LNDARE',
  'PONTON',
  'UNSARE',
]);

/** |Σ area(Group 1) − area(coverage)| ÷ area(coverage), planar in degrees; 0 without coverage. */
export function skinDeviation(cell: Cell): number {
  let skin = 0;
  let coverage = 0;
  for (const feature of cell.features) {
    if (feature.primitive !== 'area') continue;
    if (feature.group === 1 && SKIN_CLASSES.has(feature.acronym.toUpperCase()))
      skin += areaDegrees(cell, feature);
    else if (feature.acronym === 'M_COVR' && feature.attributes['CATCOV'] === 1) {
      coverage += areaDegrees(cell, feature);
    }
  }
  return coverage === 0 ? 0 : Math.abs(skin - coverage) / coverage;
}

function areaDegrees(cell: Cell, feature: Cell['features'][number]): number {
  let area = 0;
  for (const polygon of areaOf(cell, feature)) {
    for (const ring of polygon) {
      const size = Math.abs(doubleArea(positionsOf(ring.uses))) / 2;
      area += ring.exterior ? size : -size;
    }
  }
  return area;
}
