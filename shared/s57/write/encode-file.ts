// Encodes the records of an ENC base or update file; the reverse of ../read/decode.ts.

import { cellFields } from '../records/field-descriptions.ts';
import type {
  DataSet,
  Parameters,
  PointerControl,
  RawAttribute,
  RawFeature,
  RawPointer,
  RawVector,
} from '../records/records.ts';
import type { LexicalLevel } from '../records/text.ts';
import { FieldWriter } from './field-writer.ts';
import { type FieldBytes, writeIso8211 } from './iso8211-writer.ts';

export interface FileContents {
  readonly dataSet: DataSet;
  /** Present in base files, absent in updates. */
  readonly parameters?: Parameters;
  readonly vectors: readonly RawVector[];
  readonly features: readonly RawFeature[];
}

/** RCNM (Part 3, clause 2.2.1). */
const RECORD_NAME = { dataSet: 10, parameters: 20, feature: 100 } as const;
const MEAN_LOWER_LOW_WATER = 12;
/** DSTR: chain-node, as ENC Product Specification 3.1, clause 3.3 requires. */
const CHAIN_NODE = 2;
const DELETED = '\x7f';

/** Encode a data set file (S-57 Part 3, clause 7; ENC Product Specification, clause 6). */
export function encodeFile({ dataSet, parameters, vectors, features }: FileContents): Uint8Array {
  const { attributeLevel, nationalLevel } = dataSet;
  const records: FieldBytes[][] = [dataSetRecord(dataSet)];
  if (parameters !== undefined) records.push([parametersField(parameters)]);
  for (const vector of vectors) records.push(vectorRecord(vector));
  for (const feature of features) {
    records.push(featureRecord(feature, attributeLevel, nationalLevel));
  }
  return writeIso8211(cellFields(attributeLevel, nationalLevel), records, (index) =>
    new FieldWriter().u16(index + 1).bytes(),
  );
}

function dataSetRecord(dataSet: DataSet): FieldBytes[] {
  const id = new FieldWriter()
    .u8(RECORD_NAME.dataSet)
    .u32(1)
    .u8(dataSet.purpose, dataSet.usageBand)
    .text(dataSet.name)
    .text(dataSet.edition)
    .text(dataSet.update)
    .fixed(dataSet.issueDate)
    .fixed(dataSet.issueDate)
    .fixed('03.1')
    .u8(1) // PRSP: ENC
    .text('')
    .text('2.0')
    .u8(dataSet.purpose === 1 ? 1 : 2) // PROF: new (EN) or revision (ER)
    .u16(dataSet.agency)
    .text('Fictional, not for navigation');
  const structure = new FieldWriter()
    .u8(CHAIN_NODE, dataSet.attributeLevel, dataSet.nationalLevel)
    .u32(...dataSet.counts);
  return [
    { tag: 'DSID', bytes: id.bytes() },
    { tag: 'DSSI', bytes: structure.bytes() },
  ];
}

function parametersField(parameters: Parameters): FieldBytes {
  const field = new FieldWriter()
    .u8(RECORD_NAME.parameters)
    .u32(1)
    .u8(parameters.horizontalDatum, parameters.verticalDatum, MEAN_LOWER_LOW_WATER)
    .u32(parameters.scaleDenominator)
    .u8(parameters.depthUnit, parameters.heightUnit)
    .u8(parameters.accuracyUnit, parameters.coordinateUnit)
    .u32(parameters.coordinateFactor, parameters.soundingFactor)
    .text('');
  return { tag: 'DSPM', bytes: field.bytes() };
}

function vectorRecord(vector: RawVector): FieldBytes[] {
  const { name, id, version, instruction, dimensions, coordinates = [] } = vector;
  const head = new FieldWriter().u8(name).u32(id).u16(version).u8(instruction);
  const fields: FieldBytes[] = [{ tag: 'VRID', bytes: head.bytes() }];
  pushAttributes(fields, 'ATTV', vector.attributes, 1);
  pushControl(fields, 'VRPC', vector.pointerControl);
  pushPointers(fields, 'VRPT', vector.pointers);
  pushControl(fields, 'SGCC', vector.coordinateControl);
  if (coordinates.length > 0) {
    const field = new FieldWriter();
    for (const coordinate of coordinates) field.u32(coordinate);
    fields.push({ tag: dimensions === 3 ? 'SG3D' : 'SG2D', bytes: field.bytes() });
  }
  return fields;
}

function featureRecord(
  feature: RawFeature,
  attributeLevel: LexicalLevel,
  nationalLevel: LexicalLevel,
): FieldBytes[] {
  const { id, primitive, group, classCode, version, instruction } = feature;
  const head = new FieldWriter()
    .u8(RECORD_NAME.feature)
    .u32(id)
    .u8(primitive, group)
    .u16(classCode, version)
    .u8(instruction);
  const foid = new FieldWriter().u16(feature.agency).u32(feature.number).u16(feature.subdivision);
  const fields: FieldBytes[] = [
    { tag: 'FRID', bytes: head.bytes() },
    { tag: 'FOID', bytes: foid.bytes() },
  ];
  pushAttributes(fields, 'ATTF', feature.attributes, attributeLevel);
  pushAttributes(fields, 'NATF', feature.nationalAttributes, nationalLevel);
  pushControl(fields, 'FFPC', feature.relationControl);
  if (feature.relations.length > 0) {
    const bytes = new FieldWriter();
    for (const { agency, number, subdivision, indicator } of feature.relations) {
      bytes.u16(agency).u32(number).u16(subdivision).u8(indicator).text('');
    }
    fields.push({ tag: 'FFPT', bytes: bytes.bytes() });
  }
  pushControl(fields, 'FSPC', feature.spatialControl);
  pushPointers(fields, 'FSPT', feature.spatial);
  return fields;
}

function pushAttributes(
  fields: FieldBytes[],
  tag: string,
  attributes: readonly RawAttribute[],
  level: LexicalLevel,
): void {
  if (attributes.length === 0) return;
  const bytes = new FieldWriter();
  for (const { code, value } of attributes) bytes.u16(code).text(value ?? DELETED, level);
  fields.push({ tag, bytes: bytes.bytes(), wide: level === 2 });
}

function pushControl(fields: FieldBytes[], tag: string, control: PointerControl | undefined): void {
  if (control === undefined) return;
  const { instruction, index, count } = control;
  fields.push({ tag, bytes: new FieldWriter().u8(instruction).u16(index, count).bytes() });
}

function pushPointers(
  fields: FieldBytes[],
  tag: 'VRPT' | 'FSPT',
  pointers: readonly RawPointer[],
): void {
  if (pointers.length === 0) return;
  const bytes = new FieldWriter();
  for (const { name, id, orientation, usage, topology, mask } of pointers) {
    bytes.u8(name).u32(id).u8(orientation, usage);
    if (tag === 'VRPT') bytes.u8(topology);
    bytes.u8(mask);
  }
  fields.push({ tag, bytes: bytes.bytes() });
}
