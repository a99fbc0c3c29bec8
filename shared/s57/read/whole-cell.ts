// Finds faults in a complete cell that no single record shows.

import type { Cell, Chain, Edge, Feature, Problem, SpatialUse } from '../cell/cell.ts';
import { areaOf, chainsOf, closesInOrder, isClosed, nodesOf } from '../cell/geometry.ts';
import type { Parameters } from '../records/records.ts';
import { isUnknownValue } from '../vocabulary/attribute-values.ts';
import { attributeByAcronym } from '../vocabulary/attributes.ts';
import { listOf, numberOf } from '../vocabulary/typed-values.ts';

/** Longitudes of cells across 180° continue above 180, up to 180 + 360. */
const MAX_LONGITUDE = 540;
const MAX_LATITUDE = 90;

/** No cell of a larger scale covers half the globe. */
const OVERVIEW_SCALE = 1_000_000;
const HALF_ROUND = 180;

/** Faults of a usable cell, one problem per kind with the number of features. */
export function faultsOf(cell: Cell): Problem[] {
  const open: Feature[] = [];
  const bare: Feature[] = [];
  const unknown: Feature[] = [];
  const strange: Feature[] = [];
  const valued: Feature[] = [];
  let firstValue: string | undefined;
  const malformed: Feature[] = [];
  const inward: Feature[] = [];
  const flat: Feature[] = [];
  const repeated: Feature[] = [];
  const confused: Feature[] = [];
  const classes = new Map<string, number>();
  for (const feature of cell.features) {
    const { agency, number, subdivision } = feature.id;
    const identity = `${agency} ${number} ${subdivision}`;
    const known = classes.get(identity);
    if (known === undefined) classes.set(identity, feature.classCode);
    else (known === feature.classCode ? repeated : confused).push(feature);
    if (feature.acronym.startsWith('$')) unknown.push(feature);
    if (Object.keys(feature.attributes).some((name) => name.startsWith('$'))) strange.push(feature);
    const value = unknownValueOf(feature);
    if (value !== undefined) {
      valued.push(feature);
      firstValue ??= value;
    }
    if (hasMalformedNumber(feature)) malformed.push(feature);
    if (feature.primitive === 'area') {
      if (feature.spatial.length > 0 && feature.spatial.every(isInterior)) inward.push(feature);
      const isBare = hasNoExtent(cell, feature);
      if (isBare) bare.push(feature);
      if (isBare || closesInOrder(cell, feature)) continue;
      const rings = areaOf(cell, feature).flat();
      if (rings.length === 0) bare.push(feature);
      else if (!rings.every(isClosed)) open.push(feature);
    } else if (feature.primitive === 'line') {
      if (chainsOf(cell, feature).every(isPlace)) bare.push(feature);
    } else if (feature.primitive === 'point') {
      const nodes = nodesOf(cell, feature).filter(({ positions }) => positions.length > 0);
      if (nodes.length === 0) bare.push(feature);
      else if (feature.acronym === 'SOUNDG' && nodes.some(({ depths }) => depths === undefined)) {
        flat.push(feature);
      }
    } else if (feature.spatial.length > 0) {
      // Geometry without a primitive cannot be interpreted.
      bare.push(feature);
    }
  }
  const named = (
    code: string,
    severity: Problem['severity'],
    features: readonly Feature[],
    words: string,
  ): Problem[] =>
    features.length === 0
      ? []
      : [{ code, severity, message: `${features.length} ${words} (first: ${namesOf(features)})` }];
  return [
    ...named('open-ring', 'error', open, 'areas do not close'),
    ...named('no-geometry', 'error', bare, 'features have lost their geometry'),
    ...named('no-depth', 'error', flat, 'sounding objects have positions without depths'),
    ...named(
      'repeated-identity',
      'error',
      confused,
      'features have the same identity (FOID) as a feature of another class and may be confused with it',
    ),
    ...named(
      'repeated-identity',
      'warning',
      repeated,
      'features have the same identity (FOID) as another feature of their class',
    ),
    ...named(
      'interior-only',
      'warning',
      inward,
      'areas have only interior boundaries, which are used as exterior boundaries',
    ),
    ...named(
      'unknown-class',
      'warning',
      unknown,
      'features have unknown classes and are drawn as question marks',
    ),
    ...named(
      'unknown-attribute',
      'warning',
      strange,
      'features have unknown attributes, which query results name by code',
    ),
    ...named(
      'unknown-value',
      'warning',
      valued,
      `features have attribute values that S-57 does not define, such as ${firstValue}`,
    ),
    ...named(
      'malformed-number',
      'warning',
      malformed,
      'features have numbers that cannot be read and count as missing',
    ),
  ];
}

