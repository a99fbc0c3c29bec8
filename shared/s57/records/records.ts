// The records of one S-57 file as plain data. Names in comments are those of S-57 Edition 3.1 Part 3,
// clause 7.

import type { FeatureId, Problem } from '../cell/cell.ts';
import type { LexicalLevel } from './text.ts';

/** RUIN: what an update does with a record. */
export type Instruction = 1 | 2 | 3;

export interface RawAttribute {
  readonly code: number;
  /** `undefined` is the DEL value: the attribute is deleted (clause 8.4.2.2). */
  readonly value: string | undefined;
}

/** FSPC, FFPC and VRPC: the instruction for `count` pointers from the 1-based `index`. */
export interface PointerControl {
  readonly instruction: Instruction;
  readonly index: number;
  readonly count: number;
}

export interface RawPointer {
  readonly name: number;
  readonly id: number;
  readonly orientation: number;
  readonly usage: number;
  readonly topology: number;
  readonly mask: number;
}

export interface RawVector {
  readonly kind: 'vector';
  /** RCNM: 110 isolated node, 120 connected node, 130 edge, 140 face. */
  readonly name: number;
  readonly id: number;
  readonly version: number;
  readonly instruction: Instruction;
  readonly attributes: readonly RawAttribute[];
  readonly pointerControl?: PointerControl;
  readonly pointers: readonly RawPointer[];
  readonly coordinateControl?: PointerControl;
  /** Unscaled integers y, x (and depth); `undefined` if the record has no coordinates. */
  readonly coordinates?: Int32Array;
  readonly dimensions: 2 | 3;
}

export interface RawRelation extends FeatureId {
  readonly indicator: number;
}

export interface RawFeature extends FeatureId {
  readonly kind: 'feature';
  readonly id: number;
  readonly primitive: number;
  readonly group: number;
  readonly classCode: number;
  readonly version: number;
  readonly instruction: Instruction;
  readonly attributes: readonly RawAttribute[];
  readonly nationalAttributes: readonly RawAttribute[];
  readonly relationControl?: PointerControl;
  readonly relations: readonly RawRelation[];
  readonly spatialControl?: PointerControl;
  readonly spatial: readonly RawPointer[];
}

export interface DataSet {
  /** EXPP: 1 new, 2 revision. */
  readonly purpose: number;
  readonly usageBand: number;
  readonly name: string;
  readonly edition: string;
  readonly update: string;
  readonly issueDate: string;
  readonly agency: number;
  readonly attributeLevel: LexicalLevel;
  readonly nationalLevel: LexicalLevel;
  /** NOMR, NOCR, NOGR, NOLR, NOIN, NOCN, NOED, NOFA. */
  readonly counts: readonly number[];
}

export interface Parameters {
  /** Horizontal datum (HDAT): 2 is WGS 84, 0 is not stated. */
  readonly horizontalDatum: number;
  /** Vertical datum of heights (VDAT): a code of VERDAT, 0 is not stated. */
  readonly verticalDatum: number;
  readonly scaleDenominator: number;
  readonly depthUnit: number;
  readonly heightUnit: number;
  /** Unit of the accuracy of positions (PUNI). */
  readonly accuracyUnit: number;
  readonly coordinateUnit: number;
  readonly coordinateFactor: number;
  readonly soundingFactor: number;
}

export interface RawFile {
  readonly dataSet?: DataSet;
  readonly parameters?: Parameters;
  readonly vectors: readonly RawVector[];
  readonly features: readonly RawFeature[];
  readonly problems: readonly Problem[];
}
