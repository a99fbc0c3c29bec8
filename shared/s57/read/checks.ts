// Acceptance checks of a cell: record counts, and whether the Group 1 areas fill the coverage.

import { doubleArea } from '../../geo/ring.ts';
import type { Cell, Problem } from '../cell/cell.ts';
import { areaOf, positionsOf } from '../cell/geometry.ts';
import type { RawFile } from '../records/records.ts';
import { type CellState, EDGE, ISOLATED, vectorKey } from './state.ts';

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

/** Result of comparing the record counts of a file. */
interface CountCheck {
  /** A warning, not an error: some producers state wrong counts in complete files. */
  readonly problem?: Problem;
  /** Some kind of record has fewer records than stated: the file may be truncated. */
  readonly holdsLess: boolean;
}

/** Compare the record counts in DSSI with the records that were read (Part 3, clause 7.3.1.2). */
export function checkCounts(raw: RawFile, file: string): CountCheck {
  const promised = raw.dataSet?.counts ?? [];
  if (promised.length < 8) return { holdsLess: false };
  const read = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const feature of raw.features) read[kindOf(feature.classCode)]!++;
  for (const vector of raw.vectors) {
    const place = { 110: 4, 120: 5, 130: 6, 140: 7 }[vector.name];
    if (place !== undefined) read[place]!++;
  }
  // Producers count unknown classes under different kinds of features, so only the sum is compared.
  const sum = (counts: readonly number[]) => counts.slice(0, 4).reduce((a, b) => a + b, 0);
  const compared = [
    { name: 'features', promised: sum(promised), read: sum(read) },
    ...VECTOR_COUNTS.map((name, i) => ({ name, promised: promised[4 + i]!, read: read[4 + i]! })),
  ];
  const differing = compared.filter((count) => count.promised !== count.read);
  if (differing.length === 0) return { holdsLess: false };
  const holdsLess = differing.some((count) => count.read < count.promised);
  const words = differing.map((count) => `${count.name}: ${count.promised}, not ${count.read}`);
  return {
    problem: {
      code: holdsLess ? 'fewer-records' : 'record-count-mismatch',
      message: `the record counts in DSSI differ from the records in the file (${words.join('; ')})`,
      file,
      severity: 'warning',
    },
    holdsLess,
  };
}

/** Measures of inconsistency in a cell, 0 for a consistent cell. */
export interface Misfit {
  /** Pointers that lead to no record. */
  readonly dangling: number;
  /** See `skinDeviation`; 1 if the cell has no coverage. */
  readonly skinDeviation: number;
  /** Keys of isolated nodes and edges that no feature uses: the features may be lost. */
  readonly orphans: readonly number[];
}

const CONSISTENT: Misfit = { dangling: 0, skinDeviation: 0, orphans: [] };

/** A greater deviation means a gap or an overlap in the Group 1 areas. */
export const SKIN_TOLERANCE = 1e-6;

/**
 * Whether a cell is less consistent than before, which means that data was lost.
 * @param known the vector records of the cell before: an update may delete the object of one and leave the record
 */
export function fitsLess(
  now: Misfit,
  before = CONSISTENT,
  known: CellState['vectors'] = new Map(),
): boolean {
  return (
    now.dangling > before.dangling ||
    now.orphans.some((key) => !known.has(key)) ||
    now.skinDeviation > Math.max(SKIN_TOLERANCE, before.skinDeviation)
  );
}

export function misfitOf(cell: Cell, dangling: number): Misfit {
  const isCovered = cell.features.some(
    ({ acronym, attributes }) => acronym === 'M_COVR' && attributes['CATCOV'] === 1,
  );
  const deviation = isCovered ? skinDeviation(cell) : 1;
  return { dangling, skinDeviation: deviation, orphans: orphansOf(cell) };
}

function orphansOf({ features, isolatedNodes, edges }: Cell): number[] {
  const used = {
    isolated: new Set<number>(),
    connected: new Set<number>(),
    edge: new Set<number>(),
  };
  for (const { spatial } of features) for (const { target, id } of spatial) used[target].add(id);
  return [
    ...[...isolatedNodes.keys()]
      .filter((id) => !used.isolated.has(id))
      .map((id) => vectorKey(ISOLATED, id)),
    ...[...edges.keys()].filter((id) => !used.edge.has(id)).map((id) => vectorKey(EDGE, id)),
  ];
}

/**
 * Group 1 classes, which together cover the cell without overlap (S-57 Appendix B.1, clause 3.10.1).
 * Inland charts extend them with classes of the same name in lower case.
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
