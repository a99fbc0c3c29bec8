// The fields of an ENC file and of a catalogue file: S-57 Edition 3.1 Part 3, clause 7 (binary
// implementation), a fact table.

/** The format of a field (ISO/IEC 8211:1994, clause 6.4). */
export interface FieldDescription {
  readonly tag: string;
  /** The tag of the parent field in the record's tree; empty for a root. */
  readonly parent: string;
  /**
   * Structure ('0' elementary, '1' vector, '2' array) and type ('0' characters, '1' integers, '5' bits,
   * '6' mixed).
   */
  readonly codes: string;
  readonly name: string;
  /** Subfield labels joined by '!', with '*' before those that repeat. */
  readonly labels: string;
  readonly formats: string;
  /** Truncated escape sequence: the character set of the texts (Part 3, clause 2.4). */
  readonly escape?: '   ' | '-A ' | '%/A';
}

/** Fields of a data set file. ATTF and NATF have an escape sequence in addition. */
export const CELL_FIELDS = fieldsOf(`
0001||05|ISO/IEC 8211 Record Identifier||(b12)
DSID|0001|16|Data set identification field|RCNM!RCID!EXPP!INTU!DSNM!EDTN!UPDN!UADT!ISDT!STED!PRSP!PSDN!PRED!PROF!AGEN!COMT|(b11,b14,2b11,3A,2A(8),R(4),b11,2A,b11,b12,A)
DSSI|DSID|16|Data set structure information field|DSTR!AALL!NALL!NOMR!NOCR!NOGR!NOLR!NOIN!NOCN!NOED!NOFA|(3b11,8b14)
DSPM|0001|16|Data set parameter field|RCNM!RCID!HDAT!VDAT!SDAT!CSCL!DUNI!HUNI!PUNI!COUN!COMF!SOMF!COMT|(b11,b14,3b11,b14,4b11,2b14,A)
VRID|0001|16|Vector record identifier field|RCNM!RCID!RVER!RUIN|(b11,b14,b12,b11)
ATTV|VRID|26|Vector record attribute field|*ATTL!ATVL|(b12,A)
VRPC|VRID|16|Vector record pointer control field|VPUI!VPIX!NVPT|(b11,2b12)
VRPT|VRID|26|Vector record pointer field|*NAME!ORNT!USAG!TOPI!MASK|(B(40),4b11)
SGCC|VRID|16|Coordinate control field|CCUI!CCIX!CCNC|(b11,2b12)
SG2D|VRID|25|2-D coordinate field|*YCOO!XCOO|(2b24)
SG3D|VRID|25|3-D coordinate (sounding array) field|*YCOO!XCOO!VE3D|(3b24)
FRID|0001|16|Feature record identifier field|RCNM!RCID!PRIM!GRUP!OBJL!RVER!RUIN|(b11,b14,2b11,2b12,b11)
FOID|FRID|16|Feature object identifier field|AGEN!FIDN!FIDS|(b12,b14,b12)
ATTF|FRID|26|Feature record attribute field|*ATTL!ATVL|(b12,A)
NATF|FRID|26|Feature record national attribute field|*ATTL!ATVL|(b12,A)
FFPC|FRID|16|Feature record to feature object pointer control field|FFUI!FFIX!NFPT|(b11,2b12)
FFPT|FRID|26|Feature record to feature object pointer field|*LNAM!RIND!COMT|(B(64),b11,A)
FSPC|FRID|16|Feature record to spatial record pointer control field|FSUI!FSIX!NSPT|(b11,2b12)
FSPT|FRID|26|Feature record to spatial record pointer field|*NAME!ORNT!USAG!MASK|(B(40),3b11)`);

/** Fields of CATALOG.031 (Appendix B.1, annex on exchange sets; ASCII implementation). */
export const CATALOG_FIELDS = fieldsOf(`
0001||01|ISO/IEC 8211 Record Identifier||(I(5))
CATD|0001|16|Catalogue Directory Field|RCNM!RCID!FILE!LFIL!VOLM!IMPL!SLAT!WLON!NLAT!ELON!CRCS!COMT|(A(2),I(10),3A,A(3),4R,2A)`);

/** A line for each field: tag, parent, codes, name, labels and formats. */
function fieldsOf(table: string): readonly FieldDescription[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [tag, parent, codes, name, labels, formats] = line.split('|') as [
        ...[string, string, string, string, string, string],
      ];
      return { tag, parent, codes, name, labels, formats };
    });
}

/**
 * Fields of a data set file.
 * @param attributeLevel lexical level of ATTF; level 1 and 2 name their character set
 * @param nationalLevel lexical level of NATF
 */
export function cellFields(attributeLevel: number, nationalLevel: number): FieldDescription[] {
  const levels = new Map([
    ['ATTF', attributeLevel],
    ['NATF', nationalLevel],
  ]);
  return CELL_FIELDS.map((field) => ({ ...field, escape: escapeOf(levels.get(field.tag)) }));
}

const escapeOf = (level = 0) => (level === 2 ? '%/A' : level === 1 ? '-A ' : '   ');
