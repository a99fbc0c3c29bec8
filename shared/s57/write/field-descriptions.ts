// The fields of an ENC file and of a catalogue file: S-57 Edition 3.1 Part 3, clause 7 (binary
// implementation), a fact table.

import type { FieldDescription } from './iso8211-writer.ts';

const RECORD_NUMBER = 'ISO/IEC 8211 Record Identifier';

/**
 * Fields of a data set file.
 * @param attributeLevel lexical level of ATTF; level 1 and 2 name their character set
 * @param nationalLevel lexical level of NATF
 */
export function cellFields(attributeLevel: number, nationalLevel: number): FieldDescription[] {
  const one = { structure: '1', type: '6' } as const;
  const many = { structure: '2', type: '6' } as const;
  const numbers = { structure: '2', type: '5' } as const;
  return [
    { tag: '0001', name: RECORD_NUMBER, structure: '0', type: '5', labels: '', formats: '(b12)' },
    {
      tag: 'DSID',
      parent: '0001',
      name: 'Data set identification field',
      ...one,
      labels: 'RCNM!RCID!EXPP!INTU!DSNM!EDTN!UPDN!UADT!ISDT!STED!PRSP!PSDN!PRED!PROF!AGEN!COMT',
      formats: '(b11,b14,2b11,3A,2A(8),R(4),b11,2A,b11,b12,A)',
    },
    {
      tag: 'DSSI',
      parent: 'DSID',
      name: 'Data set structure information field',
      ...one,
      labels: 'DSTR!AALL!NALL!NOMR!NOCR!NOGR!NOLR!NOIN!NOCN!NOED!NOFA',
      formats: '(3b11,8b14)',
    },
    {
      tag: 'DSPM',
      parent: '0001',
      name: 'Data set parameter field',
      ...one,
      labels: 'RCNM!RCID!HDAT!VDAT!SDAT!CSCL!DUNI!HUNI!PUNI!COUN!COMF!SOMF!COMT',
      formats: '(b11,b14,3b11,b14,4b11,2b14,A)',
    },
    {
      tag: 'VRID',
      parent: '0001',
      name: 'Vector record identifier field',
      ...one,
      labels: 'RCNM!RCID!RVER!RUIN',
      formats: '(b11,b14,b12,b11)',
    },
    {
      tag: 'ATTV',
      parent: 'VRID',
      name: 'Vector record attribute field',
      ...many,
      labels: '*ATTL!ATVL',
      formats: '(b12,A)',
    },
    {
      tag: 'VRPC',
      parent: 'VRID',
      name: 'Vector record pointer control field',
      ...one,
      labels: 'VPUI!VPIX!NVPT',
      formats: '(b11,2b12)',
    },
    {
      tag: 'VRPT',
      parent: 'VRID',
      name: 'Vector record pointer field',
      ...many,
      labels: '*NAME!ORNT!USAG!TOPI!MASK',
      formats: '(B(40),4b11)',
    },
    {
      tag: 'SGCC',
      parent: 'VRID',
      name: 'Coordinate control field',
      ...one,
      labels: 'CCUI!CCIX!CCNC',
      formats: '(b11,2b12)',
    },
    {
      tag: 'SG2D',
      parent: 'VRID',
      name: '2-D coordinate field',
      ...numbers,
      labels: '*YCOO!XCOO',
      formats: '(2b24)',
    },
    {
      tag: 'SG3D',
      parent: 'VRID',
      name: '3-D coordinate (sounding array) field',
      ...numbers,
      labels: '*YCOO!XCOO!VE3D',
      formats: '(3b24)',
    },
    {
      tag: 'FRID',
      parent: '0001',
      name: 'Feature record identifier field',
      ...one,
      labels: 'RCNM!RCID!PRIM!GRUP!OBJL!RVER!RUIN',
      formats: '(b11,b14,2b11,2b12,b11)',
    },
    {
      tag: 'FOID',
      parent: 'FRID',
      name: 'Feature object identifier field',
      ...one,
      labels: 'AGEN!FIDN!FIDS',
      formats: '(b12,b14,b12)',
    },
    {
      tag: 'ATTF',
      parent: 'FRID',
      name: 'Feature record attribute field',
      ...many,
      labels: '*ATTL!ATVL',
      formats: '(b12,A)',
      escape: escapeOf(attributeLevel),
    },
    {
      tag: 'NATF',
      parent: 'FRID',
      name: 'Feature record national attribute field',
      ...many,
      labels: '*ATTL!ATVL',
      formats: '(b12,A)',
      escape: escapeOf(nationalLevel),
    },
    {
      tag: 'FFPC',
      parent: 'FRID',
      name: 'Feature record to feature object pointer control field',
      ...one,
      labels: 'FFUI!FFIX!NFPT',
      formats: '(b11,2b12)',
    },
    {
      tag: 'FFPT',
      parent: 'FRID',
      name: 'Feature record to feature object pointer field',
      ...many,
      labels: '*LNAM!RIND!COMT',
      formats: '(B(64),b11,A)',
    },
    {
      tag: 'FSPC',
      parent: 'FRID',
      name: 'Feature record to spatial record pointer control field',
      ...one,
      labels: 'FSUI!FSIX!NSPT',
      formats: '(b11,2b12)',
    },
    {
      tag: 'FSPT',
      parent: 'FRID',
      name: 'Feature record to spatial record pointer field',
      ...many,
      labels: '*NAME!ORNT!USAG!MASK',
      formats: '(B(40),3b11)',
    },
  ];
}

const escapeOf = (level: number) => (level === 2 ? '%/A' : level === 1 ? '-A ' : '   ');

/** Fields of CATALOG.031 (Appendix B.1, annex on exchange sets; ASCII implementation). */
export const CATALOG_FIELDS: readonly FieldDescription[] = [
  { tag: '0001', name: RECORD_NUMBER, structure: '0', type: '1', labels: '', formats: '(I(5))' },
  {
    tag: 'CATD',
    parent: '0001',
    name: 'Catalogue Directory Field',
    structure: '1',
    type: '6',
    labels: 'RCNM!RCID!FILE!LFIL!VOLM!IMPL!SLAT!WLON!NLAT!ELON!CRCS!COMT',
    formats: '(A(2),I(10),3A,A(3),4R,2A)',
  },
];
