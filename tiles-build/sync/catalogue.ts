// A producer's catalogue as one model: which cells there are, of which edition, where, and for whom.

import type { Box } from './boxes.ts';

/** One cell as its producer offers it. */
export interface OfferedCell {
  /** Eight characters, checked. */
  readonly name: string;
  readonly title: string;
  /** Edition and update number; undefined where the catalogue does not tell. */
  readonly version: CellVersion | undefined;
  /** Out of force: to be removed where it is. */
  readonly isWithdrawn: boolean;
  readonly url: string;
  readonly bytes: number | undefined;
  /** When its zip was made, as the catalogue writes it. */
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
  /** Entries that cannot be used, in plain sentences. */
  readonly problems: readonly string[];
}

/** What came as a catalogue is none, is cut off, or lists nothing. */
export class CatalogueUnreadable extends Error {}

/** Below zero where `a` is older than `b`: editions count first, then updates. */
export function compareVersions(a: CellVersion, b: CellVersion): number {
  return a.edition - b.edition || a.update - b.update;
}

/** As chart users write it: edition 40 with update 4 is 40.4. */
export const versionText = ({ edition, update }: CellVersion): string => `${edition}.${update}`;
