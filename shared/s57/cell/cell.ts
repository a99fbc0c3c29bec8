// The model of an ENC cell after its updates, as plain data independent of ISO 8211.

/** A problem in input data, returned and never thrown. */
export interface Problem {
  /** Stable kebab-case code, for tests and for the manifest. */
  readonly code: string;
  /** One sentence with the expected and the found value. */
  readonly message: string;
  /** The file with the problem, e.g. `US5WA22M.003`. */
  readonly file?: string;
  /** 'error': data was lost or refused. 'warning': the data is used, possibly corrected. */
  readonly severity: 'error' | 'warning';
}

/** S-57 FOID: agency, feature identification number and subdivision; identity across updates. */
export interface FeatureId {
  readonly agency: number;
  readonly number: number;
  readonly subdivision: number;
}

/** A value by attribute type: number for E, I and F, list for L, text for A and S. */
export type AttributeValue = number | string | readonly (number | string)[];

/** Attributes by upper-case acronym (unknown codes as `$12345`); empty text means "unknown". */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * A connected or an isolated node. A node of soundings has many positions. Longitudes of a cell across
 * 180° continue above 180.
 */
export interface Node {
  readonly id: number;
  readonly kind: 'isolated' | 'connected';
  /** Degrees, longitude then latitude, interleaved; one pair except for soundings. */
  readonly positions: Float64Array;
  /** Metres, one per position, only for 3-D soundings (SG3D). Drying heights are negative. */
  readonly depths?: Float64Array;
  /** Spatial attributes such as QUAPOS and POSACC (S-57 ATTV). */
  readonly attributes: Attributes;
}

/** A chain between two connected nodes. Shared by every feature that runs along it. */
export interface Edge {
  readonly id: number;
  /** Id of the connected node at each end; undefined if the node is missing. */
  readonly begin: number | undefined;
  readonly end: number | undefined;
  /** Degrees, longitude then latitude, interleaved, including the positions of the end nodes. */
  readonly positions: Float64Array;
  readonly attributes: Attributes;
}

/** One use of a spatial record by a feature (S-57 FSPT). */
export interface SpatialUse {
  readonly target: 'isolated' | 'connected' | 'edge';
  /** Key into `Cell.isolatedNodes`, `Cell.connectedNodes` or `Cell.edges`. */
  readonly id: number;
  readonly reversed: boolean;
  /** USAG: exterior boundary, interior boundary, or exterior truncated by the data limit. */
  readonly usage: 'exterior' | 'interior' | 'truncated' | 'none';
  /** MASK 1: not drawn, because it is not a real boundary. */
  readonly masked: boolean;
}

export interface Relation {
  readonly target: FeatureId;
  /** RIND: 1 master, 2 slave, 3 peer. */
  readonly kind: 'master' | 'slave' | 'peer' | 'other';
}

export type Primitive = 'point' | 'line' | 'area' | 'none';

export interface Feature {
  readonly id: FeatureId;
  /** Record id (RCID) in its file, for messages only: FOID is the identity. */
  readonly recordId: number;
  readonly classCode: number;
  /** Object class acronym, `$12345` for an unknown code. */
  readonly acronym: string;
  readonly primitive: Primitive;
  /** GRUP: 1 for the skin of the earth, 2 for the rest. */
  readonly group: number;
  readonly attributes: Attributes;
  readonly spatial: readonly SpatialUse[];
  readonly relations: readonly Relation[];
}

export interface CellHeader {
  /** Data set name without extension, e.g. `US5WA22M`. */
  readonly name: string;
  readonly agency: number;
  readonly edition: number;
  readonly update: number;
  /** Date of the last applied update, yyyymmdd. */
  readonly issueDate: string;
  /** Date of the base file, yyyymmdd. */
  readonly editionDate: string;
  /** Navigational purpose (INTU), 1 to 6, or 7 to 9 for inland charts. */
  readonly usageBand: number;
  /** Compilation scale (CSCL) denominator, above 0. */
  readonly scaleDenominator: number;
  /** Vertical datum of heights (VDAT): a code of VERDAT. */
  readonly verticalDatum?: number;
}

export interface Cell {
  readonly header: CellHeader;
  readonly isolatedNodes: ReadonlyMap<number, Node>;
  readonly connectedNodes: ReadonlyMap<number, Node>;
  readonly edges: ReadonlyMap<number, Edge>;
  readonly features: readonly Feature[];
}

/** The acceptance checks of one cell, kept in the manifest. */
export interface CellChecks {
  /** Whether the record counts in DSSI equal the records that were read, for each file. */
  readonly recordCountsMatch: boolean;
  /** |Σ area(Group 1) − area(M_COVR CATCOV 1)| / coverage, in square degrees. */
  readonly skinDeviation: number;
}

/** Result of reading one cell. `cell` is absent if the cell is cancelled or unreadable. */
export interface ReadResult {
  readonly name: string;
  readonly cell?: Cell;
  readonly cancelled: boolean;
  readonly checks?: CellChecks;
  readonly problems: readonly Problem[];
}

// ---- assembled geometry (see geometry.ts) ----

/** A directed use of an edge within a line or a ring. */
export interface EdgeUse {
  readonly edge: Edge;
  readonly reversed: boolean;
  /** Neither masked nor truncated by the data limit: a real boundary. */
  readonly drawable: boolean;
}

/** One connected chain of a line feature. */
export type Chain = readonly EdgeUse[];

/** One ring of an area; each edge starts where the previous one ends. */
export interface RingOfEdges {
  readonly uses: readonly EdgeUse[];
  readonly exterior: boolean;
}

/** An area: polygons of one exterior ring and its holes. */
export type AreaOfEdges = readonly (readonly RingOfEdges[])[];
