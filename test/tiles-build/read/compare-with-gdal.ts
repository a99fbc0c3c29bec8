// One cell against GDAL's reading of the same files, feature by feature. Where GDAL 3.6 is known to
// be wrong, the case is named here with its reason, and only that case passes.

import type { AttributeValue, Cell, Feature } from '../../../tiles-build/read/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../../tiles-build/read/geometry.ts';
import type { CellFiles } from '../../../tiles-build/read/read-cell.ts';
import { type GdalFeature, readWithGdal } from '../../support/gdal.ts';
import { pointKeys, ringKey, segmentKeys } from '../../support/geometry-key.ts';
import { parseWkt } from '../../support/wkt.ts';

const hex = (value: number, digits: number) =>
  value.toString(16).toUpperCase().padStart(digits, '0');
const lnamOf = ({ agency, number, subdivision }: Feature['id']) =>
  hex(agency, 4) + hex(number, 8) + hex(subdivision, 4);
const RIND = { master: 1, slave: 2, peer: 3, other: 0 } as const;

/** Differences in words, empty where both agree, and how many features were compared. */
export function deviations(
  cell: Cell,
  files: CellFiles,
): { readonly compared: number; readonly differences: string[] } {
  const theirs = new Map<string, GdalFeature[]>();
  for (const feature of readWithGdal(files)) {
    theirs.set(feature.lnam, [...(theirs.get(feature.lnam) ?? []), feature]);
  }
  const differences: string[] = [];
  let compared = 0;
  for (const feature of cell.features) {
    const lnam = lnamOf(feature.id);
    const twins = theirs.get(lnam) ?? [];
    const at = twins.findIndex(({ acronym }) => acronym === layerOf(feature, twins));
    const twin = twins[at];
    if (twin === undefined) {
      differences.push(`${lnam} ${feature.acronym}: GDAL has no such feature`);
      continue;
    }
    twins.splice(at, 1);
    compared++;
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
  return { compared, differences };
}

/** GDAL puts classes that its tables do not hold (inland ENC) into one layer, "Generic". */
const layerOf = ({ acronym }: Feature, twins: readonly GdalFeature[]) =>
  twins.some((twin) => twin.acronym === acronym) ? acronym : 'Generic';

function attributeDifferences(feature: Feature, twin: GdalFeature): string[] {
  const differences: string[] = [];
  const ours = Object.entries(feature.attributes).filter(([, value]) => textOf(value) !== '');
  for (const [acronym, value] of ours) {
    // GDAL drops attributes that its table does not allow for the class, such as PERSTA on RTPBCN:
    // S-57 Part 3 knows no such rule, and a navigator needs what the producer wrote.
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
  // GDAL leaves off the blanks around a text.
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
  const theirs = parseWkt(twin.wkt);
  const pairs = (flat: Float64Array) =>
    Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);
  const compare = (ours: readonly string[], expected: readonly string[]) =>
    ours.join(';') === expected.join(';')
      ? []
      : [`geometry: ${ours.join(';').slice(0, 300)}, GDAL ${expected.join(';').slice(0, 300)}`];
  const parts = theirs?.parts ?? [];
  switch (feature.primitive) {
    case 'point': {
      const ours = nodesOf(cell, feature).flatMap(({ positions, depths }) =>
        pairs(positions).map((pair, i) => (depths === undefined ? pair : [...pair, depths[i]!])),
      );
      return compare(pointKeys(ours), pointKeys(parts.flat()));
    }
    case 'line': {
      const ours = chainsOf(cell, feature).map((chain) => pairs(positionsOf(chain)));
      return compare(segmentKeys(ours), segmentKeys(parts));
    }
    case 'area': {
      const rings = areaOf(cell, feature).flat();
      const ours = rings.map((ring) => ringKey(pairs(positionsOf(ring.uses)))).sort();
      return compare(ours, parts.map(ringKey).sort());
    }
    default:
      return compare([], parts.map(ringKey));
  }
}