/** Whether an attribute that is a number was not read as one (S-57 Appendix A, chapter 2). */
const hasMalformedNumber = ({ attributes }: Feature): boolean =>
  Object.entries(attributes).some(
    ([acronym, value]) =>
      typeof value === 'string' &&
      value.trim() !== '' &&
      'EIF'.includes(attributeByAcronym(acronym)?.type ?? ' '),
  );

/** The first value of an enumerated attribute that S-57 does not define, such as `BOYSHP 555`. */
function unknownValueOf({ attributes }: Feature): string | undefined {
  for (const acronym of Object.keys(attributes)) {
    // An empty item of a list, as in `,4`, is read as 0.
    const unknown = listOf(attributes, acronym).find(
      (value) => value !== 0 && isUnknownValue(acronym, value),
    );
    if (unknown !== undefined) return `${acronym} ${unknown}`;
  }
  return undefined;
}

/** Whether all positions of a chain are equal, so that it is not a line. */
const isPlace = (chain: Chain): boolean => chain.every(({ edge }) => hasNoLength(edge));

const hasNoLength = ({ positions }: Edge): boolean =>
  positions.every((value, i) => value === positions[i % 2]);

/** Whether the edges of an area have no length, so that it is not an area. */
const hasNoExtent = ({ edges }: Cell, { spatial }: Feature): boolean =>
  spatial.length > 0 &&
  spatial.every(({ id }) => {
    const edge = edges.get(id);
    return edge !== undefined && hasNoLength(edge);
  });

const isInterior = ({ usage }: SpatialUse) => usage === 'interior';

const namesOf = (features: readonly Feature[]) => {
  const { acronym, recordId } = features[0]!;
  return `${acronym}, record ${recordId}`;
};

/** Why the positions of a cell cannot be right; `undefined` if they can. */
export function faultOfPlace(cell: Cell): Pick<Problem, 'code' | 'message'> | undefined {
  const outside = {
    code: 'position-outside-earth',
    message: 'the cell has positions outside the earth',
  };
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const lies = ({ positions }: { readonly positions: Float64Array }) => {
    for (let i = 0; i < positions.length; i += 2) {
      const longitude = positions[i]!;
      // Negated so that NaN fails too.
      if (!(Math.abs(longitude) <= MAX_LONGITUDE)) return false;
      if (!(Math.abs(positions[i + 1]!) <= MAX_LATITUDE)) return false;
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
    }
    return true;
  };
  const records = [cell.isolatedNodes, cell.connectedNodes, cell.edges];
  if (!records.every((kind) => [...kind.values()].every(lies))) return outside;
  const width = east - west;
  if (east > 360 && (west >= 180 || width > 360)) return outside;
  const scale = cell.header.scaleDenominator;
  if (width <= HALF_ROUND || scale >= OVERVIEW_SCALE) return undefined;
  const message = `the cell is ${Math.round(width)}° wide at the scale 1:${scale}: at least one longitude is wrong`;
  return { code: 'doubtful-longitudes', message };
}

/** The object that gives a part of a cell other units or another datum; `undefined` if no object does. */
export function faultOfUnits(
  { features }: Cell,
  { depthUnit, heightUnit, horizontalDatum }: Parameters,
): Pick<Problem, 'code' | 'message'> | undefined {
  const own = { DUNITS: depthUnit, HUNITS: heightUnit, HORDAT: horizontalDatum };
  const other = features.find(
    ({ acronym, attributes }) =>
      (acronym === 'M_UNIT' || acronym === 'M_HDAT') &&
      Object.entries(own).some(([name, unit]) => (numberOf(attributes, name) || unit) !== unit),
  );
  if (other === undefined) return undefined;
  const message = `a part of the cell has other units or another datum than the cell (${namesOf([other])})`;
  return { code: 'other-units', message };
}
