// Compares a cell with GDAL's reading of the same files, feature by feature. `gdal-deviations.ts` lists
// the differences that are faults of GDAL.

import type { AttributeValue, Cell, Feature } from '../../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import type { CellFiles } from '../../../shared/s57/read/cell-files.ts';
import { type GdalFeature, readWithGdal } from '../../support/gdal.ts';
import {
  isSameOrder,
  type Parts,
  pointKeys,
  ringKey,
  segmentKeys,
} from '../../support/geometry-key.ts';
import { shapeOf } from '../../support/wkb.ts';

const hex = (value: number, digits: number) =>
  value.toString(16).toUpperCase().padStart(digits, '0');
const lnamOf = ({ agency, number, subdivision }: Feature['id']) =>
  hex(agency, 4) + hex(number, 8) + hex(subdivision, 4);
const RIND = { master: 1, slave: 2, peer: 3, other: 0 } as const;

export interface Comparison {
  readonly compared: number;
  /** Differences as sentences; empty if both agree. */
  readonly differences: readonly string[];
  /** Attributes that GDAL omits, for example `RTPBCN.PEREND`, once each. */
  readonly droppedAttributes: readonly string[];
}

export function compareWithGdal(cell: Cell, files: CellFiles): Comparison {
  const theirs = new Map<string, GdalFeature[]>();
  for (const feature of readWithGdal(files)) {
    theirs.set(feature.lnam, [...(theirs.get(feature.lnam) ?? []), feature]);
  }
  const differences: string[] = [];
  const dropped = new Set<string>();
  let compared = 0;
  for (const feature of cell.features) {
    const lnam = lnamOf(feature.id);
    const twins = theirs.get(lnam) ?? [];
    const at = twins.findIndex(({ acronym }) => acronym === feature.acronym);
    const twin = twins[at];
    if (twin === undefined) {
      differences.push(`${lnam} ${feature.acronym}: GDAL has no such feature`);
      continue;
    }
    twins.splice(at, 1);
    compared++;
    for (const [acronym, value] of Object.entries(feature.attributes)) {
      if (textOf(value) === '' || twin.columns.has(acronym)) continue;
      dropped.add(`${feature.acronym}.${acronym}`);
    }
    const found = [
      ...attributeDifferences(feature, twin),
      ...relationDifferences(feature, twin),
      ...geometryDifferences(cell, feature, twin),
    ];
    differences.push(...found.map((words) => `${lnam} ${feature.acronym} ${words}`));
  }
  for (const twin of [...theirs.values()].flat()) {
    differences.push(`${twin.lnam} ${twin.acronym}: only GDAL has it`);
  }
  return {
    compared,
    differences,
    droppedAttributes: [...dropped].sort(),
  };
}

function attributeDifferences(feature: Feature, twin: GdalFeature): string[] {
  const differences: string[] = [];
  const ours = Object.entries(feature.attributes).filter(([, value]) => textOf(value) !== '');
  for (const [acronym, value] of ours) {
    // Attributes that GDAL omits are reported separately.
    if (!twin.columns.has(acronym)) continue;
    const theirs = twin.attributes[acronym];
    if (theirs === undefined || !sameValue(value, theirs)) {
      differences.push(`${acronym}: ${textOf(value)}, GDAL ${theirs}`);
    }
  }
  const known = new Set(ours.map(([acronym]) => acronym));
  for (const [acronym, theirs] of Object.entries(twin.attributes)) {
    if (!known.has(acronym)) differences.push(`${acronym}: missing, GDAL ${theirs}`);
  }
  return differences;
}

const textOf = (value: AttributeValue) => (Array.isArray(value) ? value.join(',') : String(value));

function sameValue(ours: AttributeValue, theirs: string): boolean {
  if (typeof ours === 'number') return Math.abs(ours - Number(theirs)) <= 1e-9;
  // GDAL trims texts.
  const clean = (text: string) => text.replace(/^\s+|\s+$/g, '');
  return clean(textOf(ours)) === clean(theirs);
}

function relationDifferences(feature: Feature, twin: GdalFeature): string[] {
  const ours = feature.relations.map(({ target, kind }) => `${lnamOf(target)} ${RIND[kind]}`);
  return ours.join() === twin.relations.join()
    ? []
    : [`relations: ${ours.join()}, GDAL ${twin.relations.join()}`];
}

function geometryDifferences(cell: Cell, feature: Feature, twin: GdalFeature): string[] {
  const ours = partsOf(cell, feature);
  const theirs = shapeOf(twin.wkb)?.parts ?? [];
  // Usually the order is equal; only otherwise the geometry is normalised.
  if (isSameOrder(ours, theirs)) return [];
  const [known, wanted] = [ours, theirs].map((parts) => keysOf(parts, feature.primitive).join(';'));
  return known === wanted
    ? []
    : [`geometry: ${known!.slice(0, 300)}, GDAL ${wanted!.slice(0, 300)}`];
}

/** The parts of a geometry in the form of `Shape`. */
function partsOf(cell: Cell, feature: Feature): Parts {
  // Files and GDAL jump at 180°; the reader continues beyond it.
  const jumping = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude);
  const pairs = (flat: Float64Array) =>
    Array.from({ length: flat.length / 2 }, (_, i) => [jumping(flat[2 * i]!), flat[2 * i + 1]!]);
  switch (feature.primitive) {
    case 'point': {
      const points = nodesOf(cell, feature).flatMap(({ positions, depths }) =>
        pairs(positions).map((pair, i) => (depths === undefined ? pair : [...pair, depths[i]!])),
      );
      return points.length === 0 ? [] : [points];
    }
    case 'line':
      return chainsOf(cell, feature).map((chain) => pairs(positionsOf(chain)));
    case 'area':
      return areaOf(cell, feature)
        .flat()
        .map((ring) => pairs(positionsOf(ring.uses)));
    default:
      return [];
  }
}

function keysOf(parts: Parts, primitive: Feature['primitive']): readonly string[] {
  switch (primitive) {
    case 'point':
      return pointKeys(parts.flat());
    case 'line':
      return segmentKeys(parts);
    default:
      return parts.map(ringKey).sort();
  }
}
