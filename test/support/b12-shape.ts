// Checks a file of convention "GeoJSON CSB 3.1" against the IHO's guideline B-12, like its data centre
// (CCOM/JHC's csbschema, version 3.1.0 of March 2023): required fields and their allowed values.

import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string' } as const;
const truth = { type: 'boolean' } as const;
const vesselId = {
  type: 'string',
  pattern: '^[a-zA-Z][a-zA-Z0-9]*-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
} as const;
const crsName = { type: 'string', pattern: '^EPSG:\\d{4,5}$' } as const;
const utcTime = {
  type: 'string',
  pattern:
    '^\\d+-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?[Zz]$',
} as const;

/** An object that has all of these fields. More fields are allowed. */
const having = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const trustedNode = having({
  providerOrganizationName: text,
  providerEmail: { type: 'string', pattern: '^[\\w.%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,6}$' },
  uniqueVesselID: vesselId,
  convention: { const: 'GeoJSON CSB 3.1' },
  dataLicense: text,
  providerLogger: text,
  providerLoggerVersion: text,
  navigationCRS: crsName,
  verticalReferenceOfDepth: { enum: ['Transducer', 'Waterline', 'Unknown'] },
  vesselPositionReferencePoint: { enum: ['GNSS', 'Transducer', 'ReferencePlace'] },
});

const platform = having({
  type: text,
  name: text,
  length: { type: 'integer', minimum: 1 },
  IDType: { enum: ['MMSI', 'IMO'] },
  IDNumber: { type: 'string', pattern: '^(\\d{9}|IMO\\d{7})$' },
  soundSpeedDocumented: truth,
  positionOffsetsDocumented: truth,
  dataProcessed: truth,
  uniqueID: vesselId,
});

const feature = having({
  type: { const: 'Feature' },
  geometry: having({
    type: { const: 'Point' },
    coordinates: { type: 'array', minItems: 2, items: { type: 'number' } },
  }),
  properties: having({ depth: { type: 'number' }, time: utcTime }),
});

const file = having({
  type: { const: 'FeatureCollection' },
  crs: having({ properties: having({ name: crsName }) }),
  properties: {
    type: 'object',
    required: ['trustedNode'],
    properties: { trustedNode, platform },
  },
  features: { type: 'array', items: feature },
});

const validate = new Ajv2020({ allErrors: true }).compile(file);

/** The differences between a parsed file and the guideline. */
export function b12Faults(value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
