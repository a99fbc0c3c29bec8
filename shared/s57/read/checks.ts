// The acceptance checks of a cell: what its files promised, and whether its skin fills its coverage.

import type { Cell, Problem } from '../cell/cell.ts';
import { areaOf, positionsOf, signedArea } from '../cell/geometry.ts';
import type { RawFile } from '../records/records.ts';

const COUNT_NAMES = [
  'meta features (NOMR)',
  'cartographic features (NOCR)',
  'geographic features (NOGR)',
  'collection features (NOLR)',
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

/**
 * DSSI's record counts against what was read (Part 3, clause 7.3.1.2): the only thing that tells a
 * file cut off between two records.
 */
export function checkCounts(raw: RawFile, file: string): Problem[] {
  const promised = raw.dataSet?.counts ?? [];
  if (promised.length < 8) return [];
  const read = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const feature of raw.features) read[kindOf(feature.classCode)]!++;
  for (const vector of raw.vectors) {
    const place = { 110: 4, 120: 5, 130: 6, 140: 7 }[vector.name];
    if (place !== undefined) read[place]!++;
  }
  // Producers differ in which of the feature counts an unknown class falls into: compare their sum.
  const sum = (counts: readonly number[]) => counts.slice(0, 4).reduce((a, b) => a + b, 0);
  const differences: string[] = [];
  if (sum(promised) !== sum(read)) differences.push(`features: ${sum(promised)}, not ${sum(read)}`);
  for (let i = 4; i < 8; i++) {
    if (promised[i] !== read[i]) {
      differences.push(`${COUNT_NAMES[i]}: ${promised[i]}, not ${read[i]}`);
    }
  }
  if (differences.length === 0) return [];
  return [
    {
      code: 'record-count-mismatch',
      message: `the file promises other record counts than it holds (${differences.join('; ')})`,
      file,
      severity: 'error',
    },
  ];
}

/** Classes of Group 1, which together cover the cell once: S-57 Appendix B.1, clause 3.10.1. */
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
    if (feature.group === 1 && SKIN_CLASSES.has(feature.acronym))
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
      const size = Math.abs(signedArea(positionsOf(ring.uses))) / 2;
      area += ring.exterior ? size : -size;
    }
  }
  return area;
}
