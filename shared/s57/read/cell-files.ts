// The files of one cell: input of the reader.

/** One file of a cell. */
export interface CellFile {
  /** File name with its extension, e.g. `US5WA22M.003`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why the file could not be read; `bytes` is then empty. */
  readonly unreadable?: string;
  /** Describes a CRC-32 that differs from CATALOG.031. Undefined if it matches or is not listed. */
  readonly badChecksum?: string;
}

export interface CellFiles {
  readonly name: string;
  readonly base?: CellFile;
  /** In any order; the file extension is the update number. A number may have a second file, of a later edition. */
  readonly updates: readonly CellFile[];
  /** Use files with a bad checksum, with a warning. Otherwise they are refused (S-64, tests 2.1.5 and 2.2.1). */
  readonly acceptBadChecksums?: boolean;
}
