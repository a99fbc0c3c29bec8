// Describes a cell as a plain object with stable output.

import type { Attributes, Cell, Feature, ReadResult } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../shared/s57/cell/geometry.ts';

/** Header, checks, problems and the number of features per class. */
export function describeCellShortly(result: ReadResult): Record<string, unknown> {
  const { cell } = result;
  return {
    name: result.name,
    cancelled: result.cancelled,
    header: cell?.header,
    checks: result.checks,
    problems: result.problems,
    records: cell && {
      isolatedNodes: cell.isolatedNodes.size,
      connectedNodes: cell.connectedNodes.size,
      edges: cell.edges.size,
      features: cell.features.length,
    },
    classes: cell && countClasses(cell),
  };
}

/** The short description with the features of one object class, or of all. */
export function describeCellInFull(
  result: ReadResult,
  objectClass: string | true,
): Record<string, unknown> {
  const { cell } = result;
  const wanted = (feature: Feature) =>
    objectClass === true || feature.acronym.toUpperCase() === objectClass.toUpperCase();
  return {
    ...describeCellShortly(result),
    features: cell?.features.filter(wanted).map((feature) => describeFeature(cell, feature)),
  };
}

function describeFeature(cell: Cell, feature: Feature): Record<string, unknown> {
  const { agency, number, subdivision } = feature.id;
  return {
    id: `${agency}.${number}.${subdivision}`,
    record: feature.recordId,
    class: feature.acronym,
    primitive: feature.primitive,
    group: feature.group,
    attributes: sorted(feature.attributes),
    relations: feature.relations.map(
      ({ target, kind }) => `${kind} ${target.agency}.${target.number}.${target.subdivision}`,
    ),
    geometry: geometryOf(cell, feature),
  };
}

function geometryOf(cell: Cell, feature: Feature): unknown {
  switch (feature.primitive) {
    case 'point':
      return nodesOf(cell, feature).map(({ positions, depths }) =>
        pairs(positions).map((pair, i) => (depths === undefined ? pair : [...pair, depths[i]])),
      );
    case 'line':
      return chainsOf(cell, feature).map((chain) => pairs(positionsOf(chain)));
    case 'area':
      return areaOf(cell, feature).map((polygon) =>
        polygon.map((ring) => pairs(positionsOf(ring.uses))),
      );
    case 'none':
      return null;
  }
}

/** Degrees, rounded to the seven decimals of the format. */
function pairs(positions: Float64Array): number[][] {
  const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
  return Array.from({ length: positions.length / 2 }, (_, i) => [
    rounded(positions[2 * i]!),
    rounded(positions[2 * i + 1]!),
  ]);
}

function countClasses(cell: Cell): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { acronym } of cell.features) counts[acronym] = (counts[acronym] ?? 0) + 1;
  return sorted(counts);
}

function sorted<T>(record: Readonly<Record<string, T>> | Attributes): Record<string, T> {
  const entries = Object.entries(record as Readonly<Record<string, T>>);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
