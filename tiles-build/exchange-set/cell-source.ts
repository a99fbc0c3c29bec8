// A cell and its files as found in folders, exchange sets and zips, before they are read.

import type { Problem } from '../../shared/s57/cell/cell.ts';

/** One file of a cell, before it is read. */
export interface CellFileSource {
  readonly name: string;
  /** For messages: the path, or `archive.zip:entry`. */
  readonly origin: string;
  /** CRC-32 of the file in each CATALOG.031 that lists it. */
  readonly crc32s?: readonly number[];
  /** West, south, east, north in degrees, if CATALOG.031 lists them. */
  readonly listedBounds?: readonly [number, number, number, number];
  readonly read: () => Promise<Uint8Array>;
  /** Path of the decrypted bytes, which are sealed (`archive/seal.ts`); undefined if it was not encrypted. */
  readonly sealedAt?: string;
}

/** A text of an encrypted delivery, such as SERIAL.ENC, before it is read. */
export type FoundText = Pick<CellFileSource, 'name' | 'origin' | 'read'>;

/** What is known of a cell from encrypted deliveries. */
export interface EncryptedCell {
  /** Refused files, and warnings about the licence. */
  readonly problems: readonly Problem[];
  /** Undefined if no file was decrypted. */
  readonly licence?: Licence;
}

/** The licence of a decrypted cell. */
export interface Licence {
  /** Two characters. */
  readonly dataServer: string;
  /** Last day of the permit, yyyymmdd. */
  readonly expires: string;
  readonly isSubscription: boolean;
  /** The latest edition and update in the product list of the data server, if it is known. */
  readonly latest?: { readonly edition: number; readonly update: number };
}

/** The files of a delivery after decryption. */
export interface Unlocked {
  readonly files: readonly CellFileSource[];
  /** By name of the cell. */
  readonly cells: ReadonlyMap<string, EncryptedCell>;
  /** Problems that belong to no cell. */
  readonly problems: readonly Problem[];
}

/** Decrypts the encrypted files among those found. */
export type Unlock = (
  files: readonly CellFileSource[],
  texts: readonly FoundText[],
) => Promise<Unlocked>;

/** A file that is not used, because the used one has the same edition and update but other content. */
export interface OtherContent {
  readonly file: CellFileSource;
  readonly edition: number;
  readonly update: number;
}

/** A cell as found: its base file and its updates, before they are read. */
export interface CellSource {
  readonly name: string;
  readonly base?: CellFileSource;
  /** One of each number, and one of a later edition than the base if it has a number of another. */
  readonly updates: readonly CellFileSource[];
  readonly others?: readonly OtherContent[];
  /** If the cell was found encrypted. */
  readonly encrypted?: EncryptedCell;
  /** Use files whose CRC-32 is not listed, with a warning, instead of rejecting them. */
  readonly acceptBadChecksums?: boolean;
}
