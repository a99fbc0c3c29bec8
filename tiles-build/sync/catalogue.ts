// The data model of a producer's catalogue.

import type { Box } from './boxes.ts';

/** One cell in the catalogue. */
export interface OfferedCell {
  /** Valid cell name, eight characters. */
  readonly name: string;
  readonly title: string;
  /** Edition and update number, or `undefined` if the catalogue does not give them. */
  readonly version: CellVersion | undefined;
  /** The cell was cancelled; local copies are removed. */
  readonly isWithdrawn: boolean;
  /** `undefined` if the catalogue has no usable address. */
  readonly url: string | undefined;
  readonly bytes: number | undefined;
  /** Creation time of the zip, as written in the catalogue. */
  readonly zipTime: string;
  readonly states: readonly string[];
  readonly regions: readonly string[];
  readonly districts: readonly string[];
  readonly boxes: readonly Box[];
}

export interface CellVersion {
  readonly edition: number;
  readonly update: number;
}

export interface Catalogue {
  readonly cells: readonly OfferedCell[];
  /** Messages about unusable entries. */
  readonly problems: readonly string[];
  /** Number of entries that may be of any cell, because their name is invalid. */
  readonly unnamedCount: number;
}

/** The catalogue is invalid, truncated or empty. */
export class CatalogueUnreadable extends Error {}

/** Negative if `a` is older than `b`. Compares editions, then updates. */
export function compareVersions(a: CellVersion, b: CellVersion): number {
  return a.edition - b.edition || a.update - b.update;
}

/** Edition 40 with update 4 is written 40.4. */
export const versionText = ({ edition, update }: CellVersion): string => `${edition}.${update}`;
