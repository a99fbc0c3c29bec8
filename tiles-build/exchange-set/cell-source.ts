// A cell and its files as found in folders, exchange sets and zips, before they are read.

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
}

/** A cell as found: its base file and its updates, before they are read. */
export interface CellSource {
  readonly name: string;
  readonly base?: CellFileSource;
  readonly updates: readonly CellFileSource[];
  /** Use files whose CRC-32 is not listed, with a warning, instead of rejecting them. */
  readonly acceptBadChecksums?: boolean;
}
